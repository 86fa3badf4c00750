// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.program;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.kview.model.SafeText;
import org.kview.recording.Recording;
import org.kview.recording.ScopeSpec;
import org.kview.targets.Agent;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.TargetException;

/**
 * A program that was started for a recording: its output is shown, and when the recording has ended it
 * goes on as a job of its own, which holds its agent. Cancelling that job ends the program.
 */
public final class StartedProgram {
    private static final Duration POLL = Duration.ofMillis(200);
    /** How long a program gets to end after it was asked to. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String command;
    private final ProgramConsole console;

    private StartedProgram(Display display, String command) {
        this.command = command;
        this.console = new ProgramConsole(display, command);
    }

    /** Empty where the recording is of a process that runs anyway. */
    public static Optional<StartedProgram> of(ScopeSpec scope, Display display) {
        return scope instanceof ScopeSpec.Launch(var spec)
                ? Optional.of(new StartedProgram(display, String.join(" ", spec.arguments()))) : Optional.empty();
    }

    /** Shows what it wrote. */
    public void output(boolean errorStream, byte[] bytes) {
        console.output(errorStream, bytes);
    }

    /**
     * Lets the program go on after its recording.
     *
     * @param agent closed when the program has ended
     * @return false if it has ended already, and the agent is still the caller's
     */
    public boolean goOn(Agent agent, Recording recording) {
        OptionalLong pid = recording.runningProgram();
        if (pid.isEmpty()) {
            console.note("The program has ended.");
            return false;
        }
        Job job = new Job(SafeText.line("Program " + command)) {
            @Override
            protected IStatus run(IProgressMonitor monitor) {
                monitor.beginTask("Runs on after its recording; cancelling ends it", IProgressMonitor.UNKNOWN);
                try (agent) {
                    awaitEnd(agent, recording, pid.getAsLong(), monitor);
                } catch (TargetException e) {
                    console.note(e.getMessage());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return Status.OK_STATUS;
            }
        };
        job.schedule();
        return true;
    }

    private void awaitEnd(Agent agent, Recording recording, long pid, IProgressMonitor monitor)
            throws TargetException, InterruptedException {
        while (!monitor.isCanceled() && !recording.awaitProgram(POLL)) {
            if (agent.linkStatus().state() == LinkState.GONE) {
                console.note("The agent is gone, and with it what the program writes; it may still run.");
                return;
            }
        }
        if (!recording.awaitProgram(Duration.ZERO)) {
            if (recording.endProgram(PATIENCE).isPresent()) {
                agent.endProgram(pid, true);
                recording.awaitProgram(PATIENCE);
            }
            console.note("The program was ended.");
        } else {
            console.note("The program has ended.");
        }
    }
}
