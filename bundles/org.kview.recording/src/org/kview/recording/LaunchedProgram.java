// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kview.target.ProcessListener;

/** Passes a launched program's output on and waits for its end. */
final class LaunchedProgram implements ProcessListener {
    private final RecordingObserver observer;
    private final CompletableFuture<Void> exited = new CompletableFuture<>();
    private volatile boolean runs;

    LaunchedProgram(RecordingObserver observer) {
        this.observer = observer;
    }

    void resumed() {
        runs = true;
    }

    @Override
    public void output(boolean errorStream, byte[] bytes) {
        observer.output(errorStream, bytes);
    }

    @Override
    public void exited(boolean signalled, int status) {
        exited.complete(null);
    }

    /** Waits until a program that ended has had its last output passed on; returns at once if there is none. */
    void awaitExit(Duration timeout) throws InterruptedException {
        if (!runs) {
            return;
        }
        try {
            exited.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // It went on without its last words; the figures do not depend on them.
        }
    }
}
