// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;

import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.BabeltraceException;
import org.kview.babeltrace.Event;
import org.kview.babeltrace.TraceTrial;
import org.kview.ctf.TraceDescription;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.Provenance;
import org.kview.model.SafeText;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.recording.ProgramVersion;
import org.kview.recording.Recorder;
import org.kview.session.SessionException;
import org.kview.session.write.SessionClaim;
import org.kview.session.write.SessionWriter;

/**
 * Makes a session of a trace. Nothing of what a trace says is run. A trace is first read by a process of its own, because a
 * damaged one may end libbabeltrace2's process; then it is read twice here, as far as that process came.
 */
public final class TraceImport {
    private static final int NAMES_SHOWN = 8;
    private static final int MOST_NAMES = 10_000;
    private static final int MOST_TEXT = 200;
    private static final String UNKNOWN = "unknown";

    private final ImportRequest request;
    private final ImportProgress progress;
    private final Babeltrace library;
    private final TraceTrial trial;
    private final OwnForm own = new OwnForm();
    private final List<PairForm> pairs;
    private final TreeSet<String> eventNames = new TreeSet<>();

    private TraceImport(ImportRequest request, ImportProgress progress, Babeltrace library, TraceTrial trial) {
        this.request = request;
        this.progress = progress;
        this.library = library;
        this.trial = trial;
        pairs = request.pair().map(List::of).orElse(EventPair.USUAL).stream().map(PairForm::new).toList();
    }

    /**
     * Imports a trace.
     *
     * @throws SessionException     if there is nothing that could be imported, or the session can't be written
     * @throws InterruptedException if this thread is interrupted before a session was begun
     */
    public static ImportResult run(ImportRequest request, ImportProgress progress) throws SessionException, InterruptedException {
        return run(request, progress, TraceTrial::run);
    }

    /** How it is found out how far a trace can be read: of one that is known to be whole, no process has to try it. */
    @FunctionalInterface
    interface Trial {
        TraceTrial of(List<Path> traces) throws BabeltraceException, InterruptedException;
    }

    static ImportResult run(ImportRequest request, ImportProgress progress, Trial trying) throws SessionException, InterruptedException {
        try {
            Babeltrace library = Babeltrace.load();
            try (SessionClaim _ = Recorder.claim(request.session())) {
                progress.at("trying how far the trace can be read", 0);
                TraceTrial trial = trying.of(List.of(request.trace()));
                if (trial.died() && trial.messages() == 0) {
                    throw new SessionException("The trace " + request.trace() + " can't be opened: libbabeltrace2 " + library.version()
                            + " ended itself (" + firstLine(trial.cause()) + "); the trace is damaged");
                }
                return new TraceImport(request, progress, library, trial).run();
            } catch (SessionException e) {
                throw e;
            } catch (IOException e) {
                throw SessionException.of("The session " + request.session() + " can't be created", e);
            }
        } catch (BabeltraceException e) {
            throw new SessionException(SafeText.line(e.getMessage(), 4 * MOST_TEXT), e);
        }
    }

    private static String firstLine(String text) {
        return SafeText.line(text.lines().findFirst().orElse("without a word"), MOST_TEXT);
    }

    private ImportResult run() throws SessionException, BabeltraceException {
        TraceReading outline = new TraceReading(library, request.trace(), limit(),
                events -> progress.at("reading the trace, the first of two times", events));
        Optional<BabeltraceException> damage = outline.read(new TraceReading.Taker() {
            @Override
            public void event(Event event, long nanos, int cpu) throws SessionException {
                if (eventNames.size() < MOST_NAMES) {
                    eventNames.add(event.eventClass().name());
                }
                if (request.pair().isEmpty()) {
                    own.outline(event, nanos);
                }
                for (PairForm pair : pairs) {
                    pair.outline(event, nanos);
                }
            }

            @Override
            public void lost(int cpu, long events, OptionalLong untilNanos) {
                // The second time.
            }
        });
        if (outline.events() == 0 && damage.isPresent()) {
            throw damage.get();
        }
        TraceForm form = request.pair().isEmpty() && own.tellsCalls() ? own
                : pairs.stream().filter(PairForm::tellsCalls).findFirst().orElseThrow(this::noCalls);
        checkOneHost(form, outline);
        return write(form, outline);
    }

    /** Functions and threads are known by numbers, which mean others in other traces. */
    private void checkOneHost(TraceForm form, TraceReading outline) throws SessionException {
        if (outline.hosts().size() > 1) {
            throw new SessionException("The traces in " + request.trace() + " are of several hosts, " + String.join(" and ",
                    outline.hosts()) + " among them; import those of each host by themselves");
        }
        if (form == own && outline.traces() > 1) {
            throw new SessionException("There are " + outline.traces() + " traces in " + request.trace()
                    + ", as of several hosts; import each of them by itself");
        }
    }

    /** The library tells itself of damage that does not end it. */
    private long limit() {
        return trial.died() ? trial.messages() : Long.MAX_VALUE;
    }

