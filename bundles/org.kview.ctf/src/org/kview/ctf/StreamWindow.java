// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** A piece of a stream file in memory; what is in it already is not read again. */
final class StreamWindow {
    private final FileChannel in;
    private final ByteBuffer window;
    private long begin;
    private int filled;

    StreamWindow(FileChannel in, int bytes) {
        this.in = in;
        window = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** How many bytes there can be at once. */
    int capacity() {
        return window.capacity();
    }

    /** Bytes of the file, fewer at its end, between the buffer's position and its limit. Good until the next call. */
    ByteBuffer at(long offset, int bytes) throws IOException {
        if (offset < begin || offset + bytes > begin + filled) {
            fill(offset);
        }
        int first = (int) (offset - begin);
        return window.limit(Math.min(first + bytes, filled)).position(first);
    }

    private void fill(long offset) throws IOException {
        begin = offset;
        filled = 0;
        window.clear();
        while (window.hasRemaining() && in.read(window, offset + window.position()) >= 0) {
            filled = window.position();
        }
    }
}
