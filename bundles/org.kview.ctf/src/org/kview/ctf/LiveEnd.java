// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/** Tells who reads a trace while it is written that nothing more is written. Safe for use by several threads. */
public final class LiveEnd {
    private volatile boolean ended;

    public void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
