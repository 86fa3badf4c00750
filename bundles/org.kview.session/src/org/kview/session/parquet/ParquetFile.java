// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.kview.session.parquet.Column.Kind;
import org.kview.session.parquet.ColumnBuffer.Chunk;

/**
 * A file of a table. Rows are kept until some of them are written together; the file is open only then, as a table may have more
 * files than a process may have open. Without its end, which is written last, no reader takes it for a whole one.
 *
 * <pre>
 *   PAR1 | rows: a page of each column | further rows ... | FileMetaData | its length, 4 bytes | PAR1
 * </pre>
 *
 * The numbers of fields are those of {@code parquet.thrift}.
 *
 * @param <R> what a row is made of
 */
public final class ParquetFile<R> {
    /** Each column of so many is decoded at once. */
    private static final int MOST_ROWS = 1 << 17;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final String WRITER = "Kview Workbench";

    private final ParquetFolder folder;
    private final Path file;
    private final List<Column<R>> columns;
    private final List<ColumnBuffer<R>> buffers;
    /** The descriptions of what was written. */
    private final ByteArrayOutputStream groups = new ByteArrayOutputStream();
    private int groupCount;
    private int rows;
    private long writtenRows;
    private long position;
    private long keptBytes;

    ParquetFile(ParquetFolder folder, Path file, List<Column<R>> columns) {
        this.folder = folder;
        this.file = file;
        this.columns = List.copyOf(columns);
        buffers = columns.stream().map(column -> new ColumnBuffer<>(column)).toList();
    }

    /** Adds a row. */
    public void add(R row) throws IOException {
        long bytes = 0;
        for (ColumnBuffer<R> buffer : buffers) {
            buffer.add(row);
            bytes += buffer.bytes();
        }
        rows++;
        long more = bytes - keptBytes;
        keptBytes = bytes;
        folder.keeps(more);
        if (rows == MOST_ROWS) {
            write();
        }
    }

    /** How many bytes it keeps. */
    long keptBytes() {
        return keptBytes;
    }

    /** Writes the rows that it keeps: one page a column. */
    void write() throws IOException {
        if (rows == 0) {
            return;
        }
        if (position == 0) {
            Files.createDirectories(file.getParent());
            Files.write(file, MAGIC, StandardOpenOption.CREATE_NEW);
            position = MAGIC.length;
        }
        long begin = position;
        long uncompressed = 0;
        List<ThriftStruct> chunks = new ArrayList<>();
        try (OutputStream out = append()) {
            for (ColumnBuffer<R> buffer : buffers) {
                Chunk chunk = buffer.write(out, position);
                chunks.add(chunk.description());
                position += chunk.bytes();
                uncompressed += chunk.uncompressedBytes();
            }
        }
        groups.writeBytes(new ThriftStruct().structs(1, chunks).i64(2, uncompressed).i64(3, rows).i64(5, begin)
                .i64(6, position - begin).bytes());
        groupCount++;
        writtenRows += rows;
        rows = 0;
        folder.wrote(keptBytes);
        keptBytes = 0;
    }

    private OutputStream append() throws IOException {
        return new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.APPEND), 1 << 16);
    }

    /**
     * Writes the rest, and the end; a file without rows is not made.
     *
     * @param metadata what is said of the file, by name
     */
    void finish(Map<String, String> metadata) throws IOException {
        write();
        if (writtenRows == 0) {
            return;
        }
        List<ThriftStruct> said = metadata.entrySet().stream()
                .map(each -> new ThriftStruct().text(1, each.getKey()).text(2, each.getValue())).toList();
        // Least and largest values are those in the order of the column's type.
        List<ThriftStruct> orders = columns.stream().map(_ -> new ThriftStruct().struct(1, new ThriftStruct())).toList();
        byte[] end = new ThriftStruct().i32(1, 1).structs(2, schema()).i64(3, writtenRows)
                .structs(4, groupCount, groups.toByteArray()).structs(5, said).text(6, WRITER).structs(7, orders).bytes();
        try (OutputStream out = append()) {
            out.write(end);
            out.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(end.length).array());
            out.write(MAGIC);
        }
    }

    private List<ThriftStruct> schema() {
        List<ThriftStruct> schema = new ArrayList<>();
        schema.add(new ThriftStruct().text(4, "schema").i32(5, columns.size()));
        for (Column<R> column : columns) {
            ThriftStruct element = new ThriftStruct().i32(1, ColumnBuffer.type(column)).i32(3, column.optional() ? 1 : 0)
                    .text(4, column.name());
            if (column.kind() != Kind.NUMBER) {
                int converted = column.kind() == Kind.TEXT ? 0 : 10;
                element.i32(6, converted).struct(10, logicalType(column.kind()));
            }
            schema.add(element);
        }
        return schema;
    }

    private static ThriftStruct logicalType(Kind kind) {
        ThriftStruct micros = new ThriftStruct().struct(2, new ThriftStruct());
        return kind == Kind.TEXT ? new ThriftStruct().struct(1, new ThriftStruct())
                : new ThriftStruct().struct(8, new ThriftStruct().flag(1, true).struct(2, micros));
    }
}
