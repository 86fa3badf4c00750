// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.List;
import java.util.function.Supplier;

/** Goes through the calls of a store of which several conditions are true. Immutable. */
public final class CallScan {
    private final CallStore store;
    private final Supplier<List<Condition>> conditions;

    /** Hears of calls, in the order of their ends. */
    @FunctionalInterface
    public interface Visitor<E extends Exception> {
        /**
         * @param rows  the first {@code count} of them are those of the block that are wanted, ascending; good until this returns
         * @return whether to go on
         */
        boolean calls(CallBlock block, int[] rows, int count) throws E;
    }

    public CallScan(CallStore store, List<Condition> conditions) {
        this(store, () -> conditions);
    }

    /** @param conditions asked for anew before each block, because they may become stricter while calls are found */
    public CallScan(CallStore store, Supplier<List<Condition>> conditions) {
        this.store = store;
        this.conditions = conditions;
    }

    /** Tells of the calls; returns whether it came to the end. */
    public <E extends Exception> boolean each(Visitor<E> visitor) throws E {
        Table table = store.table();
        int[] rows = new int[table.mostBlockRows()];
        for (int block = 0; block < table.blocks(); block++) {
            List<Condition> wanted = conditions.get();
            BlockIndex index = table.block(block);
            if (!wanted.stream().allMatch(condition -> condition.isPossible(index.least()[condition.field().ordinal()],
                    index.most()[condition.field().ordinal()]))) {
                continue;
            }
            CallBlock calls = new CallBlock(store, block);
            int count = choose(calls, index, wanted, rows);
            if (count > 0 && !visitor.calls(calls, rows, count)) {
                return false;
            }
        }
        return true;
    }

    private static int choose(CallBlock calls, BlockIndex index, List<Condition> wanted, int[] rows) {
        int count = index.rows();
        for (int row = 0; row < count; row++) {
            rows[row] = row;
        }
        for (Condition condition : wanted) {
            int column = condition.field().ordinal();
            if (!condition.isCertain(index.least()[column], index.most()[column])) {
                long[] values = calls.column(condition.field());
                int kept = 0;
                for (int i = 0; i < count; i++) {
                    rows[kept] = rows[i];
                    kept += condition.holds(values[rows[i]]) ? 1 : 0;
                }
                count = kept;
            }
        }
        return count;
    }
}
