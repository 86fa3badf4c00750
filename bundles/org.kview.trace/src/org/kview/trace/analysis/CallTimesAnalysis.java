// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.tracecompass.analysis.timing.core.segmentstore.AbstractSegmentStoreAnalysisModule;
import org.eclipse.tracecompass.datastore.core.interval.IHTIntervalReader;
import org.eclipse.tracecompass.segmentstore.core.ISegment;
import org.eclipse.tracecompass.segmentstore.core.ISegmentStore;
import org.eclipse.tracecompass.segmentstore.core.SegmentStoreFactory.SegmentStoreType;
import org.eclipse.tracecompass.tmf.core.exceptions.TmfAnalysisException;
import org.eclipse.tracecompass.tmf.core.segment.ISegmentAspect;
import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.trace.KviewTrace;

/** How long calls took, for Trace Compass's tables, statistics and charts of segments: the same calls as in Kview's own views. */
public final class CallTimesAnalysis extends AbstractSegmentStoreAnalysisModule {
    /** The analysis's id. */
    public static final String ID = "org.kview.trace.calls";

    private static final int LONGEST_NAME = 1000;
    private static final int BETWEEN_LOOKS = 1024;

    @Override
    public Iterable<ISegmentAspect> getSegmentAspects() {
        return List.of(
                new CallSegmentAspect<>("Function", "The function that was called", CallSegment::name, name -> name),
                new CallSegmentAspect<>("Thread", "The thread that called it", CallSegment::tid, tid -> tid),
                new CallSegmentAspect<>("On-CPU", "How much of its time the thread ran on a CPU", CallSegment::onCpuNanos, nanos -> LatencyFormat.nanos(nanos)),
                new CallSegmentAspect<>("Cause", "The largest part of its time", CallSegment::main, main -> main.label()));
    }

    /** On the disk: ten million calls have no room in memory. */
    @Override
    protected SegmentStoreType getSegmentStoreType() {
        return SegmentStoreType.OnDisk;
    }

    @Override
    protected IHTIntervalReader<ISegment> getSegmentReader() {
        return CallSegment::read;
    }

    @Override
    protected boolean buildAnalysisSegments(ISegmentStore<ISegment> store, IProgressMonitor monitor) throws TmfAnalysisException {
        KviewTrace trace = (KviewTrace) getTrace();
        boolean whole = false;
        try {
            EventTrace events = EventTrace.open(Path.of(trace.getPath()));
            Map<Long, String> names = new HashMap<>();
            try (CallCursor calls = CallCursor.ahead(events, true)) {
                int read = 0;
                for (Optional<Call> call = calls.next(); call.isPresent(); call = calls.next()) {
                    if (++read % BETWEEN_LOOKS == 0 && monitor.isCanceled()) {
                        return false;
                    }
                    String name = names.computeIfAbsent(call.get().function(), function -> name(events, function));
                    store.add(segment(call.get(), name, trace.getOffset()));
                }
            }
            whole = true;
            return true;
        } catch (CtfException e) {
            TmfAnalysisException failure = new TmfAnalysisException(SafeText.line("The calls can't be read: " + e.getMessage()));
            failure.initCause(e);
            throw failure;
        } finally {
            store.close(!whole);
        }
    }

    @Override
    protected void canceling() {
        // Its monitor tells.
    }

    private static String name(EventTrace events, long function) {
        String name = SafeText.line(events.layout().functionLabel(function));
        return name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    private static CallSegment segment(Call call, String name, long offsetNanos) {
        long start = call.beginNanos() + offsetNanos;
        return new CallSegment(start, start + call.wallNanos(), name, call.tid(), call.onCpuNanos(), call.mainPart());
    }
}
