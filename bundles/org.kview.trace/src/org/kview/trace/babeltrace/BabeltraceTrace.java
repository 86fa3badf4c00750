// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.tracecompass.ctf.core.CTFException;
import org.eclipse.tracecompass.ctf.core.event.CTFClock;
import org.eclipse.tracecompass.ctf.core.trace.CTFTrace;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.TmfEvent;
import org.eclipse.tracecompass.tmf.core.event.TmfEventField;
import org.eclipse.tracecompass.tmf.core.event.TmfEventType;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;
import org.eclipse.tracecompass.tmf.core.event.aspect.TmfBaseAspects;
import org.eclipse.tracecompass.tmf.core.exceptions.TmfTraceException;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.core.trace.TmfContext;
import org.eclipse.tracecompass.tmf.core.trace.TmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.tracecompass.tmf.core.trace.TraceValidationStatus;
import org.eclipse.tracecompass.tmf.core.trace.location.ITmfLocation;
import org.eclipse.tracecompass.tmf.core.trace.location.TmfLongLocation;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTraceValidationStatus;
import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.BabeltraceException;
import org.kview.model.SafeText;
import org.kview.trace.KviewTrace;

/**
 * A trace in the Common Trace Format that libbabeltrace2 reads: for those that Trace Compass's own reader refuses, or shows at wrong
 * times. Its location is where an event stands in an {@link EventCopy}. Its events are there as fast as they are copied: who asks for one that is not yet
 * there waits.
 */
public final class BabeltraceTrace extends TmfTrace {
    /** The trace type's id. */
    public static final String TYPE_ID = "org.kview.trace.babeltrace";
    /** The name of the event that stands behind the last one that could be read, if there may be more. */
    static final String UNREADABLE = "The trace can't be read any further";

    static final String BUNDLE_ID = "org.kview.trace";
    /** Trace Compass is as sure as 10 of a trace that it reads, and as 1 of one that it does not. */
    private static final int CONFIDENCE_IF_REFUSED = 9, CONFIDENCE_IF_READ = 2;
    private static final int WAIT_MILLIS = 20;
    /** The place behind what stands for events that can't be read. */
    private static final long BEHIND = -1;
    private static final String OFFSET_SECONDS = "offset_s";
    private static final String COPIES = "org.kview.trace.babeltrace";
    private static final List<ITmfEventAspect<?>> ASPECTS = List.of(TmfBaseAspects.getTimestampAspect(), new ChannelAspect(),
            new StreamCpuAspect(), TmfBaseAspects.getEventTypeAspect(), TmfBaseAspects.getContentsAspect());

    private Optional<EventCopy> copy = Optional.empty();
    private Optional<EventDecoder> decoder = Optional.empty();
    /** Of a trace that is in no workspace. */
    private Optional<Path> temporary = Optional.empty();
    private ITmfLocation current = new TmfLongLocation(0L);
    private boolean disposed;

