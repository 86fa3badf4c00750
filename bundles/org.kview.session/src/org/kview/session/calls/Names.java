// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the name that a user who mistyped one probably meant. */
final class Names {
    private static final int MOST_DIFFERENT = 2;
    private static final int LONGEST = 30;

    private Names() {
    }

    /** The name that differs least, if it differs in few characters only. */
    static Optional<String> nearest(String word, Stream<String> names) {
        return names.filter(name -> word.length() <= LONGEST && distance(word, name) <= Math.min(MOST_DIFFERENT, word.length() - 1))
                .min(Comparator.comparingInt(name -> distance(word, name)));
    }

    /** How many characters must be added, removed or replaced. */
    private static int distance(String a, String b) {
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
            }
            last = row;
        }
        return last[b.length()];
    }
}
