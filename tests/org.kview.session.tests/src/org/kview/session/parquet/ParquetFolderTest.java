// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables as DuckDB reads them. */
class ParquetFolderTest {
    /** In each third of them there is nothing where there may be nothing. */
    private static final List<Column<Integer>> COLUMNS = List.of(
            Column.number("number_ns", row -> row % 2 == 0 ? row : -1_000_000_007L * row),
            Column.optionalNumber("perhaps", row -> row % 3 == 0 ? Column.ABSENT : row),
            Column.text("text", row -> "größe " + row % 7),
            Column.optionalText("perhaps_text", row -> row % 3 == 0 ? "" : "t" + row),
            Column.moment("moment", row -> 1_700_000_000_000_000_999L + row * 1_000L));

    @TempDir
    private Path folder;
    private DuckDb duckDb;

    @BeforeEach
    void open() throws Exception {
        duckDb = new DuckDb();
    }

    @AfterEach
    void close() throws Exception {
        duckDb.close();
    }

    /** Row i of n goes to the file i % files. */
    private void write(int rows, int files, long keptBytes) throws IOException {
        ParquetFolder tables = new ParquetFolder(folder, keptBytes);
        List<ParquetFile<Integer>> all = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            all.add(tables.file("t", List.of(ParquetFolder.partition("part", "p" + i)), "f", COLUMNS));
        }
        for (int i = 0; i < rows; i++) {
            all.get(i % files).add(i);
        }
        tables.finish(Map.of("about", "größe\nof all"));
    }

    private String table() {
        return "read_parquet('" + folder + "/t/*/*.parquet')";
    }

    /** All rows are there, as they were written, each in its part. */
    private void assertHasAll(int rows, int files) throws Exception {
        assertThat(duckDb.rows("SELECT n, number_ns, perhaps, text, perhaps_text, epoch_us(moment), part FROM (SELECT *,"
                + " CASE WHEN number_ns < 0 THEN -number_ns // 1000000007 ELSE number_ns END AS n FROM " + table() + ") ORDER BY n"))
                .isEqualTo(IntStream.range(0, rows).mapToObj(row -> {
                    List<Object> expected = new ArrayList<>();
                    expected.add((long) row);
                    expected.add(row % 2 == 0 ? (long) row : -1_000_000_007L * row);
                    expected.add(row % 3 == 0 ? null : (Object) (long) row);
                    expected.add("größe " + row % 7);
                    expected.add(row % 3 == 0 ? null : "t" + row);
                    expected.add(1_700_000_000_000_000L + row);
                    expected.add("p" + row % files);
                    return expected;
                }).toList());
    }

    @Test
    void allRowsAreReadAsTheyWereWritten() throws Exception {
        write(1000, 3, Long.MAX_VALUE);
        assertHasAll(1000, 3);
        assertThat(duckDb.rows("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + table() + ")").stream()
                .map(row -> row.get(0) + " " + row.get(1)).toList()).containsExactly("number_ns BIGINT", "perhaps BIGINT", "text VARCHAR",
                        "perhaps_text VARCHAR", "moment TIMESTAMP WITH TIME ZONE", "part VARCHAR");
        assertThat(duckDb.rows("SELECT DISTINCT decode(key), decode(value) FROM parquet_kv_metadata('" + folder + "/t/*/*.parquet')"))
                .containsExactly(List.of("about", "größe\nof all"));
    }

    /** With little memory the files are written in many pieces, and say the same. */
    @Test
    void littleIsKeptInMemory() throws Exception {
        write(3000, 3, 2_000);
        assertHasAll(3000, 3);
        assertThat((Long) duckDb.value("SELECT min(num_row_groups) FROM parquet_file_metadata('" + folder + "/t/*/*.parquet')"))
                .isGreaterThan(10);
    }

    /** A large file has several pieces, and what a condition rules out by their least and largest values is not what it asks for. */
    @Test
    void largeFilesAreWrittenInPieces() throws Exception {
        int rows = 300_000;
        write(rows, 1, Long.MAX_VALUE);
        assertThat(duckDb.rows("SELECT count(*), count(perhaps), sum(perhaps), count(perhaps_text), max(perhaps) FROM " + table()).toString())
                .isEqualTo("[[300000, 200000, 30000000000, 200000, 299999]]");
        assertThat(duckDb.rows("SELECT number_ns, text FROM " + table() + " WHERE number_ns = 250000 OR perhaps = 2"))
                .containsExactlyInAnyOrder(List.of(250_000L, "größe " + 250_000 % 7), List.of(2L, "größe 2"));
        assertThat(duckDb.rows("SELECT row_group_id, row_group_num_rows, stats_min_value, stats_max_value, stats_null_count"
                + " FROM parquet_metadata('" + folder + "/t/*/*.parquet') WHERE path_in_schema = 'perhaps' ORDER BY 1").toString())
                .isEqualTo("[[0, 131072, 1, 131071, 43691], [1, 131072, 131072, 262142, 43691], [2, 37856, 262144, 299999, 12618]]");
    }

    @Test
    void aTableWithoutRowsHasNoFiles() throws Exception {
        write(1, 3, Long.MAX_VALUE);
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(folder.resolve("t/part=p0/f.parquet"));
        }
    }

    /** What stands in folders' names are the values, whatever these are. */
    @Test
    void folderNamesAreReadBack() throws Exception {
        String far = "f".repeat(199);
        List<Object> names = List.of("../../etc", "std::vector<int, std::allocator<int> >::push_back(int const&)", "prüfe_100%", "a=b/c",
                "kernel:vfs_read", "+ %41 &;'\"\\*?", ".", far + "x");
        ParquetFolder tables = new ParquetFolder(folder);
        for (Object name : names) {
            tables.file("t", List.of(ParquetFolder.partition("function", (String) name)), "f", COLUMNS).add(1);
        }
        tables.finish(Map.of());
        assertThat(duckDb.rows("SELECT function FROM " + table()).stream().map(List::getFirst).toList())
                .containsExactlyInAnyOrderElementsOf(names);
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactly(folder.resolve("t"));
        }
    }

    @Test
    void longNamesStayApart() throws Exception {
        String shared = "größe::".repeat(100);
        ParquetFolder tables = new ParquetFolder(folder);
        for (String name : List.of(shared + "a", shared + "b", "")) {
            tables.file("t", List.of(ParquetFolder.partition("function", name)), "f", COLUMNS).add(1);
        }
        tables.finish(Map.of());
        List<Object> functions = duckDb.rows("SELECT function FROM " + table() + " ORDER BY 1 NULLS FIRST").stream().map(List::getFirst).toList();
        assertThat(functions).hasSize(3).doesNotHaveDuplicates();
        assertThat(functions.getFirst()).isNull();
        assertThat(functions.subList(1, 3)).allSatisfy(name -> assertThat((String) name).matches("(größe::)+[größe:]*~[0-9a-f]{8}"));
    }
}
