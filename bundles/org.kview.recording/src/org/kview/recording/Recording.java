// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;
import org.kview.session.SessionException;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/** A recording of one host. */
public final class Recording implements RunningRecording {
    private final Agent agent;
    private final SessionFeed session;
    private final LaunchedProgram program;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile boolean discarded;
    private volatile boolean agentGone;

    Recording(Agent agent, SessionFeed session, LaunchedProgram program) {
        this.agent = agent;
        this.session = session;
        this.program = program;
        session.failure().thenRun(this::stop);
    }

    @Override
    public List<Recording> recordings() {
        return List.of(this);
    }

    @Override
    public Path folder() {
        return session.folder();
    }

    @Override
    public LatencySnapshot snapshot() {
        return session.created().join().snapshot();
    }

    @Override
    public void stop() {
        if (stopping.compareAndSet(false, true)) {
            Thread.ofVirtual().name("kview-recording-stop").start(this::detach);
        }
    }

    @Override
    public void stopWithoutWaiting() {
        agent.endWhereLost();
        stop();
    }

    @Override
    public void cancel() {
        discarded = true;
        stop();
    }

    /** Whether nothing is recorded or written any more. */
    public boolean isDone() {
        return session.result().isDone();
    }

    @Override
    public RecordingResult await() throws SessionException, InterruptedException {
        try {
            RecordingResult result = session.result().get();
            if (discarded) {
                Recorder.release(folder());
            }
            return result;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SessionException s ? s
                    : new SessionException("The session can't be written: " + e.getCause(), e.getCause());
        }
    }

    /** The program that was started for the recording, while it runs. */
    public OptionalLong runningProgram() {
        return program.running();
    }

    /**
     * Waits until that program has ended and its last output was passed on.
     *
     * @return false if it still runs; true also where none was started
     */
    public boolean awaitProgram(Duration timeout) throws InterruptedException {
        return program.awaitExit(timeout);
    }

    /**
     * Waits until a program that was started for the recording has ended and its last output was
     * passed on; where the recording ended first, asks it to end with SIGTERM.
     *
     * @return its number if it goes on nevertheless, or may do so because {@link #isAgentGone}; empty also where none was
     *         started
     */
    public OptionalLong endProgram(Duration patience) throws InterruptedException {
        OptionalLong running = program.running();
        if (running.isPresent() && snapshot().info().state() != SessionInfo.State.PROCESS_ENDED) {
            try {
                agent.endProgram(running.getAsLong(), false);
            } catch (TargetException e) {
                // It has just ended, or nobody knows: then there is nothing to wait for.
                if (e.kind() == TargetException.Kind.CONNECTION_LOST) {
                    agentGone = true;
                    return program.running();
                }
            }
        }
        return program.awaitExit(patience) ? OptionalLong.empty() : program.running();
    }

    /** Whether {@link #endProgram} found nobody to ask. */
    public boolean isAgentGone() {
        return agentGone;
    }

    void stopAfter(Duration duration) {
        Thread.ofVirtual().name("kview-recording-timer").start(() -> {
            try {
                session.result().get(duration.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                stop();
            } catch (InterruptedException | ExecutionException e) {
                // Ended already; await() tells how.
            }
        });
    }

    void fail(String sentence) {
        session.fail(sentence);
    }

    private void detach() {
        try {
            agent.stopRecording();
        } catch (TargetException e) {
            if (!session.result().isDone() && e.kind() != TargetException.Kind.BAD_REQUEST) {
                // It can't be asked to stop: ending the connection detaches everything as well.
                session.fail(e.getMessage());
                agent.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
