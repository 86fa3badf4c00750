// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.cli.console.Console;
import org.kview.cli.console.Signals;
import org.kview.cli.targets.TargetOption;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.recording.RunningRecording;
import org.kview.recording.ScopeSpec;
import org.kview.session.SessionException;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.TargetException;

/** One recording, from its start to its end or to Ctrl-C, with messages on the console. */
public final class RecordingRun {
    private static final Duration PROGRAM_END = Duration.ofSeconds(5);

    private final Console console;
    private final RecordingObserver observer;
    private volatile boolean signalled;
    private boolean programLeft;

    /** @param observer is told how the recording goes */
    public RecordingRun(Console console, RecordingObserver observer) {
        this.console = console;
        this.observer = observer;
    }

    /** Whether a signal asked for an end. */
    public boolean isSignalled() {
        return signalled;
    }

    /** Whether the program that was started for the recording still runs after it. */
    public boolean isProgramLeft() {
        return programLeft;
    }

    /** Records until the time is over, the process has ended or a signal came. */
    public RecordingResult run(Target target, ScopeSpec scope, RecordingRequest request)
            throws TargetException, SessionException, InterruptedException {
        return run(List.of(new ConnectedHosts.Host(target, scope)), request);
    }

    /** The same on one or several hosts. */
    public RecordingResult run(List<ConnectedHosts.Host> hosts, RecordingRequest request)
            throws TargetException, SessionException, InterruptedException {
        try (ConnectedHosts connected = ConnectedHosts.connect(hosts, target -> console.progress(TargetOption.starting(target.name())))) {
            Ending ending = new Ending(console, request.folder(), leftAgents(connected.agents(), request.options().grace()));
            try (Signals _ = new Signals(() -> {
                signalled = true;
                ending.signalled();
            })) {
                ending.starting();
                return run(connected.start(request, observer), ending);
            }
        }
    }

    /** What happens to agents on other hosts if this process ends without telling them. */
    private static String leftAgents(List<Agent> agents, Duration grace) {
        return agents.stream().map(agent -> agent.endsWithin(grace)).flatMap(Optional::stream)
                .max(Comparator.naturalOrder()).map(longest -> "an agent that still runs on another host detaches its probes"
                        + " and ends by itself within " + longest.toSeconds() + " s").orElse("");
    }

    private RecordingResult run(RunningRecording recording, Ending ending) throws SessionException, InterruptedException {
        ending.running(recording::stopWithoutWaiting);
        RecordingResult result = recording.await();
        for (Recording one : recording.recordings()) {
            endProgram(one);
        }
        return result;
    }

    /** A program started for the recording ends with it, or nobody would read what it prints. */
    private void endProgram(Recording recording) throws InterruptedException {
        OptionalLong pid = recording.endProgram(PROGRAM_END);
        if (pid.isPresent()) {
            programLeft = true;
            console.say("process " + pid.getAsLong() + (recording.isAgentGone()
                    ? " was not asked to end, as its agent can't be reached, and may go on"
                    : " did not end at SIGTERM and goes on"));
        }
    }
}
