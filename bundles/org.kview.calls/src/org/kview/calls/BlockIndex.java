// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where a block of a table is, and what it holds.
 *
 * @param at    its first byte
 * @param bytes how many it has
 * @param crc32 their CRC-32C
 * @param least the least value of each column
 * @param most  and the largest
 */
record BlockIndex(long at, int bytes, int rows, long crc32, long[] least, long[] most) {

    /** How many bytes a value takes beyond the least one. */
    static int width(long least, long most) {
        return (Long.SIZE - Long.numberOfLeadingZeros(most - least) + Byte.SIZE - 1) / Byte.SIZE;
    }

    int width(int column) {
        return width(least[column], most[column]);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(at);
        out.writeInt(bytes);
        out.writeInt(rows);
        out.writeInt((int) crc32);
        for (int column = 0; column < least.length; column++) {
            out.writeLong(least[column]);
            out.writeLong(most[column]);
        }
    }

    static BlockIndex read(DataInput in, int columns) throws IOException {
        long at = in.readLong();
        int bytes = in.readInt();
        int rows = in.readInt();
        long crc32 = Integer.toUnsignedLong(in.readInt());
        long[] least = new long[columns];
        long[] most = new long[columns];
        for (int column = 0; column < columns; column++) {
            least[column] = in.readLong();
            most[column] = in.readLong();
        }
        return new BlockIndex(at, bytes, rows, crc32, least, most);
    }

    /** Whether it can be what a writer wrote: it lies within the file, and its columns fill it. */
    boolean isPlausible(long fileBytes, int mostRows) {
        if (rows <= 0 || rows > mostRows || bytes < 0 || at < 0 || at > fileBytes - bytes) {
            return false;
        }
        long sum = 0;
        for (int column = 0; column < least.length; column++) {
            if (most[column] < least[column]) {
                return false;
            }
            sum += (long) width(column) * rows;
        }
        return sum == bytes;
    }
}
