// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.kview.model.Metric;

/**
 * Which calls are selected: those of which all of this is true. Immutable.
 *
 * @param end       when they returned
 * @param wall      how long they took
 * @param functions the ids of their functions; empty for all
 * @param threads   the ids of their threads, likewise
 * @param mainParts the largest parts of their time, likewise
 */
public record CallBox(Range end, Range wall, Optional<Set<Long>> functions, Optional<Set<Long>> threads,
        Optional<Set<Metric>> mainParts) {
    /** All calls. */
    public static final CallBox ALL = new CallBox(Range.ALL, Range.ALL, Optional.empty(), Optional.empty(), Optional.empty());

    public CallBox {
        functions = functions.map(Set::copyOf);
        threads = threads.map(Set::copyOf);
        mainParts = mainParts.map(Set::copyOf);
    }

    /** Times in ns, both ends included. */
    public record Range(long least, long most) {
        public static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The same, for a store. */
    public List<Condition> conditions() {
        List<Condition> all = new ArrayList<>();
        all.add(new Condition.Between(CallField.END, end.least(), end.most()));
        all.add(new Condition.Between(CallField.WALL, wall.least(), wall.most()));
        functions.ifPresent(ids -> all.add(new Condition.OneOf(CallField.FUNCTION, ids)));
        threads.ifPresent(ids -> all.add(new Condition.OneOf(CallField.TID, ids)));
        mainParts.ifPresent(parts -> all.add(new Condition.OneOf(CallField.MAIN_PART,
                parts.stream().map(part -> (long) part.ordinal()).collect(Collectors.toSet()))));
        return all;
    }
}
