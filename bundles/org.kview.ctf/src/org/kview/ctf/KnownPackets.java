// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/** What is known of the packets of a stream file from elsewhere: the lengths and CRC-32s of its first ones. */
public interface KnownPackets {
    /** Nothing is known. */
    KnownPackets NONE = new KnownPackets() {
        @Override
        public int count() {
            return 0;
        }

        @Override
        public int bytes(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public long crc32(int index) {
            throw new IndexOutOfBoundsException(index);
        }
    };

    /** How many packets of the stream file are known. */
    int count();

    /** The length of a packet; never negative. */
    int bytes(int index);

    /** Its CRC-32. */
    long crc32(int index);
}
