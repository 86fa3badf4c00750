// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.kview.model.AgentCost;
import org.kview.model.ClockOffset;
import org.kview.model.LatencyInterval;
import org.kview.model.ProgramEnd;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.model.SurveyFindings;
import org.kview.session.SessionException;
import org.kview.session.write.SessionWriter;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingStart;

/** Writes what an agent sends of a recording into its session. */
final class SessionFeed implements RecordingListener {
    private static final Duration PROGRAM_END = Duration.ofSeconds(2);

    /** Where a recording comes from. */
    record Origin(String target, HostInfo host, Scope scope, String command, Supplier<Optional<ClockOffset>> clocks) {
        Provenance provenance(RecordingStart start) {
            String kind = Provenance.TracedProcess.PROCESS;
            Provenance.TracedProcess traced = start.process().map(process -> new Provenance.TracedProcess(0, kind,
                    pid(), process.name(), process.program().executable(), startNanos(start), process.cgroup()))
                    .orElseGet(() -> new Provenance.TracedProcess(0, kind, pid(), "", "", startNanos(start), ""));
            return new Provenance(ProgramVersion.get(), host.agentVersion(), host.machine(), Math.max(0, host.cpus()),
                    host.cpuModel(), host.bootId(), List.of(traced), start.binaries());
        }

        /** The process as the agent describes it when it attaches: the only description of a launched program. */
        private long startNanos(RecordingStart start) {
            return start.process().map(process -> Math.max(0, process.startNanos()))
                    .orElse(scope instanceof Scope.Process process ? process.startNanos() : scope instanceof Scope.Tree tree ? tree.startNanos() : 0L);
        }

        /** Of a cgroup that of the process by which its first points were found. */
        private long pid() {
            return scope instanceof Scope.Cgroup cgroup ? cgroup.leader() : scope.pid();
        }

        Scope measured(RecordingStart start) {
            return switch (scope) {
                case Scope.Process process -> new Scope.Process(process.pid(), startNanos(start));
                case Scope.Tree tree -> new Scope.Tree(tree.pid(), startNanos(start), tree.members(), tree.more());
                case Scope.Cgroup _, Scope.Unknown _ -> scope;
            };
        }
    }

    private final RecordingRequest request;
    private final Origin origin;
    private final LaunchedProgram program;
    private final RecordingObserver observer;
    private final CompletableFuture<SessionWriter> created = new CompletableFuture<>();
    private final CompletableFuture<RecordingResult> result = new CompletableFuture<>();
    private final CompletableFuture<String> firstFailure = new CompletableFuture<>();
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private Duration attach = Duration.ZERO;
    private long startNanos;
    private Optional<SurveyFindings> survey;

    /** @param program the one that was started for the recording, if any was */
    SessionFeed(RecordingRequest request, Origin origin, LaunchedProgram program, RecordingObserver observer) {
        this.request = request;
        survey = request.surveyed();
        this.origin = origin;
        this.program = program;
        this.observer = observer;
    }

    /** What the survey found that chose the functions; before the recording starts. */
    void surveyed(SurveyFindings findings) {
        survey = Optional.of(findings);
    }

    Path folder() {
        return request.folder();
    }

    /** The session once its files exist. */
    CompletableFuture<SessionWriter> created() {
        return created;
    }

    /** Complete when nothing more is written. */
    CompletableFuture<RecordingResult> result() {
        return result;
    }

    /** Complete when the recording can't go on, with a sentence. */
    CompletableFuture<String> failure() {
        return firstFailure;
    }

    /** Breaks the recording off for a reason; the first one counts. */
    void fail(String sentence) {
        if (failure.compareAndSet("", sentence)) {
            firstFailure.complete(sentence);
        }
    }

