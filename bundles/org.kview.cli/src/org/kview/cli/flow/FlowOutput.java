// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.util.function.Predicate;

/** Hands lines on as they are made: a call can have hundreds of thousands. */
final class FlowOutput {
    private static final int ENOUGH = 1 << 16;

    private final Predicate<String> to;
    private final StringBuilder text = new StringBuilder();
    private boolean wanted = true;

    /** @param to takes a part of the text, and says whether it can take more */
    FlowOutput(Predicate<String> to) {
        this.to = to;
    }

    /** @param line that can be shown as it is */
    void line(String line) {
        text.append(line).append('\n');
        if (text.length() >= ENOUGH) {
            finish();
        }
    }

    /** Whether anybody reads on. */
    boolean wanted() {
        return wanted;
    }

    void finish() {
        wanted = wanted && to.test(text.toString());
        text.setLength(0);
    }
}
