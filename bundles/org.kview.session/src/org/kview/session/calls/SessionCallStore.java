// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

import org.kview.calls.CallStore;
import org.kview.model.LatencyFormat;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.store.CallStores;

/**
 * The calls of a session out of the stores of its hosts, to be looked at from all sides. Safe for use by several threads. Who
 * closes it waits for those who ask; after that there are no more answers.
 */
public final class SessionCallStore implements AutoCloseable {
    private final StoredSession calls;
    private final Gate gate;
    private final Runnable closing;

    SessionCallStore(StoredSession calls, Gate gate, Runnable closing) {
        this.calls = calls;
        this.gate = gate;
        this.closing = closing;
    }

    /**
     * Opens the stores of a session, and makes those that there are not.
     *
     * @param path     the session's, for sentences
     * @param progress hears now and then how many calls were stored; says whether to go on
     * @return empty if another program is making one of them just now
     * @throws SessionException      if the session has no single calls, or they can't be stored
     * @throws CancellationException if that is no longer wanted
     */
    public static Optional<SessionCallStore> of(SessionReader session, Path path, CallStores stores, LongPredicate progress)
            throws SessionException {
        return of(session, path, stores, progress, _ -> { });
    }

    /**
     * Likewise.
     *
     * @param growing hears now and then of the calls that were stored so far
     */
    public static Optional<SessionCallStore> of(SessionReader session, Path path, CallStores stores, LongPredicate progress,
            StoringListener growing) throws SessionException {
        return of(session, path, stores, progress, growing, Optional.empty());
    }

    /**
     * Likewise.
     *
     * @param anew why they are stored anew, as {@link LiveCalls#keep} says, if they were stored while they were recorded
     */
    public static Optional<SessionCallStore> of(SessionReader session, Path path, CallStores stores, LongPredicate progress,
            StoringListener growing, Optional<String> anew) throws SessionException {
        List<HostEvents> events = SessionCalls.events(session, path);
        List<CallStore> opened = new ArrayList<>();
        Runnable closing = () -> opened.forEach(CallStore::close);
        boolean kept = false;
        try (GrowingSession growth = new GrowingSession(soFar -> new StoredSession(session, parts(session, path, events, soFar),
                Optional.of(new StoredSession.Unfinished(events.size(), () -> false, 0, anew))), growing)) {
            try {
                if (!open(events, path, stores, progress, growth, opened)) {
                    return Optional.empty();
                }
            } catch (CancellationException e) {
                kept = growth.leave(closing);
                throw e;
            } catch (SessionException e) {
                // On a full disk what was stored gives its room back.
                kept = !(e.getCause() instanceof IOException) && growth.leave(closing);
                throw e;
            }
            StoredSession calls = new StoredSession(session, parts(session, path, events, opened), Optional.empty());
            kept = true;
            return Optional.of(new SessionCallStore(calls, new Gate(), closing));
        } finally {
            if (!kept) {
                closing.run();
            }
        }
    }

    /** Opens the stores of all hosts, or says that another program is making one of them. */
    private static boolean open(List<HostEvents> events, Path path, CallStores stores, LongPredicate progress, GrowingSession growth,
            List<CallStore> opened) throws SessionException {
        for (HostEvents host : events) {
            long before = opened.stream().mapToLong(CallStore::calls).sum();
            Optional<CallStore> store = stores.build(host, read -> progress.test(before + read), Optional.of(growth.host(opened)));
            if (store.isEmpty() && !stores.canMake(host)) {
                throw new SessionException("The calls of " + path + " can't be stored: there is no folder for them. Set"
                        + " XDG_CACHE_HOME to one");
            }
            if (store.isEmpty()) {
                return false;
            }
            opened.add(store.get());
        }
        return true;
    }

    static List<StorePart> parts(SessionReader session, Path path, List<HostEvents> events, List<CallStore> opened)
            throws SessionException {
        long calls = opened.stream().mapToLong(CallStore::calls).sum();
        if (calls > Integer.MAX_VALUE) {
            throw new SessionException("The " + LatencyFormat.count(calls) + " calls of " + path + " are more than can be listed;"
                    + " 'kview calls' reads them");
        }
        List<StorePart> parts = new ArrayList<>();
        int first = 0;
        for (int i : IntStream.range(0, opened.size()).toArray()) {
            parts.add(new StorePart(new CallHost(i, events.get(i)), opened.get(i), first, session.snapshot()));
            first += (int) opened.get(i).calls();
        }
        return parts;
    }

    /**
     * Asks something, at once: also on a thread that may not wait.
     *
     * @return the answer; empty if it is closed
     */
    public <T> Optional<T> ask(Function<StoredSession, T> question) {
        return gate.ask(() -> question.apply(calls));
    }

    @Override
    public void close() {
        gate.close(closing);
    }
}