    @Override
    public void started(RecordingStart start) {
        attach = Duration.ofNanos(start.attachNanos());
        startNanos = start.startNanos();
        SessionInfo info = new SessionInfo(
                new SessionInfo.Host(origin.target(), origin.host().hostname(), origin.host().kernel(), origin.clocks().get()),
                List.of(origin.measured(start)), origin.command(), new SessionInfo.Filtering(start.filter().id(), start.filterNote()),
                start.start(), Duration.ZERO, new SessionInfo.Ending(SessionInfo.State.RECORDING, "", Optional.empty()),
                origin.provenance(start));
        try {
            SessionWriter writer = SessionWriter.create(request.folder(), info, start.functions(),
                    Optional.of(start.ctfMetadata()).filter(text -> !text.isEmpty()));
            writer.setCalibrationNote(start.calibrationNote());
            writer.setWaitsNote(start.waitsNote());
            writer.setBudget(request.options().budget());
            keepSurvey(writer);
            created.complete(writer);
        } catch (SessionException | RuntimeException | Error e) {
            created.completeExceptionally(e);
        }
    }

    private void keepSurvey(SessionWriter writer) throws SessionException {
        if (survey.isPresent()) {
            try {
                writer.setSurvey(survey.get());
            } catch (SessionException | RuntimeException e) {
                try (writer) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void interval(LatencyInterval interval) {
        write(writer -> writer.append(interval.timedFrom(startNanos)));
        if (!created.isCompletedExceptionally()) {
            observer.snapshot(created.join().snapshot());
        }
    }

    @Override
    public void packet(int cpu, ByteBuffer packet, long events) {
        write(writer -> writer.appendPacket(cpu, packet, events));
    }

    @Override
    public void ended(RecordingEnd end) {
        if (created.isCompletedExceptionally()) {
            result.completeExceptionally(created.exceptionNow());
            return;
        }
        switch (end.reason()) {
            case FAILED, CONNECTION_LOST -> fail(end.message());
            case REQUESTED, PROCESS_ENDED, OVER_BUDGET -> {
                // What broke it off, if anything did, is known already.
            }
        }
        SessionInfo.State state = !failure.get().isEmpty() ? SessionInfo.State.FAILED
                : end.reason() == RecordingEnd.Reason.PROCESS_ENDED ? SessionInfo.State.PROCESS_ENDED
                : SessionInfo.State.STOPPED;
        Optional<AgentCost> cost = end.reason() == RecordingEnd.Reason.CONNECTION_LOST ? Optional.empty()
                : Optional.of(new AgentCost(attach, Duration.ofNanos(end.detachNanos()),
                        Duration.ofNanos(end.agentCpuNanos()), end.agentPeakBytes()));
        try (SessionWriter writer = created.join()) {
            if (!end.calibrationNote().isEmpty()) {
                writer.setCalibrationNote(end.calibrationNote());
            }
            origin.clocks().get().ifPresent(writer::clockOffset);
            programEnd(end.reason()).ifPresent(writer::programEnded);
            if (writer.snapshot().info().group().isPresent()) {
                writer.setScope(writer.snapshot().info().group().get().with(end.members(), end.moreMembers()));
            }
            if (request.options().costToOthers()) {
                writer.setCostToOthers(OthersCost.of(end.others(), writer.snapshot().functions()));
            }
            writer.finish(state, state == SessionInfo.State.FAILED ? failure.get() : end.message(), cost);
            result.complete(new RecordingResult(request.folder(), writer.snapshot()));
        } catch (SessionException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /** The recording ends with the process; the exit status arrives shortly after that, so this waits for it. */
    private Optional<ProgramEnd> programEnd(RecordingEnd.Reason reason) {
        try {
            if (reason == RecordingEnd.Reason.PROCESS_ENDED) {
                program.awaitEnd(PROGRAM_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return program.end();
    }

    private interface Write {
        void to(SessionWriter writer) throws SessionException;
    }

    /** Also called after a failure, because the writer keeps what it could not write, or counts it as dropped. */
    private void write(Write write) {
        if (created.handle((writer, e) -> e != null).join()) {
            return;
        }
        try {
            write.to(created.join());
        } catch (SessionException e) {
            fail(e.getMessage() + "; what was recorded up to then is kept");
        } catch (IllegalArgumentException e) {
            fail("The agent sent figures that can't be right: " + e.getMessage());
        }
    }
}
