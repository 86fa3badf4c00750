// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.kview.session.SessionException;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;
import org.kview.ui.Ui;

/** The calls of the session that is open while they are stored once more, in place of those that are at hand: a part, then all. */
public final class GrowingCalls implements AutoCloseable {
    /** Storing a part of them seems to take that long, so that it is shown. */
    private static final long PART_NANOS = TimeUnit.MILLISECONDS.toNanos(210);

    private final CallsState before = CallsService.get().state();
    private final CompletableFuture<SessionCallStore> part = new CompletableFuture<>();
    private final CountDownLatch enough = new CountDownLatch(1);
    private final Thread builder;

    /** @param folder for their store */
    public GrowingCalls(Path session, Path folder) {
        builder = Thread.ofPlatform().name("growing calls").start(() -> {
            try (SessionReader reader = SessionReader.open(session)) {
                SessionCallStore.of(reader, session, CallStores.in(folder, Long.MAX_VALUE), _ -> {
                    LockSupport.parkNanos(PART_NANOS);
                    return enough.getCount() > 0;
                }, this::show);
            } catch (SessionException | CancellationException e) {
                // No more than a part is wanted of it.
                part.completeExceptionally(e);
            }
        });
    }

    private void show(SessionCallStore soFar) {
        part.complete(soFar);
        try {
            enough.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static SessionCallStore tell(SessionCallStore calls) throws InterruptedException {
        Ui.run(() -> CallsService.get().set(new CallsState.Growing(calls)));
        Ui.settle();
        return calls;
    }

    /** Shows a part of them; returns them when the views have been told. */
    public SessionCallStore part() throws InterruptedException {
        return tell(part.join());
    }

    /** Shows the same part as if the user had cancelled storing the others. */
    public SessionCallStore cancelled() throws InterruptedException {
        SessionCallStore calls = part.join();
        Ui.run(() -> CallsService.get().set(new CallsState.Part(calls, "storing the others was cancelled")));
        Ui.settle();
        return calls;
    }

    /** Likewise all of them, before it is said that these are all. */
    public SessionCallStore all() throws InterruptedException {
        return tell(before.store().orElseThrow());
    }

    /** All calls are at hand again. */
    @Override
    public void close() throws InterruptedException {
        Ui.run(() -> CallsService.get().set(before));
        Ui.settle();
        enough.countDown();
        builder.join();
    }
}
