// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.List;
import java.util.Optional;

import org.kview.model.ProbedFunction;

/**
 * Values that some recordings of a group count among their other values, wholly or in part. What is told of these calls does not tell how
 * long all of them take, so such recordings are left out of what is judged, which has to be said.
 */
final class PartlyAmongOthers {
    private PartlyAmongOthers() {
    }

    /** Empty if there are no such values. */
    static Optional<String> sentence(List<FunctionPair> pairs, RecordingGroup a, RecordingGroup b) {
        List<FunctionPair> such = pairs.stream().filter(pair -> pair.a().atLeast() || pair.b().atLeast()).toList();
        return such.stream().findFirst().map(pair -> "Of " + pair.name() + ", " + of("A", pair.a().function(), a) + " and "
                + of("B", pair.b().function(), b) + " are judged: the others may count this value among their other values."
                + (such.size() == 1 ? "" : " The same is so for " + (such.size() - 1) + " more; all are marked \"at least\"."));
    }

    private static String of(String side, ProbedFunction function, RecordingGroup group) {
        return group.parts(function).stream().filter(Optional::isPresent).count() + " of " + group.size() + " recordings of " + side;
    }
}
