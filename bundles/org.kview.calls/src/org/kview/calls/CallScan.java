// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Goes through the calls of a store of which several conditions are true. Immutable. */
public final class CallScan {
    private final CallStore store;
    private final Supplier<List<Condition>> conditions;
    private final BooleanSupplier wanted;

    /** Hears of calls, in the order of their ends. */
    @FunctionalInterface
    public interface Visitor<E extends Exception> {
        /**
         * @param block good until this returns, as the rows are
         * @param rows  the first {@code count} of them are those of the block that are wanted, ascending; not to be changed
         * @return whether to go on
         */
        boolean calls(CallBlock block, int[] rows, int count) throws E;
    }

    public CallScan(CallStore store, List<Condition> conditions) {
        this(store, conditions, () -> true);
    }

    /** @param wanted asked before each block: whether to go on */
    public CallScan(CallStore store, List<Condition> conditions, BooleanSupplier wanted) {
        this(store, () -> conditions, wanted);
    }

    /** @param conditions asked for anew before each block, because they may become stricter while calls are found */
    public CallScan(CallStore store, Supplier<List<Condition>> conditions) {
        this(store, conditions, () -> true);
    }

    CallScan(CallStore store, Supplier<List<Condition>> conditions, BooleanSupplier wanted) {
        this.store = store;
        this.conditions = conditions;
        this.wanted = wanted;
    }

    /**
     * Tells of the calls; returns whether it came to the end.
     *
     * @throws CancellationException if they are not wanted any more
     */
    public <E extends Exception> boolean each(Visitor<E> visitor) throws E {
        Table table = store.table();
        int[] all = new int[table.mostBlockRows()];
        Arrays.setAll(all, row -> row);
        int[] some = new int[all.length];
        CallBlock calls = new CallBlock(store);
        for (int block = 0; block < table.blocks(); block++) {
            if (!wanted.getAsBoolean()) {
                throw new CancellationException();
            }
            List<Condition> conditionsNow = conditions.get();
            BlockIndex index = table.block(block);
            if (!conditionsNow.stream().allMatch(condition -> condition.isPossible(index.least()[condition.field().ordinal()],
                    index.most()[condition.field().ordinal()]))) {
                continue;
            }
            calls.move(block);
            int[] rows = all;
            int count = index.rows();
            for (Condition condition : conditionsNow) {
                int column = condition.field().ordinal();
                if (!condition.isCertain(index.least()[column], index.most()[column])) {
                    count = condition.choose(calls.column(condition.field()), rows, count, some);
                    rows = some;
                }
            }
            if (count > 0 && !visitor.calls(calls, rows, count)) {
                return false;
            }
        }
        return true;
    }
}
