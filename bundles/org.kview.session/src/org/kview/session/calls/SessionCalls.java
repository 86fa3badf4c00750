// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.kview.calls.CallStore;
import org.kview.ctf.CtfException;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.TraceFindings;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

/** The calls of a session that was recorded with events. For one thread; the session must stay open. */
public final class SessionCalls {
    private static final int NAMES_SHOWN = 8;
    private static final int PROGRESS_CALLS = 1 << 17;

    private final SessionReader session;
    private final Path path;
    private final List<CallHost> hosts = new ArrayList<>();
    private final CallFindings findings;
    private final int keptRows;
    private final CallStores stores;
    /** By host, the ids of the functions of which calls were told. */
    private final List<Set<Long>> told = new ArrayList<>();
    private long read;

    private SessionCalls(SessionReader session, Path path, CallStores stores, int keptRows) throws SessionException {
        this.session = session;
        this.path = path;
        this.stores = stores;
        this.keptRows = keptRows;
        for (SessionReader.HostEvents events : events(session, path)) {
            hosts.add(new CallHost(hosts.size(), events));
            told.add(new HashSet<>());
        }
        findings = new CallFindings(session.snapshot());
        session.hostsWithoutEvents().forEach(findings::without);
    }

    /** Those of the hosts that have some. */
    static List<SessionReader.HostEvents> events(SessionReader session, Path path) throws SessionException {
        if (!session.hasEvents()) {
            throw new SessionException(path + " was recorded without events, so it has no single calls: record again with"
                    + " --events");
        }
        List<SessionReader.HostEvents> events = session.events();
        long calls = session.hostsWithoutEvents().stream().mapToLong(SessionReader.HostWithoutEvents::calls).sum();
        if (events.isEmpty() && calls > 0) {
            throw new SessionException("None of the " + LatencyFormat.count(calls) + " calls of " + path
                    + " can be listed: no events are left that can be read. "
                    + String.join(" ", session.snapshot().problems().stream().limit(NAMES_SHOWN).toList())
                    + (session.snapshot().problems().isEmpty() ? "" : " ") + "'kview report' shows what was counted of them");
        }
        return events;
    }

    /**
     * The calls of a session.
     *
     * @param path the session's, for sentences
     * @throws SessionException if it was recorded without events, its trace is none that this version can read,
     *                          or no events of it are left
     */
    public static SessionCalls of(SessionReader session, Path path) throws SessionException {
        return of(session, path, CallStores.none());
    }

    /**
     * Likewise. If there is a store of a host's calls, they are read from it: the same calls, but faster.
     *
     * @param stores where to look for one
     */
    public static SessionCalls of(SessionReader session, Path path, CallStores stores) throws SessionException {
        return of(session, path, stores, CallSorter.PIECE_ROWS);
    }

    /** @param keptRows how many calls are kept in memory at most */
    static SessionCalls of(SessionReader session, Path path, CallStores stores, int keptRows) throws SessionException {
        return new SessionCalls(session, path, stores, keptRows);
    }

    /**
     * Lists the wanted calls. To be called once.
     *
     * @param rows     hears each line, or more than one, with their ends; says whether it wants more
     * @param progress hears now and then how many calls were read
     * @throws SessionException if the trace can't be read any further, if there is no room to sort them, or if no function has the
     *                          name that is wanted
     */
    public void tell(CallQuery query, CallForm form, Predicate<String> rows, LongConsumer progress) throws SessionException {
        Wanted wanted = wanted(query);
        Predicate<CallRow> sink = row -> {
            if (row.host().lists(row.call().function())) {
                told.get(row.host().index()).add(row.call().function());
            }
            return rows.test(form.row(row));
        };
        if (!rows.test(form.header(hosts, isOfSeveral()))) {
            return;
        }
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try (CallSorter sorter = new CallSorter(query.order().comparator(), hosts, keptRows, folder)) {
            if (query.order().isByStart() && hosts.size() == 1 && hosts.getFirst().events().whole() && !isSortedSooner(query)) {
                inTime(new StartOrder(query.order(), sorter, keptRows, limited(query, sink)), wanted, progress);
            } else if (query.top().isPresent() && query.top().getAsInt() <= keptRows) {
                first(query, wanted, sink, progress);
            } else {
                for (CallHost host : hosts) {
                    read(host, progress, wanted, List::of, row -> {
                        if (wanted.condition().test(row)) {
                            sorter.add(row);
                        }
                    });
                }
                sorter.drain(limited(query, sink));
            }
        }
        marked();
    }

    /**
     * Whether it is faster to read the calls from the only host's store and sort them than to put them in order while the
     * trace is read. The store must say that no call came late. If only the first calls are wanted, reading the trace is
     * faster.
     */
    private boolean isSortedSooner(CallQuery query) {
        try (StoredHost stored = new StoredHost(hosts.getFirst(), stores)) {
            return query.top().isEmpty() && stored.store().filter(CallStore::isInOrder).isPresent();
        }
    }

    private void marked() {
        hosts.forEach(host -> findings.marked(where(host), host.events(), told.get(host.index())));
    }

    private String where(CallHost host) {
        return isOfSeveral() ? host.target() + ": " : "";
    }

    /** Whether the session is of several hosts, even if only the calls of one of them are left. */
    private boolean isOfSeveral() {
        return !session.snapshot().hosts().isEmpty();
    }

