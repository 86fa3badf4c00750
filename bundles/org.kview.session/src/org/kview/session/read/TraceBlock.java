// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import org.kview.session.format.Allowance;

/** A piece of a stream file in memory; what is in it already is not read again. One for all files of a trace. */
final class TraceBlock {
    private static final int BYTES = 1 << 18;

    /** As long as what was read so far needed: most streams of a short recording are much shorter than {@link #BYTES}. */
    private ByteBuffer block = ByteBuffer.allocate(0);
    private final Allowance allowance;
    private FileChannel from;
    private long at;

    TraceBlock(Allowance allowance) {
        this.allowance = allowance;
    }

    /** The longest piece. */
    int capacity() {
        return BYTES;
    }

    /**
     * Bytes of a file; fewer at its end. Good until the next call.
     *
     * @param ahead how many more are likely to be asked for, with these
     */
    ByteBuffer read(FileChannel file, long begin, int bytes, int ahead) throws IOException {
        boolean here = file == from && begin >= at && begin + bytes <= at + block.limit();
        if (!here) {
            fill(file, begin, bytes, Math.max(bytes, ahead));
        }
        int offset = (int) (begin - at);
        return block.slice(offset, Math.min(bytes, block.limit() - offset));
    }

    private void fill(FileChannel file, long begin, int least, int most) throws IOException {
        from = file;
        at = begin;
        int length = (int) Math.min(Math.min(most, BYTES), Math.max(least, file.size() - begin));
        if (length > block.capacity()) {
            block = ByteBuffer.allocateDirect(length);
        }
        block.clear().limit(length);
        while (block.position() < least) {
            int read = file.read(block, begin + block.position());
            if (read < 0) {
                break;
            }
            allowance.read(read);
        }
        block.flip();
    }
}
