// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import org.kview.session.parquet.Column.Kind;

/**
 * What a column has in the rows that are to be written together. In the file, that is one page, compressed as a whole:
 *
 * <pre>
 *   page header | which rows have a value: length, 4 bytes; groups of 8 rows &lt;&lt; 1 | 1; a bit a row   (optional columns)
 *               | values: 8 bytes each, or a length of 4 bytes and UTF-8; little-endian
 * </pre>
 */
final class ColumnBuffer<R> {
    static final int GZIP = 2;
    static final int INT64 = 2;
    static final int BYTE_ARRAY = 6;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int FIRST_BYTES = 256;

    private final Column<R> column;
    private ByteBuffer values = allocate(FIRST_BYTES);
    private BitSet present = new BitSet();
    private int rows;
    private int absent;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;
    /** Most texts are as in the row before. */
    private String lastText = "";
    private byte[] lastBytes = new byte[0];

    ColumnBuffer(Column<R> column) {
        this.column = column;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int type(Column<?> column) {
        return column.kind() == Kind.TEXT ? BYTE_ARRAY : INT64;
    }

    /** How many bytes its values have. */
    int bytes() {
        return values.position();
    }

    void add(R row) {
        boolean has = column.kind() == Kind.TEXT ? text(column.text().apply(row)) : number(column.number().applyAsLong(row));
        if (has) {
            present.set(rows);
        } else {
            absent++;
        }
        rows++;
    }

    private boolean number(long value) {
        if (column.optional() && value == Column.ABSENT) {
            return false;
        }
        room(Long.BYTES).putLong(value);
        least = Math.min(least, value);
        most = Math.max(most, value);
        return true;
    }

    private boolean text(String value) {
        if (column.optional() && value.isEmpty()) {
            return false;
        }
        if (!value.equals(lastText)) {
            lastText = value;
            lastBytes = value.getBytes(StandardCharsets.UTF_8);
        }
        room(Integer.BYTES + lastBytes.length).putInt(lastBytes.length).put(lastBytes);
        return true;
    }

    private ByteBuffer room(int bytes) {
        if (values.remaining() < bytes) {
            values = allocate(Math.addExact(values.position(), Math.max(bytes, values.position()))).put(values.flip());
        }
        return values;
    }

    /**
     * Writes the page, and forgets what it had.
     *
     * @param at where in the file
     * @return what the file has to say of it: a {@code ColumnChunk}
     */
    Chunk write(OutputStream out, long at) throws IOException {
        byte[] page = page();
        byte[] compressed = compressed(page);
        CRC32 sum = new CRC32();
        sum.update(compressed);
        byte[] header = new ThriftStruct().i32(1, 0).i32(2, page.length).i32(3, compressed.length).i32(4, (int) sum.getValue())
                .struct(5, new ThriftStruct().i32(1, rows).i32(2, PLAIN).i32(3, RLE).i32(4, RLE)).bytes();
        out.write(header);
        out.write(compressed);
        long bytes = header.length + (long) compressed.length;
        long uncompressed = header.length + (long) page.length;
        ThriftStruct about = new ThriftStruct().i32(1, type(column)).i32s(2, PLAIN, RLE).texts(3, List.of(column.name())).i32(4, GZIP)
                .i64(5, rows).i64(6, uncompressed).i64(7, bytes).i64(9, at).struct(12, statistics());
        clear();
        return new Chunk(new ThriftStruct().i64(2, at).struct(3, about), bytes, uncompressed);
    }

    /** A column's page in the file. */
    record Chunk(ThriftStruct description, long bytes, long uncompressedBytes) {
    }

    private byte[] page() {
        byte[] known = column.optional() ? presence() : new byte[0];
        byte[] page = Arrays.copyOf(known, known.length + values.position());
        values.get(0, page, known.length, values.position());
        return page;
    }

    private byte[] presence() {
        int groups = (rows + Byte.SIZE - 1) / Byte.SIZE;
        ByteArrayOutputStream run = new ByteArrayOutputStream();
        for (int rest = groups << 1 | 1; rest != 0; rest >>>= 7) {
            run.write(rest & 0x7f | (rest > 0x7f ? 0x80 : 0));
        }
        // Byte by byte from the lowest bit, as Parquet has it.
        run.writeBytes(Arrays.copyOf(present.toByteArray(), groups));
        return allocate(Integer.BYTES + run.size()).putInt(run.size()).put(run.toByteArray()).array();
    }

    private static byte[] compressed(byte[] page) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(Math.max(FIRST_BYTES, page.length / 8));
        try (GZIPOutputStream out = new FastGzip(compressed)) {
            out.write(page);
        } catch (IOException e) {
            // Memory has no such errors.
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private ThriftStruct statistics() {
        ThriftStruct statistics = new ThriftStruct().i64(3, absent);
        return column.kind() == Kind.TEXT || absent == rows ? statistics
                : statistics.binary(5, allocate(Long.BYTES).putLong(most).array()).binary(6, allocate(Long.BYTES).putLong(least).array());
    }

    private void clear() {
        values = allocate(FIRST_BYTES);
        present = new BitSet();
        rows = 0;
        absent = 0;
        least = Long.MAX_VALUE;
        most = Long.MIN_VALUE;
    }
}
