// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** How the link to an agent is. */
public enum LinkState {
    /** The agent answers. */
    CONNECTED,
    /** Nothing came for a while: the network may be slow, or the link lost. */
    STALLED,
    /** The link is lost. A recording goes on at the host for its grace time. */
    LOST,
    /** Attempts are made to take the recording up again. */
    RECONNECTING,
    /** The agent answers again, and nothing of what it counted is missing. */
    RESUMED,
    /** The link has ended for good. */
    GONE;

    /** Whether requests are answered now. */
    public boolean isUp() {
        return this == CONNECTED || this == RESUMED;
    }
}
