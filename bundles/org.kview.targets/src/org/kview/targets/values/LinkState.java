// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** How the link to an agent is. */
public enum LinkState {
    /** The agent answers. */
    CONNECTED,
    /** Nothing came for a while, which may be a slow network or a lost one. */
    STALLED,
    /** The link is lost. A recording goes on at the host for its grace time. */
    LOST,
    /** Attempts are made to take the recording up again. */
    RECONNECTING,
    /** The agent answers again, and nothing of what it counted is missing. */
    RESUMED,
    /** The link is no more, and will not come back. */
    GONE;

    /** Whether requests are answered now. */
    public boolean isUp() {
        return this == CONNECTED || this == RESUMED;
    }
}
