// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.ByteArrayOutputStream;

/** Numbers in groups of seven bits, the lowest first, as Protocol Buffers and Thrift's compact protocol have them. */
public final class Varints {
    private static final int GROUP_BITS = 7;
    private static final int GROUP = (1 << GROUP_BITS) - 1;
    private static final int MORE = 1 << GROUP_BITS;

    private Varints() {
    }

    /** @param value taken as unsigned */
    public static void write(long value, ByteArrayOutputStream out) {
        long rest = value;
        while ((rest & ~GROUP) != 0) {
            out.write((int) (rest & GROUP) | MORE);
            rest >>>= GROUP_BITS;
        }
        out.write((int) rest);
    }
}