    private SessionException noCalls() {
        List<String> shown = eventNames.stream().limit(NAMES_SHOWN).toList();
        String has = eventNames.isEmpty() ? "it has no events" : "it has " + String.join(", ", shown)
                + (eventNames.size() > NAMES_SHOWN ? " and " + (eventNames.size() - NAMES_SHOWN) + " more kinds of events" : "");
        return new SessionException(request.pair().map(pair -> "The trace has no calls that begin with '" + pair.entry()
                + "' and end with '" + pair.exit() + "': " + has).orElse("The trace has no calls that are known here: neither Kview's"
                + " nor those of lttng_ust_cyg_profile; name the events that begin and end one by --entry EVENT --exit EVENT: " + has));
    }

    private ImportResult write(TraceForm form, TraceReading outline) throws SessionException, BabeltraceException {
        EventTimes times = outline.times();
        UUID uuid = UUID.randomUUID();
        List<String> names = form.functions();
        List<ProbedFunction> functions = new ArrayList<>();
        for (String name : names) {
            functions.add(ProbedFunction.of(functions.size(), SafeText.line(name, MOST_TEXT), point(name), Mechanism.IMPORTED,
                    form.measured()));
        }
        SessionInfo info = info(form, outline);
        String metadata = new TraceDescription(uuid, info.host(), form.pid(), times.offsetNanos(), names).metadata();
        boolean keepsEvents = form.measured().contains(Metric.ON_CPU);
        form.begin(times.offsetNanos());
        try (SessionWriter writer = SessionWriter.create(request.session(), info, functions,
                keepsEvents ? Optional.of(metadata) : Optional.empty())) {
            writer.setCalibrationNote("The figures were made from a trace; how exact its times are is not said in it.");
            IntervalFigures figures = new IntervalFigures(writer, functions.size(), outline.firstNanos() - times.offsetNanos());
            ImportedSession session = new ImportedSession(writer, figures, uuid, keepsEvents);
            TraceReading reading = new TraceReading(library, request.trace(), limit(),
                    events -> progress.at("reading the trace, the second of two times", events));
            Optional<BabeltraceException> damage = reading.read(new TraceReading.Taker() {
                @Override
                public void event(Event event, long nanos, int cpu) throws SessionException {
                    form.play(event, nanos - times.offsetNanos(), cpu, session);
                }

                @Override
                public void lost(int cpu, long events, OptionalLong untilNanos) {
                    form.lost(untilNanos.isEmpty() ? untilNanos : OptionalLong.of(untilNanos.getAsLong() - times.offsetNanos()));
                    session.lost(cpu, events);
                }
            });
            session.end();
            boolean whole = damage.isEmpty() && !trial.died();
            List<String> notes = notes(form, reading, figures);
            if (!whole) {
                notes.addFirst("The trace is damaged and was imported up to there: " + damage.map(e -> SafeText.line(e.getMessage(),
                        MOST_TEXT)).orElseGet(() -> "libbabeltrace2 ended itself, " + firstLine(trial.cause())));
            }
            String note = notes.isEmpty() ? "" : sentence(String.join("; ", notes));
            writer.finish(whole ? SessionInfo.State.STOPPED : SessionInfo.State.FAILED, note, Optional.empty());
            LatencySnapshot snapshot = writer.snapshot();
            return new ImportResult(snapshot, whole);
        }
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }

    private static List<String> notes(TraceForm form, TraceReading reading, IntervalFigures figures) {
        List<String> notes = new ArrayList<>();
        if (reading.lostEvents() > 0) {
            notes.add("events that are missing in the trace, and with them the calls that they told of: "
                    + LatencyFormat.count(reading.lostEvents()));
        } else if (reading.losses() > 0) {
            notes.add("an unknown number of events is missing in the trace, and with them the calls that they told of");
        }
        if (figures.impossible() > 0) {
            notes.add("calls with times that can't be, which are counted and have none: " + LatencyFormat.count(figures.impossible()));
        }
        notes.addAll(form.notes());
        return notes;
    }

    private static ProbePoint point(String name) {
        return name.startsWith(ProbePoint.KernelFunction.PREFIX)
                ? new ProbePoint.KernelFunction("", name.substring(ProbePoint.KernelFunction.PREFIX.length()))
                : new ProbePoint.UserFunction("", name, 0, 0, 0);
    }

    private SessionInfo info(TraceForm form, TraceReading outline) {
        Path trace = request.trace().toAbsolutePath().normalize();
        Provenance provenance = Provenance.imported(ProgramVersion.get(),
                new Provenance.Trace(SafeText.line(trace.toString()), "libbabeltrace2 " + library.version()));
        Instant start = Instant.EPOCH.plusNanos(outline.times().sinceEpoch() ? outline.firstNanos() : 0);
        return new SessionInfo(
                new SessionInfo.Host("imported", outline.environment("hostname", UNKNOWN), outline.environment("kernel_release", UNKNOWN), Optional.empty()),
                form.pid() == 0 ? List.of() : List.of(new Scope.Process(form.pid(), 0)), outline.environment("procname", ""),
                new SessionInfo.Filtering(UNKNOWN, ""), start, Duration.ZERO,
                new SessionInfo.Ending(SessionInfo.State.RECORDING, "", Optional.empty()), provenance);
    }
}
