// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.function.Predicate;

/** Hands lines on as they are made: a call can have hundreds of thousands. */
public final class FlowOutput {
    private static final int ENOUGH = 1 << 16;

    private final Predicate<String> to;
    private final StringBuilder text = new StringBuilder();
    private boolean wanted = true;

    /** @param to takes a part of the text, and says whether it can take more */
    public FlowOutput(Predicate<String> to) {
        this.to = to;
    }

    /** @param line that can be shown as it is */
    public void line(String line) {
        text.append(line).append('\n');
        if (text.length() >= ENOUGH) {
            finish();
        }
    }

    /** Whether anybody reads on. */
    public boolean wanted() {
        return wanted;
    }

    public void finish() {
        wanted = wanted && to.test(text.toString());
        text.setLength(0);
    }
}
