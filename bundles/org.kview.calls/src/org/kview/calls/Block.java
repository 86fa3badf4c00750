// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** A block of a table, and where its bytes can be read. */
record Block(BlockIndex index, MemorySegment bytes) {

    /** Blocks of a file that is mapped from its beginning. */
    static List<Block> of(MemorySegment file, List<BlockIndex> blocks) {
        return blocks.stream().map(index -> new Block(index, file.asSlice(index.at(), index.bytes()))).toList();
    }
}
