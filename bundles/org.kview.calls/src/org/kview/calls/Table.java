// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** A table that a {@link TableWriter} wrote, in memory, or in memory that a file is mapped into. Immutable. */
final class Table {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final List<Block> blocks;
    /** The first row of each block, and behind them the number of all rows. */
    private final long[] firstRows;
    private final int mostBlockRows;

    Table(List<Block> blocks) {
        this.blocks = blocks;
        firstRows = new long[blocks.size() + 1];
        int most = 0;
        for (int i = 0; i < blocks.size(); i++) {
            firstRows[i + 1] = firstRows[i] + blocks.get(i).index().rows();
            most = Math.max(most, blocks.get(i).index().rows());
        }
        mostBlockRows = most;
    }

    long rows() {
        return firstRows[blocks.size()];
    }

    int blocks() {
        return blocks.size();
    }

    int mostBlockRows() {
        return mostBlockRows;
    }

    long firstRow(int block) {
        return firstRows[block];
    }

    BlockIndex block(int block) {
        return blocks.get(block).index();
    }

    /** The least value of a column; the largest possible if there are no rows. */
    long least(int column) {
        return blocks.stream().mapToLong(block -> block.index().least()[column]).min().orElse(Long.MAX_VALUE);
    }

    /** The largest value of a column; the least possible if there are no rows. */
    long most(int column) {
        return blocks.stream().mapToLong(block -> block.index().most()[column]).max().orElse(Long.MIN_VALUE);
    }

    /** Which block a row is in. */
    int blockOf(long row) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            low = firstRows[middle] <= row ? middle : low;
            high = firstRows[middle] <= row ? high : middle - 1;
        }
        return low;
    }

    /** Reads a column of a block; {@code into} has room for it. */
    void read(int block, int column, long[] into) {
        BlockIndex index = blocks.get(block).index();
        MemorySegment bytes = blocks.get(block).bytes();
        long at = begin(index, column);
        long least = index.least()[column];
        int rows = index.rows();
        int width = index.width(column);
        switch (width) {
            case 0 -> Arrays.fill(into, 0, rows, least);
            case Byte.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    into[row] = least + (bytes.get(ValueLayout.JAVA_BYTE, at + row) & 0xffL);
                }
            }
            case Short.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    into[row] = least + (bytes.get(SHORT, at + 2L * row) & 0xffffL);
                }
            }
            case Integer.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    into[row] = least + (bytes.get(INT, at + 4L * row) & 0xffffffffL);
                }
            }
            case Long.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    into[row] = least + bytes.get(LONG, at + 8L * row);
                }
            }
            default -> {
                long mask = mask(width);
                // Eight bytes are read of each value that has so many behind it.
                int most = (int) Math.clamp(Math.floorDiv(bytes.byteSize() - at - Long.BYTES, width) + 1L, 0, rows);
                for (int row = 0; row < most; row++) {
                    into[row] = least + (bytes.get(LONG, at + (long) width * row) & mask);
                }
                for (int row = most; row < rows; row++) {
                    into[row] = least + last(bytes, at + (long) width * row, width);
                }
            }
        }
    }

    /** A single value. */
    long value(int block, int column, int row) {
        BlockIndex index = blocks.get(block).index();
        MemorySegment bytes = blocks.get(block).bytes();
        long at = begin(index, column);
        int width = index.width(column);
        return index.least()[column] + switch (width) {
            case 0 -> 0;
            case Byte.BYTES -> bytes.get(ValueLayout.JAVA_BYTE, at + row) & 0xffL;
            case Short.BYTES -> bytes.get(SHORT, at + 2L * row) & 0xffffL;
            case Integer.BYTES -> bytes.get(INT, at + 4L * row) & 0xffffffffL;
            case Long.BYTES -> bytes.get(LONG, at + 8L * row);
            default -> last(bytes, at + (long) width * row, width);
        };
    }

    private static long mask(int width) {
        return (1L << width * Byte.SIZE) - 1;
    }

    /** A value, byte by byte: nothing is read beyond it. */
    private static long last(MemorySegment bytes, long at, int width) {
        long value = 0;
        for (int i = width - 1; i >= 0; i--) {
            value = value << Byte.SIZE | bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xffL;
        }
        return value;
    }

    private static long begin(BlockIndex index, int column) {
        long at = 0;
        for (int before = 0; before < column; before++) {
            at += (long) index.width(before) * index.rows();
        }
        return at;
    }

    /** Whether the bytes of a block are those that were written. */
    boolean isWhole(int block) {
        CRC32C crc = new CRC32C();
        crc.update(blocks.get(block).bytes().asByteBuffer());
        return crc.getValue() == blocks.get(block).index().crc32();
    }
}
