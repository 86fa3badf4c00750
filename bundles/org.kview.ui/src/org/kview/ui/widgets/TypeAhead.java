// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;

/** Finds the name that begins with what is typed without a pause. */
final class TypeAhead {
    private static final int PAUSE_MILLIS = 1000;

    private String typed = "";
    private int lastMillis;

    /**
     * @param key      what was pressed
     * @param names    of all lines
     * @param selected the selected line, or below 0
     * @return the first line from there on whose name begins with what was typed, whatever its case; the first letter
     *         alone leads to the next one. Empty if there is none or the key is no letter
     */
    OptionalInt find(Event key, List<String> names, int selected) {
        boolean going = key.time - lastMillis < PAUSE_MILLIS && !typed.isEmpty();
        // Without a text before it the space bar ticks or selects.
        if (Character.isISOControl(key.character) || (key.stateMask & (SWT.CTRL | SWT.ALT)) != 0
                || key.character == ' ' && !going) {
            return OptionalInt.empty();
        }
        typed = going ? typed + key.character : String.valueOf(key.character);
        lastMillis = key.time;
        int from = Math.max(0, selected + (typed.length() == 1 ? 1 : 0));
        return IntStream.range(from, from + names.size()).map(i -> i % names.size())
                .filter(i -> names.get(i).regionMatches(true, 0, typed, 0, typed.length())).findFirst();
    }
}
