// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/** Calls as bytes, for a file that only this process reads. */
final class RowCodec {
    private static final int UNKNOWN = -1;
    private static final Map<String, Byte> CAUSE_BYTES = new HashMap<>();

    static {
        Metric.CAUSES.forEach(cause -> CAUSE_BYTES.put(cause.id(), (byte) cause.ordinal()));
    }

    private static final Metric[] METRICS = Metric.values();
    private static final Cause[] CAUSES = new Cause[METRICS.length];

    static {
        Metric.CAUSES.forEach(cause -> CAUSES[cause.ordinal()] = new Cause(cause.id()));
    }

    private final List<CallHost> hosts;

    RowCodec(List<CallHost> hosts) {
        this.hosts = hosts;
    }

    static void write(CallRow row, DataOutput out) throws IOException {
        Call call = row.call();
        out.writeInt(row.host().index());
        out.writeLong(call.beginNanos());
        out.writeLong(call.endNanos());
        out.writeInt(call.startCpu().orElse(UNKNOWN));
        out.writeInt(call.cpu());
        out.writeLong(call.tid());
        out.writeUTF(call.thread());
        out.writeLong(call.function());
        out.writeLong(call.depth());
        out.writeBoolean(call.parent().isPresent());
        if (call.parent().isPresent()) {
            out.writeLong(call.parent().get().function());
            out.writeLong(call.parent().get().beginNanos());
        }
        out.writeLong(call.wallNanos());
        out.writeLong(call.onCpuNanos());
        out.writeByte(call.causes().size());
        for (CauseTime time : call.causes()) {
            out.writeByte(CAUSE_BYTES.get(time.cause().label()));
            out.writeLong(time.nanos());
        }
        out.writeLong(call.unknownNanos());
        out.writeBoolean(call.waker().isPresent());
        if (call.waker().isPresent()) {
            out.writeLong(call.waker().get().tid());
            out.writeUTF(call.waker().get().name());
        }
    }

    CallRow read(DataInput in) throws IOException {
        CallHost host = hosts.get(in.readInt());
        long begin = in.readLong();
        long end = in.readLong();
        int startCpu = in.readInt();
        int cpu = in.readInt();
        long tid = in.readLong();
        String thread = in.readUTF();
        long function = in.readLong();
        long depth = in.readLong();
        Optional<Call.Parent> parent = in.readBoolean() ? Optional.of(new Call.Parent(in.readLong(), in.readLong()))
                : Optional.empty();
        long wall = in.readLong();
        long onCpu = in.readLong();
        int count = in.readByte();
        List<CauseTime> causes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            causes.add(new CauseTime(CAUSES[in.readByte()], in.readLong()));
        }
        long unknown = in.readLong();
        Optional<Call.Waker> waker = in.readBoolean() ? Optional.of(new Call.Waker(in.readLong(), in.readUTF()))
                : Optional.empty();
        return new CallRow(host, new Call(begin, end, startCpu == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(startCpu), cpu,
                new Call.Caller(tid, thread), function, depth, parent, new Call.Times(wall, onCpu, causes, unknown), waker));
    }
}
