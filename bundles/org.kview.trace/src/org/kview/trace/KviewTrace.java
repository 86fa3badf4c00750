// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;
import org.eclipse.tracecompass.tmf.core.event.aspect.TmfBaseAspects;
import org.eclipse.tracecompass.tmf.core.exceptions.TmfTraceException;
import org.eclipse.tracecompass.tmf.core.trace.TraceValidationStatus;
import org.eclipse.tracecompass.tmf.ctf.core.event.aspect.CtfCpuAspect;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTraceValidationStatus;
import org.kview.ctf.EventTrace;
import org.kview.model.SafeText;

/**
 * The events of a recording: the calls of the probed functions, and how the scheduler switched the threads
 * that made them. {@code kernel/protocol/trace.tsdl} describes the layout.
 *
 * <p>This is a trace type of its own, not a kernel trace: a recording contains one process only. Analyses that
 * expect every thread of the host would draw wrong conclusions from it, or fail.
 */
public final class KviewTrace extends CtfTmfTrace {
    /** The trace type's id. */
    public static final String TYPE_ID = "org.kview.trace.type";

    private static final String BUNDLE_ID = "org.kview.trace";
    /** Higher than that of Trace Compass's general CTF readers, so that this type is chosen. */
    private static final int CONFIDENCE = 200;

    private List<ITmfEventAspect<?>> aspects = List.of();
    private long clockLagNanos;
    private long bytes = Long.MAX_VALUE;

    @Override
    public IStatus validate(IProject project, String path) {
        IStatus status = super.validate(project, path);
        if (!(status instanceof CtfTraceValidationStatus ctf)) {
            return status;
        }
        if (!isOf(ctf)) {
            return new Status(IStatus.ERROR, BUNDLE_ID, SafeText.lines(path + " is a CTF trace, but not one that Kview recorded."));
        }
        return new TraceValidationStatus(CONFIDENCE, BUNDLE_ID);
    }

    /** Did Kview record the trace of which Trace Compass's reader says this? */
    public static boolean isOf(CtfTraceValidationStatus trace) {
        return "\"kview\"".equals(trace.getEnvironment().get("tracer_name"));
    }

    @Override
    public void initTrace(IResource resource, String path, Class<? extends ITmfEvent> eventType)
            throws TmfTraceException {
        super.initTrace(resource, path, eventType);
        clockLagNanos = clockLag(Path.of(path), getOffset());
        bytes = bytes(Path.of(path));
        List<ITmfEventAspect<?>> own = List.of(TmfBaseAspects.getTimestampAspect(), new CtfCpuAspect(),
                new ThreadAspect(), TmfBaseAspects.getEventTypeAspect(), new FunctionAspect(), new DepthAspect(),
                CallTimeAspect.wall(), CallTimeAspect.onCpu(), new CauseAspect(), AwayTimeAspect.away(),
                AwayTimeAspect.queued(), TmfBaseAspects.getContentsAspect());
        // Of Trace Compass's own aspects those that are hidden by default stay: filters and scripts may use them.
        Stream<ITmfEventAspect<?>> others = StreamSupport.stream(super.getEventAspects().spliterator(), false);
        List<String> names = own.stream().map(ITmfEventAspect::getName).toList();
        aspects = Stream.concat(own.stream(), others.filter(aspect -> !names.contains(aspect.getName()))
                .filter(aspect -> aspect.isHiddenByDefault())).toList();
    }

    private static long clockLag(Path folder, long offsetNanos) {
        try {
            return EventTrace.open(folder).layout().realTimeOffsetNanos() - offsetNanos;
        } catch (IOException e) {
            // Who reads its calls will be told why.
            return 0;
        }
    }

    private static long bytes(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException | UncheckedIOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** How long its files are together, as it was opened; the largest number where they can't be listed. */
    public long bytes() {
        return bytes;
    }

    /**
     * How much later than here an event was by the host's real-time clock: agents before 0.2 wrote the clock's offset in two parts,
     * of which Trace Compass takes one. 0 for all others.
     */
    public long clockLagNanos() {
        return clockLagNanos;
    }

    @Override
    public Iterable<ITmfEventAspect<?>> getEventAspects() {
        return aspects;
    }
}