    @Override
    public IStatus validate(IProject project, String path) {
        Path folder = Path.of(path);
        try {
            if (!TraceFolder.isTrace(folder)) {
                return refusal("There is no CTF trace in " + path + ": it has no file named " + TraceFolder.METADATA);
            }
            Babeltrace.load();
            if (isReadByTraceCompass(path)) {
                return new TraceValidationStatus(CONFIDENCE_IF_READ, BUNDLE_ID);
            }
            CopyProcess trial = CopyProcess.start(folder.toAbsolutePath().toString());
            try (trial) {
                trial.join();
            }
            return trial.failure().map(this::refusal).orElseGet(() -> new TraceValidationStatus(CONFIDENCE_IF_REFUSED, BUNDLE_ID));
        } catch (BabeltraceException | IOException e) {
            return refusal("" + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refusal("Whether the trace in " + path + " can be read was not found out");
        }
    }

    private IStatus refusal(String sentence) {
        return new Status(IStatus.ERROR, BUNDLE_ID, SafeText.line(sentence) + ".");
    }

    /** Of Kview's own traces it is {@link KviewTrace} that sees to the times: whoever opens a session waits for no trial. */
    static boolean isReadByTraceCompass(String path) {
        CtfTmfTrace reader = new CtfTmfTrace();
        try {
            return reader.validate(null, path) instanceof CtfTraceValidationStatus ctf && (KviewTrace.isOf(ctf) || hasItsTimes(path));
        } finally {
            reader.dispose();
        }
    }

    /** Its reader takes no notice of the seconds in a clock's offset, and would show all times that much too early. */
    private static boolean hasItsTimes(String path) {
        try {
            CTFClock clock = new CTFTrace(path).getClock();
            return clock == null || !(clock.getProperty(OFFSET_SECONDS) instanceof Number seconds) || seconds.longValue() == 0;
        } catch (CTFException e) {
            return false;
        }
    }

    @Override
    public void initTrace(IResource resource, String path, Class<? extends ITmfEvent> type) throws TmfTraceException {
        super.initTrace(resource, path, type);
        try {
            Babeltrace.load();
            Path home;
            if (resource == null) {
                home = Files.createTempDirectory("kview-trace");
                temporary = Optional.of(home);
            } else {
                home = Path.of(TmfTraceManager.getSupplementaryFileDir(this), COPIES);
            }
            EventCopy opened = EventCopy.open(Path.of(path), home);
            copy = Optional.of(opened);
            decoder = Optional.of(new EventDecoder(this, opened));
        } catch (BabeltraceException | IOException e) {
            throw new TmfTraceException(SafeText.line("" + e.getMessage()) + ".", e);
        }
        // The trace begins with its first event, before it is indexed.
        getNext(seekEvent(0L));
        if (getNbEvents() <= 1 && copy.get().isFinished() && current.equals(new TmfLongLocation(BEHIND))) {
            throw new TmfTraceException(copy.get().failure().orElse("The trace can't be read") + ".");
        }
    }

    @Override
    public Iterable<ITmfEventAspect<?>> getEventAspects() {
        return ASPECTS;
    }

    @Override
    public ITmfLocation getCurrentLocation() {
        return current;
    }

    @Override
    public double getLocationRatio(ITmfLocation location) {
        try {
            long bytes = copy.isPresent() ? copy.get().bytes() : 0;
            long at = location instanceof TmfLongLocation place ? place.getLocationInfo() : 0;
            return at == BEHIND ? 1 : bytes == 0 ? 0 : Math.min(1, (double) at / bytes);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public synchronized ITmfContext seekEvent(ITmfLocation location) {
        ITmfLocation at = location == null ? new TmfLongLocation(0L) : location;
        return new TmfContext(at, location == null ? 0 : ITmfContext.UNKNOWN_RANK);
    }

    @Override
    public ITmfContext seekEvent(double ratio) {
        return seekEvent(Math.round(ratio * getNbEvents()));
    }

    @Override
    public synchronized ITmfEvent parseEvent(ITmfContext context) {
        if (!(context.getLocation() instanceof TmfLongLocation location) || copy.isEmpty() || location.getLocationInfo() == BEHIND) {
            return null;
        }
        long at = location.getLocationInfo();
        try {
            while (!disposed) {
                boolean finished = copy.get().isFinished();
                Optional<ByteBuffer> found = copy.get().event(at);
                if (found.isPresent()) {
                    current = new TmfLongLocation(at + Integer.BYTES + found.get().remaining());
                    return decoder.get().event(found.get(), context.getRank());
                }
                if (finished) {
                    return copy.get().failure().map(cause -> end(context, cause)).orElse(null);
                }
                // Lets others in meanwhile.
                wait(WAIT_MILLIS);
            }
        } catch (IOException | RuntimeException e) {
            return disposed ? null : end(context, "The copy of the trace is damaged, " + e.getMessage() + "; close the trace, delete its"
                    + " supplementary files, and open it again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** What stands in place of the events that can't be read. Nothing is behind it. */
    private ITmfEvent end(ITmfContext context, String cause) {
        current = new TmfLongLocation(BEHIND);
        ITmfEventField content = new TmfEventField(ITmfEventField.ROOT_FIELD_ID, null,
                new ITmfEventField[] {new TmfEventField("cause", SafeText.line(cause), null)});
        return new TmfEvent(this, context.getRank(), getEndTime(), new TmfEventType(UNREADABLE, content), content);
    }

    @Override
    public void dispose() {
        synchronized (this) {
            disposed = true;
            notifyAll();
        }
        // It waits for requests, which may be within parseEvent.
        super.dispose();
        try {
            if (copy.isPresent()) {
                copy.get().close();
            }
            if (temporary.isPresent() && Files.exists(temporary.get())) {
                removeAll(temporary.get());
            }
        } catch (IOException e) {
            ILog.of(BabeltraceTrace.class).warn("The copy of a trace can't be removed", e);
        }
    }

    private static void removeAll(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
