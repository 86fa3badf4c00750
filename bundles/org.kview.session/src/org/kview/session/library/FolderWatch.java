// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Tells when a folder may have changed: soon after something was added, renamed or removed in it, and
 * from time to time for what the operating system does not tell, such as changes within sessions and
 * by other hosts on a network file system.
 */
public final class FolderWatch implements AutoCloseable {
    /** Files change in bursts: changes less than this time apart are reported once. */
    static final Duration QUIET = Duration.ofMillis(200);
    /** Even if there is no end of changes. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Path folder;
    private final Duration every;
    private final Runnable changed;
    private final Optional<WatchService> service;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts watching. The listener is called on a thread of the watch's own, never twice at a time.
     *
     * @param folder need not exist yet
     * @param every  how often it is called at least
     */
    public FolderWatch(Path folder, Duration every, Runnable changed) {
        this.folder = folder;
        this.every = every;
        this.changed = changed;
        service = service();
        thread = Thread.ofVirtual().name("kview-watch-" + folder.getFileName()).start(this::run);
    }

    /**
     * If no watch is available, because the operating system's limit is reached, the regular rounds still report
     * changes.
     */
    private static Optional<WatchService> service() {
        try {
            return Optional.of(FileSystems.getDefault().newWatchService());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void run() {
        Optional<WatchKey> key = Optional.empty();
        try {
            while (!closed) {
                if (key.isEmpty() || !key.get().isValid()) {
                    key = register();
                }
                await(every);
                if (!closed) {
                    changed.run();
                }
            }
        } catch (InterruptedException | ClosedWatchServiceException e) {
            // The watch was closed.
        }
    }

    /** A folder that is not there, or no longer, is tried again in the next round. */
    private Optional<WatchKey> register() {
        if (service.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(folder.register(service.get(), ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void await(Duration atMost) throws InterruptedException {
        if (service.isEmpty()) {
            Thread.sleep(atMost);
            return;
        }
        Optional<WatchKey> key = poll(atMost);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (key.isPresent() && System.nanoTime() < end) {
            key = poll(QUIET);
        }
    }

    private Optional<WatchKey> poll(Duration atMost) throws InterruptedException {
        Optional<WatchKey> key = Optional.ofNullable(service.get().poll(atMost.toMillis(), TimeUnit.MILLISECONDS));
        key.ifPresent(k -> {
            k.pollEvents();
            k.reset();
        });
        return key;
    }

    /** The listener may still be running, but is not called again. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        service.ifPresent(s -> {
            try {
                s.close();
            } catch (IOException e) {
                // Nothing is lost if it can't be closed.
            }
        });
    }
}
