// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** Where a {@link TableWriter} puts its blocks. */
interface BlockSink {

    /** Keeps the bytes of a block; returns where the block begins. */
    long put(ByteBuffer bytes) throws IOException;

    /** Appends to a file. */
    static BlockSink of(FileChannel out) {
        return bytes -> {
            long at = out.position();
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            return at;
        };
    }

    /** Keeps blocks in memory outside the heap, as mapped ones are: so reading these does not become slower. */
    final class Memory implements BlockSink {
        private final List<MemorySegment> kept = new ArrayList<>();

        @Override
        public long put(ByteBuffer bytes) {
            MemorySegment copy = Arena.ofAuto().allocate(bytes.remaining());
            copy.copyFrom(MemorySegment.ofBuffer(bytes));
            kept.add(copy);
            return 0;
        }

        /** The blocks that it keeps, with what a writer told of them. */
        List<Block> blocks(List<BlockIndex> told) {
            List<Block> blocks = new ArrayList<>();
            for (BlockIndex index : told) {
                blocks.add(new Block(index, kept.get(blocks.size())));
            }
            return blocks;
        }
    }
}
