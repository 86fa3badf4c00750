// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.kview.calls.StoreBuilder;
import org.kview.calls.StoreException;
import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.LiveEnd;
import org.kview.ctf.calls.TraceFindings;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;
import org.kview.session.format.SessionFiles;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.store.CallStores;

/**
 * The single calls of a session while it is recorded, some seconds behind. What is stored of them is kept when the recording has ended, if it
 * is what would be stored of the trace then; otherwise it is thrown away. Safe for use by several threads.
 */
public final class LiveCalls {
    private static final long POLL_MILLIS = 100;

    private final Path folder;
    private final CallStores stores;
    private final LiveEnd end = new LiveEnd();
    private final CountDownLatch followed = new CountDownLatch(1);
    private boolean follows;
    private boolean over;
    private boolean kept;
    /** What became of the recording. */
    private Optional<HostEvents> recorded = Optional.empty();

    /** @param folder the session's */
    public LiveCalls(Path folder, CallStores stores) {
        this.folder = folder;
        this.stores = stores;
    }

    /** Whether the session has a trace by now, which costs less to ask than to read the session. */
    public boolean hasTrace() {
        return Files.exists(folder.resolve(SessionFiles.TRACE).resolve(SessionFiles.METADATA));
    }

    /**
     * Whether there are calls to follow: the session is of one host, recorded with events, of which it is known by now.
     *
     * @param session as it was read while it was recorded
     */
    public static boolean canFollow(SessionReader session) {
        return session.snapshot().hosts().isEmpty() && session.hasEvents();
    }

    /**
     * Follows the recording until that is no longer wanted, or the recording has ended and {@link #keep} was called. To be called once.
     *
     * @param wanted  asked several times a second
     * @param growing hears of the calls up to some moment, as {@link SessionCallStore#of} tells of them
     * @throws SessionException if they can't be stored, or the trace can't be read
     */
    public void follow(SessionReader session, BooleanSupplier wanted, StoringListener growing) throws SessionException {
        synchronized (this) {
            if (over) {
                return;
            }
            follows = true;
        }
        LatencySnapshot figures = session.snapshot();
        try (CallStores.Scratch scratch = stores.scratch()) {
            HostEvents events = new HostEvents(figures.info().target(), EventTrace.live(folder.resolve(SessionFiles.TRACE), end), figures, true, "");
            GrowingSession.Maker maker = store -> new StoredSession(session, SessionCallStore.parts(session, folder, List.of(events), store),
                    Optional.of(StoredSession.Unfinished.live(() -> ended().isEmpty(), end.late())));
            try (GrowingSession growth = new GrowingSession(maker, growing)) {
                boolean complete = StoreBuilder.follow(events.trace(), scratch.channel(), _ -> wanted.getAsBoolean() && stores.hasRoom(),
                        growth.host(List.of()), found -> key(events.trace(), found));
                kept(complete && scratch.keep(ended().orElseThrow()));
            }
        } catch (CancellationException e) {
            // Nobody wants more, or there is no room for it.
            return;
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        } catch (StoreException e) {
            throw new SessionException("No store can be made of these calls: " + e.getMessage(), e);
        } catch (IOException e) {
            throw SessionException.of("The calls of " + folder + " can't be shown while it is recorded", e);
        } finally {
            followed.countDown();
        }
    }

    /** Of the trace that was recorded, if all of it was read as it is read when it is there as a whole. */
    private Optional<String> key(EventTrace followed, TraceFindings found) {
        try {
            Optional<HostEvents> events = ended();
            // What was given up of threads may be given up elsewhere when the trace is read as a whole.
            return events.isPresent() && events.get().whole() && !found.forgot() && events.get().trace().isAsTold(followed)
                    ? events.map(HostEvents::identity).filter(identity -> !identity.isEmpty()) : Optional.empty();
        } catch (CtfException e) {
            // Who reads it anew is told why.
            return Optional.empty();
        }
    }

    private synchronized Optional<HostEvents> ended() {
        return recorded;
    }

    /** Whether its recording has ended, as far as it was told. */
    public synchronized boolean isOver() {
        return over;
    }

    private synchronized void kept(boolean is) {
        kept = is;
    }

    /**
     * The recording has ended: reads what is left of it, and keeps the store for {@link CallStores#open}. Returns when that is done.
     *
     * @param session of that recording
     * @param wanted  asked several times a second
     * @return why not, in a clause; empty if it was kept, or if there was nothing to keep
     * @throws SessionException      if a trace is none that this version can read
     * @throws CancellationException if it is no longer wanted
     */
    public Optional<String> keep(SessionReader session, BooleanSupplier wanted) throws SessionException {
        List<HostEvents> events = session.events();
        synchronized (this) {
            over = true;
            if (!follows || events.size() != 1) {
                return Optional.empty();
            }
            recorded = Optional.of(events.getFirst());
        }
        end.end(events.getFirst().trace().isEnded());
        try {
            while (!followed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!wanted.getAsBoolean()) {
                    throw new CancellationException();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException().initCause(e);
        }
        synchronized (this) {
            return kept ? Optional.empty() : Optional.of(end.late() == 0 ? "something is missing in what was stored of them while they were recorded"
                    : LatencyFormat.count(end.late()) + (end.late() == 1 ? " event" : " events") + " came too late while they were recorded");
        }
    }
}
