// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** What was summed up beforehand for slots of 2^shift ns. */
record SlotLevel(int shift, Table table) {

    /** Looks at the rows of a block: those that there are, in each column, which the next block overwrites. */
    interface Rows {
        void look(long[][] columns, int rows);
    }

    /**
     * Reads the blocks that may tell of some slots, whole.
     *
     * @param columns    how many each row has
     * @param slotColumn which of them is the slot
     * @param up         the slots asked for are 2^up times as long
     * @param wanted     is asked before each block whether anybody still wants it
     * @throws CancellationException if it says no
     */
    void scan(int columns, int slotColumn, int up, long first, long last, BooleanSupplier wanted, Rows rows) {
        long[][] values = new long[columns][table.mostBlockRows()];
        for (int block = 0; block < table.blocks(); block++) {
            BlockIndex index = table.block(block);
            if (index.most()[slotColumn] >> up < first || index.least()[slotColumn] >> up > last) {
                continue;
            }
            if (!wanted.getAsBoolean()) {
                throw new CancellationException();
            }
            for (int column = 0; column < columns; column++) {
                table.read(block, column, values[column]);
            }
            rows.look(values, index.rows());
        }
    }
}