    /** Sentences for what is missing or odd, most serious first. To be asked for when the calls were told. */
    public List<String> findings() {
        return findings.sentences();
    }

    private static Predicate<CallRow> limited(CallQuery query, Predicate<CallRow> sink) {
        if (query.top().isEmpty()) {
            return sink;
        }
        int[] left = {query.top().getAsInt()};
        return row -> left[0] > 0 && sink.test(row) && --left[0] > 0;
    }

    /**
     * Which calls are wanted.
     *
     * @param functions by host, the ids of the functions whose calls are; empty for all of all hosts
     * @param bounds    what rules others out
     */
    private record Wanted(Predicate<CallRow> condition, List<Set<Long>> functions, List<CallBound> bounds) {
        Optional<Set<Long>> functions(CallHost host) {
            return functions.isEmpty() ? Optional.empty() : Optional.of(functions.get(host.index()));
        }
    }

    private Wanted wanted(CallQuery query) throws SessionException {
        Predicate<CallRow> chosen = query.filter()::wants;
        if (query.functions().isEmpty()) {
            return new Wanted(chosen, List.of(), query.filter().bounds());
        }
        String pattern = query.functions().get();
        List<String> all = session.snapshot().functions().stream().map(f -> f.function().name()).toList();
        Predicate<String> matches = FunctionPattern.of(pattern, all);
        if (all.stream().noneMatch(matches)) {
            throw new SessionException("No function of " + path + " matches '" + pattern + "'; it measured "
                    + String.join(", ", all.stream().limit(NAMES_SHOWN).map(CallHost::shown).toList())
                    + (all.size() > NAMES_SHOWN ? " and " + (all.size() - NAMES_SHOWN) + " more" : ""));
        }
        List<Set<Long>> ids = new ArrayList<>();
        for (CallHost host : hosts) {
            Set<Long> own = new HashSet<>();
            for (FunctionLatency latency : host.events().figures().functions()) {
                if (matches.test(latency.function().name())) {
                    own.add((long) latency.function().id());
                }
            }
            ids.add(own);
        }
        Predicate<CallRow> function = row -> ids.get(row.host().index()).contains(row.call().function());
        return new Wanted(function.and(chosen), ids, query.filter().bounds());
    }

    /** Keeps only the calls that come first in the order. */
    private void first(CallQuery query, Wanted wanted, Predicate<CallRow> sink, LongConsumer progress)
            throws SessionException {
        Comparator<CallRow> order = query.order().comparator();
        PriorityQueue<CallRow> kept = new PriorityQueue<>(order.reversed());
        int most = query.top().getAsInt();
        for (CallHost host : hosts) {
            read(host, progress, wanted, () -> kept.size() < most ? List.of() : query.order().bounds(kept.peek()), row -> {
                if (wanted.condition().test(row) && (kept.size() < most || order.compare(row, kept.peek()) < 0)) {
                    kept.add(row);
                    if (kept.size() > most) {
                        kept.poll();
                    }
                }
            });
        }
        for (CallRow row : kept.stream().sorted(order).toList()) {
            if (!sink.test(row)) {
                return;
            }
        }
    }

    private void inTime(StartOrder order, Wanted wanted, LongConsumer progress) throws SessionException {
        CallHost host = hosts.getFirst();
        boolean goesOn = true;
        try (CallCursor cursor = new CallCursor(host.events().trace(), host.events().whole())) {
            for (Optional<Call> call = cursor.next(); goesOn && call.isPresent(); call = goesOn ? cursor.next() : call) {
                heard(1, progress);
                CallRow row = new CallRow(host, call.get());
                goesOn = (!wanted.condition().test(row) || order.add(row)) && order.settled(cursor.settledNanos());
            }
            found(host, cursor.findings(), goesOn);
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        }
        if (goesOn) {
            order.end();
        }
        findings.late(order.late());
    }

    private interface Visitor {
        void call(CallRow row) throws SessionException;
    }

    /**
     * Reads the calls of a host to the end, those that are wanted and perhaps others.
     *
     * @param bounds what rules further calls out, from then on
     */
    private void read(CallHost host, LongConsumer progress, Wanted wanted, Supplier<List<CallBound>> bounds, Visitor visitor)
            throws SessionException {
        try (StoredHost stored = new StoredHost(host, stores)) {
            if (stored.store().isPresent()) {
                stored.each(wanted.functions(host), () -> {
                    List<CallBound> all = new ArrayList<>(wanted.bounds());
                    all.addAll(bounds.get());
                    return all;
                }, (block, rows, count) -> {
                    heard(count, progress);
                    for (int i = 0; i < count; i++) {
                        visitor.call(new CallRow(host, block.call(rows[i])));
                    }
                    return true;
                });
                found(host, stored.store().get().findings(), true);
                return;
            }
        }
        try (CallCursor cursor = new CallCursor(host.events().trace(), host.events().whole())) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                heard(1, progress);
                visitor.call(new CallRow(host, call.get()));
            }
            found(host, cursor.findings(), true);
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        }
    }

    private void heard(int calls, LongConsumer progress) {
        long before = read;
        read += calls;
        if (before / PROGRESS_CALLS != read / PROGRESS_CALLS) {
            progress.accept(read);
        }
    }

    private void found(CallHost host, TraceFindings trace, boolean toEnd) {
        findings.read(where(host), host.events(), trace, toEnd);
    }
}
