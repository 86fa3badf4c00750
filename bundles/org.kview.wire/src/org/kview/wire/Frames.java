// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

/**
 * The frame around each message, as {@code agent.proto} describes it: a little-endian length of four
 * bytes, which does not count itself, and then the message.
 */
public final class Frames {
    /** The shortest message, in bytes. */
    public static final int MIN_LENGTH = 1;
    /** The longest message, in bytes. */
    public static final int MAX_LENGTH = 16 << 20;

    static final int HEADER_BYTES = 4;

    private Frames() {
    }
}
