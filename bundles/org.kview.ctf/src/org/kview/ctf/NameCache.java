// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The names of threads that were read lately: a few of them stand in millions of events. To be used by one thread. */
final class NameCache {
    /** The names of threads, the only texts that this version knows, have at most 15 bytes. */
    static final int MOST_TEXT_BYTES = 256;
    private static final int PLACES = 1 << 8;
    private static final int PRIME = 31;

    private final byte[][] bytes = new byte[PLACES][];
    private final String[] texts = new String[PLACES];

    /** An array of characters: what stands before the first NUL, without what is longer than any name. */
    String of(byte[] in, int at, int length) {
        int hash = 0;
        int end = at;
        for (int most = at + Math.min(length, MOST_TEXT_BYTES); end < most && in[end] != 0; end++) {
            hash = PRIME * hash + in[end];
        }
        int place = (hash ^ hash >>> Byte.SIZE) & PLACES - 1;
        byte[] known = bytes[place];
        if (known == null || !Arrays.equals(known, 0, known.length, in, at, end)) {
            bytes[place] = Arrays.copyOfRange(in, at, end);
            texts[place] = new String(in, at, end - at, StandardCharsets.UTF_8);
        }
        return texts[place];
    }
}
