// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/**
 * Some thousand calls that follow each other in a store. A column is read when it is first asked for. To be used by one
 * thread.
 */
public final class CallBlock {
    private static final CallField[] FIELDS = CallField.values();
    private static final int CAUSE_BITS = 4;
    private static final int CAUSE_MASK = (1 << CAUSE_BITS) - 1;
    private static final CallField[] CAUSE_FIELDS = Metric.CAUSES.stream().map(CallField::of).toArray(CallField[]::new);
    private static final int[] CAUSE_INDEX = Arrays.stream(Metric.values()).mapToInt(Metric.CAUSES::indexOf).toArray();
    private static final Cause[] CAUSES = Metric.CAUSES.stream().map(cause -> new Cause(cause.id())).toArray(Cause[]::new);

    private final CallStore store;
    private int block;
    /** They are used again for the next block. */
    private final long[][] columns = new long[FIELDS.length][];
    private final boolean[] read = new boolean[FIELDS.length];

    CallBlock(CallStore store) {
        this.store = store;
    }

    /** From now on it is another one. */
    void move(int next) {
        block = next;
        Arrays.fill(read, false);
    }

    int rows() {
        return store.table().block(block).rows();
    }

    /** The first call's row in the store. */
    public long firstRow() {
        return store.table().firstRow(block);
    }

    /** A column; what is behind the last row means nothing. */
    long[] column(CallField field) {
        int column = field.ordinal();
        if (!read[column]) {
            if (columns[column] == null) {
                columns[column] = new long[store.table().mostBlockRows()];
            }
            store.table().read(block, column, columns[column]);
            read[column] = true;
        }
        return columns[column];
    }

    /** @param row counted from that of the block's first call */
    public long value(CallField field, int row) {
        return column(field)[row];
    }

    /** Likewise, a call as the trace told of it. */
    public Call call(int row) {
        return call(store, field -> column(field)[row]);
    }

    static Call call(CallStore store, ToLongFunction<CallField> value) {
        long begin = value.applyAsLong(CallField.BEGIN);
        long startCpu = value.applyAsLong(CallField.START_CPU);
        long parent = value.applyAsLong(CallField.PARENT_FUNCTION);
        long waker = value.applyAsLong(CallField.WAKER_TID);
        return new Call(begin, value.applyAsLong(CallField.END), startCpu == 0 ? OptionalInt.empty() : OptionalInt.of((int) startCpu - 1),
                (int) value.applyAsLong(CallField.CPU),
                new Call.Caller(value.applyAsLong(CallField.TID), store.text(value.applyAsLong(CallField.THREAD))),
                value.applyAsLong(CallField.FUNCTION), value.applyAsLong(CallField.DEPTH),
                parent == 0 ? Optional.empty() : Optional.of(new Call.Parent(parent - 1, begin - value.applyAsLong(CallField.PARENT_AGO))),
                new Call.Times(value.applyAsLong(CallField.WALL), value.applyAsLong(CallField.ON_CPU), causes(value), value.applyAsLong(CallField.UNKNOWN)),
                waker == 0 ? Optional.empty() : Optional.of(new Call.Waker(waker - 1, store.text(value.applyAsLong(CallField.WAKER)))));
    }

    private static List<CauseTime> causes(ToLongFunction<CallField> value) {
        long named = value.applyAsLong(CallField.NAMED_CAUSES);
        if (named == 0) {
            return List.of();
        }
        if (named <= CAUSE_MASK) {
            return List.of(cause((int) named - 1, value));
        }
        List<CauseTime> causes = new ArrayList<>(2);
        for (; named != 0; named >>>= CAUSE_BITS) {
            causes.add(cause((int) (named & CAUSE_MASK) - 1, value));
        }
        return causes;
    }

    private static CauseTime cause(int index, ToLongFunction<CallField> value) {
        return new CauseTime(CAUSES[index], value.applyAsLong(CAUSE_FIELDS[index]));
    }

    /** Writes a call into columns, in a row that may hold another one. */
    static void put(Call call, TextIds texts, long[][] columns, int row) throws StoreException {
        columns[CallField.END.ordinal()][row] = call.endNanos();
        columns[CallField.BEGIN.ordinal()][row] = call.beginNanos();
        columns[CallField.WALL.ordinal()][row] = call.wallNanos();
        columns[CallField.ON_CPU.ordinal()][row] = call.onCpuNanos();
        for (CallField field : CAUSE_FIELDS) {
            columns[field.ordinal()][row] = 0;
        }
        long named = 0;
        int bits = 0;
        for (CauseTime time : call.causes()) {
            int index = causeIndex(time.cause());
            columns[CAUSE_FIELDS[index].ordinal()][row] = time.nanos();
            named |= (index + 1L) << bits;
            bits += CAUSE_BITS;
        }
        columns[CallField.NAMED_CAUSES.ordinal()][row] = named;
        columns[CallField.UNKNOWN.ordinal()][row] = call.unknownNanos();
        columns[CallField.MAIN_PART.ordinal()][row] = call.mainPart().ordinal();
        columns[CallField.FUNCTION.ordinal()][row] = call.function();
        columns[CallField.TID.ordinal()][row] = call.tid();
        columns[CallField.THREAD.ordinal()][row] = texts.of(call.thread(), call.tid());
        columns[CallField.DEPTH.ordinal()][row] = call.depth();
        columns[CallField.CPU.ordinal()][row] = call.cpu();
        columns[CallField.START_CPU.ordinal()][row] = call.startCpu().isPresent() ? call.startCpu().getAsInt() + 1L : 0;
        boolean hasParent = call.parent().isPresent();
        columns[CallField.PARENT_FUNCTION.ordinal()][row] = hasParent ? call.parent().get().function() + 1 : 0;
        columns[CallField.PARENT_AGO.ordinal()][row] = hasParent ? call.beginNanos() - call.parent().get().beginNanos() : 0;
        columns[CallField.WAKER_TID.ordinal()][row] = call.waker().isPresent() ? call.waker().get().tid() + 1 : 0;
        columns[CallField.WAKER.ordinal()][row] = call.waker().isPresent() ? texts.of(call.waker().get().name(), call.waker().get().tid()) : 0;
    }

    private static int causeIndex(Cause cause) {
        if (cause.metric().isEmpty()) {
            throw new IllegalArgumentException("A call names only causes that this version knows: " + cause.label());
        }
        return CAUSE_INDEX[cause.metric().get().ordinal()];
    }
}
