// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.Comparator;
import java.util.function.Function;

import org.eclipse.tracecompass.segmentstore.core.ISegment;
import org.eclipse.tracecompass.tmf.core.segment.ISegmentAspect;

/** A column of Trace Compass's tables of calls. */
record CallSegmentAspect<T extends Comparable<T>>(String name, String help, Function<CallSegment, T> value, Function<T, Object> shown)
        implements ISegmentAspect {
    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getHelpText() {
        return help;
    }

    @Override
    public Comparator<?> getComparator() {
        return Comparator.<ISegment, T>comparing(segment -> value.apply((CallSegment) segment));
    }

    @Override
    public Object resolve(ISegment segment) {
        return segment instanceof CallSegment call ? shown.apply(value.apply(call)) : null;
    }
}
