// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.kview.cli.console.Console;
import org.kview.cli.console.Signals;
import org.kview.cli.recording.RecordingRun;
import org.kview.cli.recording.RecordingSettings;
import org.kview.model.ProbeSpec;
import org.kview.model.ProgramEnd;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.session.SessionException;
import org.kview.targets.values.TargetException;

/** Records two programs in turns, until one fails or a signal comes. */
final class ProgramTurns {
    private static final int LINES_SHOWN = 10;

    private final Console console;
    private final Path folder;
    private final RecordingSettings settings;
    private final boolean showOutput;
    private final boolean ignoreFailure;
    private final Side a;
    private final Side b;
    private final List<Turn> made = new ArrayList<>();
    private final AtomicBoolean signalled = new AtomicBoolean();

    /**
     * One of the two programs.
     *
     * @param host where it is started, alone in its list
     */
    record Side(CommandWords command, List<ProbeSpec> probes, List<ConnectedHosts.Host> host) {
    }

    ProgramTurns(Console console, Path folder, RecordingSettings settings, boolean showOutput, boolean ignoreFailure,
            Side a, Side b) {
        this.console = console;
        this.folder = folder;
        this.settings = settings;
        this.showOutput = showOutput;
        this.ignoreFailure = ignoreFailure;
        this.a = a;
        this.b = b;
    }

    /** How many recordings are complete. */
    int made() {
        return made.size();
    }

    /** The sessions of one program that are complete, in the order in which they were recorded. */
    List<Path> sessions(boolean ofA) {
        return made.stream().filter(turn -> turn.isA() == ofA).map(turn -> turn.session(folder)).toList();
    }

    /**
     * Records in this order. After a signal fewer are made.
     *
     * @return whether one failed; then it has told that one's failure @throws TargetException  if one could not begin; it
     *         has told which @throws SessionException if one could not be written; it has told which
     */
    boolean record(List<Turn> order) throws TargetException, SessionException {
        Thread self = Thread.currentThread();
        // A running recording handles signals itself; this handles those that come between two recordings.
        try (Signals _ = new Signals(() -> {
            signalled.set(true);
            self.interrupt();
        })) {
            for (Turn turn : order) {
                if (signalled.get()) {
                    return false;
                }
                String which = "recording " + (made.size() + 1) + " of " + order.size();
                Side side = turn.isA() ? a : b;
                console.say(which + ": " + turn.letter() + ", into " + turn.session(folder));
                Optional<String> failure;
                try {
                    failure = record(turn, side);
                } catch (TargetException | SessionException e) {
                    console.say(which + " failed, of " + turn.letter() + ": " + side.command().text());
                    throw e;
                }
                if (failure.isPresent()) {
                    console.say(which + " failed, of " + turn.letter() + ": " + failure.get());
                    return true;
                }
            }
        } catch (InterruptedException e) {
            // No recording follows.
        } finally {
            Thread.interrupted();
        }
        return false;
    }

    /** @return why it is not to be compared, if it failed */
    private Optional<String> record(Turn turn, Side side) throws TargetException, SessionException, InterruptedException {
        boolean first = made.stream().noneMatch(t -> t.isA() == turn.isA());
        TurnTeller teller = new TurnTeller(console, settings, first, showOutput);
        RecordingRun run = new RecordingRun(console, teller);
        RecordingResult result = run.run(side.host(), new RecordingRequest(side.probes(), List.of(), turn.session(folder),
                settings.options().build()));
        if (run.isSignalled()) {
            signalled.set(true);
            console.say(result.folder() + " is shorter than the others, and is not compared");
            return Optional.empty();
        }
        Optional<String> failure = failure(result, run, side);
        if (failure.isPresent()) {
            teller.lastLines(LINES_SHOWN).forEach(line -> console.say("it printed: " + line));
        } else {
            made.add(turn);
        }
        return failure;
    }

    private Optional<String> failure(RecordingResult result, RecordingRun run, Side side) {
        if (result.failure().isPresent()) {
            return result.failure();
        }
        if (run.isProgramLeft()) {
            return Optional.of(side.command().text() + " would run beside the next recording");
        }
        Optional<ProgramEnd> end = result.figures().info().program().filter(e -> !e.isSuccess());
        return end.filter(e -> e.signalled() || !ignoreFailure).map(e -> side.command().text() + " " + e.text()
                + (e.signalled() ? ". " + e.advice() : "; --ignore-failure goes on nevertheless"));
    }
}
