// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What a store's file begins with. It is written last: before that there are only zeros in its place.
 *
 * <pre>
 *   0         8         12           16         24             28       32
 *   +---------+---------+------------+----------+--------------+--------+--
 *   | magic   | version | footer crc | footer at| footer bytes | zero   | blocks, footer
 *   +---------+---------+------------+----------+--------------+--------+--
 * </pre>
 */
record StoreHeader(int version, int footerCrc, long footerAt, int footerBytes) {
    static final int BYTES = 32;
    /** Another one is thrown away. To be raised with each change of the layout, or of what a column means. */
    static final int VERSION = 4;

    private static final long MAGIC = 0x736c6c6163766bL;

    static StoreHeader of(byte[] footer, long at) {
        return new StoreHeader(VERSION, crc32(ByteBuffer.wrap(footer)), at, footer.length);
    }

    static int crc32(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    ByteBuffer bytes() {
        return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(MAGIC).putInt(version).putInt(footerCrc)
                .putLong(footerAt).putInt(footerBytes).putInt(0).flip();
    }

    static StoreHeader parse(ByteBuffer bytes) throws StoreException {
        ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < BYTES || in.getLong() != MAGIC) {
            throw new StoreException("it is no store of calls, or was not finished");
        }
        StoreHeader header = new StoreHeader(in.getInt(), in.getInt(), in.getLong(), in.getInt());
        if (header.version != VERSION) {
            throw new StoreException("it is of another version: " + header.version + " instead of " + VERSION);
        }
        return header;
    }
}
