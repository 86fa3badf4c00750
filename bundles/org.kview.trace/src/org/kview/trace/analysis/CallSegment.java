// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.datastore.core.serialization.ISafeByteBufferReader;
import org.eclipse.tracecompass.datastore.core.serialization.ISafeByteBufferWriter;
import org.eclipse.tracecompass.datastore.core.serialization.SafeByteBufferFactory;
import org.eclipse.tracecompass.segmentstore.core.ISegment;
import org.eclipse.tracecompass.segmentstore.core.segment.interfaces.INamedSegment;
import org.kview.model.Metric;

/**
 * A call, from its begin for as long as its wall-clock time is: without what its probes cost.
 *
 * @param start      in ns since 1970, as in the trace
 * @param name       its function
 * @param onCpuNanos how much of it the thread ran
 * @param main       the largest part of it
 */
record CallSegment(long start, long end, String name, long tid, long onCpuNanos, Metric main) implements INamedSegment {
    @Override
    public long getStart() {
        return start;
    }

    @Override
    public long getEnd() {
        return end;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public int getSizeOnDisk() {
        return 4 * Long.BYTES + Integer.BYTES + SafeByteBufferFactory.getStringSizeInBuffer(name);
    }

    @Override
    public void writeSegment(ISafeByteBufferWriter buffer) {
        buffer.putLong(start);
        buffer.putLong(end);
        buffer.putString(name);
        buffer.putLong(tid);
        buffer.putLong(onCpuNanos);
        buffer.putInt(main.ordinal());
    }

    static ISegment read(ISafeByteBufferReader buffer) {
        return new CallSegment(buffer.getLong(), buffer.getLong(), buffer.getString(), buffer.getLong(), buffer.getLong(),
                Metric.values()[buffer.getInt()]);
    }
}
