// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Tables whose files are in folders by the values of some columns, as Hive has it: {@code calls/host=vm/function=read/0-3.parquet}.
 * These columns are in no file. Of all files together only so many bytes are kept in memory. For one thread.
 */
public final class ParquetFolder {
    private static final long MOST_BYTES = 96L << 20;
    /** A file's name has 255 bytes at most. */
    private static final int MOST_NAME = 200;
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    private static final String NOTHING = "__HIVE_DEFAULT_PARTITION__";

    private final Path folder;
    private final long mostBytes;
    private final List<ParquetFile<?>> files = new ArrayList<>();
    private long keptBytes;

    public ParquetFolder(Path folder) {
        this(folder, MOST_BYTES);
    }

    ParquetFolder(Path folder, long mostBytes) {
        this.folder = folder;
        this.mostBytes = mostBytes;
    }

    /**
     * A new file, which is made as soon as it has rows.
     *
     * @param table  the folder of its table
     * @param values of the columns that are in no file, {@link #partition}
     * @param name   its own, without the suffix
     */
    public <R> ParquetFile<R> file(String table, List<String> values, String name, List<Column<R>> columns) {
        Path in = folder.resolve(table);
        for (String value : values) {
            in = in.resolve(value);
        }
        ParquetFile<R> file = new ParquetFile<>(this, in.resolve(name + ".parquet"), columns);
        files.add(file);
        return file;
    }

    /**
     * The folder of a column's value. Letters, digits and {@code _-.} stand for themselves, other bytes of UTF-8 are {@code %XX},
     * which readers undo. A value that is too long ends with a {@code ~} and eight digits that are its own.
     *
     * @param value empty: nothing
     */
    public static String partition(String column, String value) {
        String name = encoded(value);
        if (name.length() > MOST_NAME) {
            int end = name.length();
            int kept = value.length();
            while (end > MOST_NAME) {
                kept = value.offsetByCodePoints(kept, -1);
                end -= encoded(value.substring(kept, value.offsetByCodePoints(kept, 1))).length();
            }
            CRC32 sum = new CRC32();
            sum.update(value.getBytes(StandardCharsets.UTF_8));
            name = encoded(value.substring(0, kept)) + "~%08x".formatted(sum.getValue());
        }
        return column + "=" + (name.isEmpty() ? NOTHING : name);
    }

    private static String encoded(String value) {
        StringBuilder name = new StringBuilder(value.length());
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            if (PLAIN.indexOf(each) >= 0) {
                name.append((char) each);
            } else {
                name.append("%%%02X".formatted(each & 0xff));
            }
        }
        return name.toString();
    }

    /** A file keeps more; perhaps one has to write what it keeps. */
    void keeps(long more) throws IOException {
        keptBytes += more;
        if (keptBytes > mostBytes) {
            files.stream().max(Comparator.comparingLong(ParquetFile::keptBytes)).orElseThrow().write();
        }
    }

    void wrote(long bytes) {
        keptBytes -= bytes;
    }

    /**
     * Writes what is kept, and the ends of all files.
     *
     * @param metadata what is said of each of them, by name
     */
    public void finish(Map<String, String> metadata) throws IOException {
        for (ParquetFile<?> file : files) {
            file.finish(metadata);
        }
    }
}
