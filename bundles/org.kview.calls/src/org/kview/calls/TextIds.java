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

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> texts = new ArrayList<>();

    int of(String text) throws StoreException {
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

    List<String> texts() {
        return texts;
    }
}
