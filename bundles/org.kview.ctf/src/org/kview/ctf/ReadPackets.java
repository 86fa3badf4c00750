// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Arrays;

/** The packets that were read of a stream while it was written: their lengths and CRC-32s. To be used by one thread. */
final class ReadPackets implements KnownPackets {
    private static final int FEW = 64;

    private int[] bytes = new int[FEW];
    private int[] sums = new int[FEW];
    private int count;
    private long allBytes;

    void add(int length, long crc32) {
        if (count == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * count);
            sums = Arrays.copyOf(sums, 2 * count);
        }
        bytes[count] = length;
        sums[count++] = (int) crc32;
        allBytes += length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int bytes(int index) {
        return bytes[index];
    }

    @Override
    public long crc32(int index) {
        return Integer.toUnsignedLong(sums[index]);
    }

    /**
     * Whether a file holds these packets, and nothing else.
     *
     * @param known     what is known of its packets
     * @param fileBytes how long it is
     */
    boolean isAllOf(KnownPackets known, long fileBytes) {
        if (known.count() != count || fileBytes != allBytes) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (known.bytes(i) != bytes[i] || known.crc32(i) != crc32(i)) {
                return false;
            }
        }
        return true;
    }
}
