// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.SessionInfo;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.session.SessionException;
import org.kview.target.Agent;
import org.kview.target.FunctionInfo;
import org.kview.target.Target;
import org.kview.target.TargetException;

/** One recording, from its start to its end or to Ctrl-C, told on the console. */
final class RecordingRun implements RecordingObserver {
    private static final int SKIPPED_SHOWN = 3;

    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);
    private static final Duration PROGRAM_END = Duration.ofSeconds(5);

    private final Console console;

    RecordingRun(Console console) {
        this.console = console;
    }

    /** Records until the time is over, the process has ended or a signal came. */
    RecordingResult run(Target target, RecordingRequest request)
            throws TargetException, SessionException, InterruptedException {
        try (Agent agent = target.connect()) {
            Recording recording = new Recorder(agent, target.name()).start(request, this);
            AtomicInteger signals = new AtomicInteger();
            try (Signals _ = new Signals(() -> {
                if (signals.incrementAndGet() == 1) {
                    console.say("ending the recording");
                    recording.stop();
                } else {
                    console.say("broken off while ending; " + request.folder() + " holds what was written before");
                    Runtime.getRuntime().halt(ExitCode.FAILED);
                }
            })) {
                RecordingResult result = recording.await();
                endProgram(recording);
                return result;
            }
        }
    }

    /** A program started for the recording ends with it, or nobody would read what it prints. */
    private void endProgram(Recording recording) throws InterruptedException {
        if (recording.snapshot().info().state() == SessionInfo.State.PROCESS_ENDED) {
            recording.awaitProgram(LAST_OUTPUT);
            return;
        }
        OptionalLong pid = recording.runningProgram();
        if (pid.isEmpty()) {
            return;
        }
        Optional<ProcessHandle> program = ProcessHandle.of(pid.getAsLong());
        program.ifPresent(ProcessHandle::destroy);
        if (!recording.awaitProgram(PROGRAM_END) && program.isPresent() && program.get().isAlive()) {
            console.say("process " + pid.getAsLong() + " did not end at SIGTERM and goes on");
        }
    }

    @Override
    public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped) {
        skipped.stream().limit(SKIPPED_SHOWN)
                .forEach(f -> console.say("left out " + f.name() + ": " + f.reason()));
        if (skipped.size() > SKIPPED_SHOWN) {
            console.say("left out " + (skipped.size() - SKIPPED_SHOWN) + " more functions that can't be probed");
        }
        long cheapest = functions.stream().mapToLong(FunctionInfo::predictedCostNanos).min().orElse(0);
        long dearest = functions.stream().mapToLong(FunctionInfo::predictedCostNanos).max().orElse(0);
        String cost = dearest == 0 ? "" : ", each call of which takes about " + (cheapest == dearest ? ""
                : LatencyFormat.nanos(cheapest) + " to ") + LatencyFormat.nanos(dearest) + " longer";
        console.say("probing " + count(functions.size(), "function") + cost);
    }

    @Override
    public void started(LatencySnapshot empty) {
        console.say("recording process " + empty.info().pid() + " (" + empty.info().command()
                + "); Ctrl-C ends the recording and keeps it");
    }

    @Override
    public void snapshot(LatencySnapshot figures) {
        if (console.isTerminal()) {
            long calls = figures.functions().stream().mapToLong(f -> f.calls()).sum();
            console.progress(String.format(Locale.ROOT, "%.1f s, %,d calls%s", seconds(figures.info().duration()),
                    calls, figures.losses().any() ? ", " + losses(figures.losses()) : ""));
        }
    }

    @Override
    public void output(boolean errorStream, byte[] bytes) {
        console.pass(errorStream, bytes);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    static String losses(Losses losses) {
        return count(losses.eventsDropped(), "event") + " dropped, " + count(losses.missedReturns(), "return")
                + " missed, " + count(losses.depthOverflows(), "call") + " nested too deep, "
                + count(losses.untrackedThreads(), "entry", "entries") + " of threads that could not be followed";
    }

    private static String count(long number, String one) {
        return count(number, one, one + "s");
    }

    private static String count(long number, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
    }
}
