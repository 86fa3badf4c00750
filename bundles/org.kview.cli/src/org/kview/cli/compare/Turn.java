// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * One of the recordings that are made of two programs in turns.
 *
 * @param isA    of which program
 * @param number which recording of that program, from 1
 */
record Turn(boolean isA, int number) {

    /**
     * Recordings in pairs of one of A and one of B, of which either comes first. A comes first in half of the pairs, so that
     * neither side is earlier on the whole. Which half is random, so that nothing periodic on the host can coincide with one
     * side.
     *
     * @param count of each program
     * @param seed  the same one gives the same order
     */
    static List<Turn> order(int count, long seed) {
        // Not java.util.Random: its first numbers are alike if the seeds are.
        SplittableRandom random = new SplittableRandom(seed);
        int firstA = count / 2 + (count % 2 == 0 ? 0 : random.nextInt(2));
        List<Boolean> first = new ArrayList<>(Collections.nCopies(firstA, true));
        first.addAll(Collections.nCopies(count - firstA, false));
        Collections.shuffle(first, random);
        List<Turn> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(new Turn(first.get(i), i + 1));
            order.add(new Turn(!first.get(i), i + 1));
        }
        return order;
    }

    /** "A B B A". */
    static String text(List<Turn> order) {
        return order.stream().map(Turn::letter).collect(Collectors.joining(" "));
    }

    String letter() {
        return isA ? "A" : "B";
    }

    /** Its session's folder. */
    Path session(Path folder) {
        return folder.resolve((isA ? "a-" : "b-") + number + ".kview");
    }
}
