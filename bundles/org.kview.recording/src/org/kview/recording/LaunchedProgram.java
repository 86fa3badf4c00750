// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.kview.model.ProgramEnd;
import org.kview.targets.values.ProcessListener;

/** Passes a launched program's output on and waits for its end. */
final class LaunchedProgram implements ProcessListener {
    private final RecordingObserver observer;
    private final CompletableFuture<Optional<ProgramEnd>> exited = new CompletableFuture<>();
    private volatile OptionalLong pid = OptionalLong.empty();
    private volatile boolean attached;

    LaunchedProgram(RecordingObserver observer) {
        this.observer = observer;
    }

    void resumed(long resumedPid) {
        pid = OptionalLong.of(resumedPid);
    }

    /** For a process that ran before: whoever records it must not end it. */
    void attached() {
        attached = true;
    }

    @Override
    public void output(boolean errorStream, byte[] bytes) {
        observer.output(errorStream, bytes);
    }

    @Override
    public void exited(boolean signalled, int status) {
        if (attached && !signalled) {
            // The agent also sends this if it does not know the status.
            exited.complete(Optional.empty());
            return;
        }
        // No kernel reports any other status: a host that does is not to be believed.
        exited.complete(status >= 0 && status <= 255 ? Optional.of(new ProgramEnd(signalled, status)) : Optional.empty());
    }

    /** The program, if it was resumed and has not ended. */
    OptionalLong running() {
        return exited.isDone() ? OptionalLong.empty() : pid;
    }

    /** Waits for the end of a process whose recording has ended, at most for timeout. */
    void awaitEnd(Duration timeout) throws InterruptedException {
        try {
            if (attached || pid.isPresent()) {
                exited.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | ExecutionException e) {
            // How it ended stays unknown.
        }
    }

    /** How it ended; empty where it has not, or there is none, or nobody knows. */
    Optional<ProgramEnd> end() {
        return exited.getNow(Optional.empty());
    }

    /**
     * Waits until the program has ended and its last output was passed on.
     *
     * @return false if it still runs; true also where there is none
     */
    boolean awaitExit(Duration timeout) throws InterruptedException {
        try {
            if (pid.isPresent()) {
                exited.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }
}
