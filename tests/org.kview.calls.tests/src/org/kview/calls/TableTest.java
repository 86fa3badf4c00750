// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

/** What was written is read, in however many bytes. */
class TableTest {
    private final Random random = new Random(3);

    /** The last column of a block has nothing behind it that could be read with it. */
    @Test
    void eachWidthHoldsItsValuesInFewRowsAndInMany() throws Exception {
        for (int rows : new int[] {1, 2, 3, 7, 100}) {
            for (int bits = 0; bits <= Long.SIZE; bits++) {
                assertRead(rows, bits);
            }
            assertRead(rows, IntStream.rangeClosed(0, Long.SIZE).toArray());
        }
    }

    /** @param bits of each column: so many have its values above their least one */
    private void assertRead(int rows, int... bits) throws Exception {
        BlockSink.Memory sink = new BlockSink.Memory();
        TableWriter writer = new TableWriter(sink, bits.length, 100);
        long[][] written = new long[rows][bits.length];
        for (long[] row : written) {
            Arrays.setAll(row, column -> (bits[column] == 0 ? 0 : random.nextLong() >>> Long.SIZE - bits[column]) - bits[column]);
            writer.add(row);
        }
        Table table = new Table(sink.blocks(writer.finish()));
        assertThat(table.isWhole(0)).isTrue();
        assertThat(table.block(0).isPlausible(Long.MAX_VALUE / 2, rows)).isTrue();
        long[] read = new long[rows];
        for (int column = 0; column < bits.length; column++) {
            table.read(0, column, read);
            for (int row = 0; row < rows; row++) {
                assertThat(read[row]).as("row %d of %d bits", row, bits[column]).isEqualTo(written[row][column]);
                assertThat(table.value(0, column, row)).isEqualTo(written[row][column]);
            }
        }
    }
}
