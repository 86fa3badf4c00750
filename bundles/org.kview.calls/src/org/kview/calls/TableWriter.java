// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes a table of numbers, block by block. For each block and column the least value is kept. The block holds
 * the difference of each value from it, in as many bytes as the largest difference needs:
 *
 * <pre>
 *   column 0: rows * width   column 1: rows * width   ...      width is 0 to 8; all little-endian
 * </pre>
 *
 * So a column takes no room if it is the same in all rows. What each block holds is written behind all blocks.
 */
final class TableWriter {
    private static final int TILE_ROWS = 64;

    private final BlockSink out;
    private final int columns;
    /** Rows as they came. So few that they stay in a CPU's cache: one by one they would go to as many places as there are columns. */
    private final long[] tile;
    private final long[][] values;
    private final ByteBuffer bytes;
    private final List<BlockIndex> blocks = new ArrayList<>();
    /** In the columns, and behind these in the tile. */
    private int rows;
    private int tileRows;

    TableWriter(BlockSink out, int columns, int blockRows) {
        this.out = out;
        this.columns = columns;
        tile = new long[columns * TILE_ROWS];
        values = new long[columns][blockRows];
        bytes = ByteBuffer.allocateDirect(columns * blockRows * Long.BYTES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Adds a row. */
    void add(long[] row) throws IOException {
        System.arraycopy(row, 0, tile, columns * tileRows++, columns);
        if (tileRows == TILE_ROWS || rows + tileRows == values[0].length) {
            turn();
        }
        if (rows == values[0].length) {
            flush();
        }
    }

    /** How many more rows there can be until a block is full. */
    int room() {
        return values[0].length - rows - tileRows;
    }

    /**
     * Adds some rows that stand in columns.
     *
     * @param count no more than there is room for
     */
    void add(long[][] from, int first, int count) throws IOException {
        turn();
        for (int column = 0; column < columns; column++) {
            System.arraycopy(from[column], first, values[column], rows, count);
        }
        rows += count;
        if (rows == values[0].length) {
            flush();
        }
    }

    /** Puts the rows of the tile into the columns. */
    private void turn() {
        for (int column = 0; column < columns; column++) {
            long[] into = values[column];
            for (int row = 0; row < tileRows; row++) {
                into[rows + row] = tile[columns * row + column];
            }
        }
        rows += tileRows;
        tileRows = 0;
    }

    private void flush() throws IOException {
        if (rows > 0) {
            blocks.add(put(out));
            rows = 0;
        }
    }

    private BlockIndex put(BlockSink to) throws IOException {
        long[] least = new long[columns];
        long[] most = new long[columns];
        bytes.clear();
        for (int column = 0; column < columns; column++) {
            put(values[column], column, least, most);
        }
        bytes.flip();
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        int length = bytes.remaining();
        return new BlockIndex(to.put(bytes), length, rows, crc.getValue(), least, most);
    }

    private void put(long[] column, int index, long[] least, long[] most) {
        long low = column[0];
        long high = column[0];
        for (int row = 1; row < rows; row++) {
            low = Math.min(low, column[row]);
            high = Math.max(high, column[row]);
        }
        least[index] = low;
        most[index] = high;
        int width = BlockIndex.width(low, high);
        switch (width) {
            case 0 -> { }
            case Byte.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    bytes.put((byte) (column[row] - low));
                }
            }
            case Short.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    bytes.putShort((short) (column[row] - low));
                }
            }
            case Integer.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    bytes.putInt((int) (column[row] - low));
                }
            }
            case Long.BYTES -> {
                for (int row = 0; row < rows; row++) {
                    bytes.putLong(column[row] - low);
                }
            }
            default -> {
                // What is written beyond a value is overwritten by the next one; the buffer has room for eight bytes a value.
                int at = bytes.position();
                for (int row = 0; row < rows; row++) {
                    bytes.putLong(at + row * width, column[row] - low);
                }
                bytes.position(at + rows * width);
            }
        }
    }

    /** The blocks that were written so far, and behind them the rows that wait for more. */
    record SoFar(List<BlockIndex> written, List<Block> waiting) {
    }

    /**
     * What there is before it is {@link #finish finished}: rows that wait for others are copied, and wait on.
     *
     * @param more rows that are to come
     */
    SoFar soFar(List<long[]> more) throws IOException {
        turn();
        BlockSink.Memory copies = new BlockSink.Memory();
        List<BlockIndex> told = new ArrayList<>();
        if (rows > 0) {
            told.add(put(copies));
        }
        if (!more.isEmpty()) {
            TableWriter others = new TableWriter(copies, columns, Math.min(more.size(), values[0].length));
            for (long[] row : more) {
                others.add(row);
            }
            told.addAll(others.finish());
        }
        return new SoFar(blocks, copies.blocks(told));
    }

    /** Writes the rows that are left, and tells what each block holds. */
    List<BlockIndex> finish() throws IOException {
        turn();
        flush();
        return List.copyOf(blocks);
    }
}
