// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for texts, in the order in which they first came. */
final class TextIds {
    /** A process has no more threads than that, and few of their names differ. */
    private static final int MOST = 200_000;
    private static final int LATELY = 1 << 8;

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    /** Of those that were asked for last, as each call and turn asks; by a number that the same one mostly comes with. */
    private final String[] lately = new String[LATELY];
    private final int[] latelyIds = new int[LATELY];

    /** @param hint such as the thread whose name it is */
    int of(String text, long hint) throws StoreException {
        int at = (int) hint & LATELY - 1;
        if (lately[at] != text) {
            latelyIds[at] = of(text);
            lately[at] = text;
        }
        return latelyIds[at];
    }

    private int of(String text) throws StoreException {
        Integer known = ids.get(text);
        if (known == null) {
            if (texts.size() == MOST) {
                throw new StoreException("the trace has more names of threads than a store can hold");
            }
            known = texts.size();
            ids.put(text, known);
            texts.add(text);
        }
        return known;
    }

    /** Those from this one on. */
    List<String> from(int first) {
        return List.copyOf(texts.subList(first, texts.size()));
    }
}
