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

import org.kview.ctf.CtfException;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;

/** The calls of a session that was recorded with events. For one thread; the session must stay open. */
public final class SessionCalls {
    private static final int NAMES_SHOWN = 8;
    private static final int PROGRESS_CALLS = 1 << 17;

    private final SessionReader session;
    private final Path path;
    private final List<CallHost> hosts = new ArrayList<>();
    private final CallFindings findings;
    private final int keptRows;
    private long read;

    private SessionCalls(SessionReader session, Path path, int keptRows) throws SessionException {
        this.session = session;
        this.path = path;
        this.keptRows = keptRows;
        if (!session.hasEvents()) {
            throw new SessionException(path + " was recorded without events, so it has no single calls: record again with"
                    + " --events");
        }
        for (SessionReader.HostEvents events : session.events()) {
            hosts.add(new CallHost(hosts.size(), events));
        }
        List<SessionReader.HostWithoutEvents> others = session.hostsWithoutEvents();
        long calls = others.stream().mapToLong(SessionReader.HostWithoutEvents::calls).sum();
        if (hosts.isEmpty() && calls > 0) {
            throw new SessionException("None of the " + LatencyFormat.count(calls) + " calls of " + path
                    + " can be listed: no events are left that can be read. "
                    + String.join(" ", session.snapshot().problems().stream().limit(NAMES_SHOWN).toList())
                    + (session.snapshot().problems().isEmpty() ? "" : " ") + "'kview report' shows what was counted of them");
        }
        findings = new CallFindings(session.snapshot());
        others.forEach(findings::without);
    }

    /**
     * The calls of a session.
     *
     * @param path the session's, for sentences
     * @throws SessionException if it was recorded without events, its trace is none that this version can read,
     *                          or no events of it are left
     */
    public static SessionCalls of(SessionReader session, Path path) throws SessionException {
        return of(session, path, CallSorter.PIECE_ROWS);
    }

    /** @param keptRows how many calls are kept in memory at most */
    static SessionCalls of(SessionReader session, Path path, int keptRows) throws SessionException {
        return new SessionCalls(session, path, keptRows);
    }

    /**
     * Tells the calls that are wanted, once.
     *
     * @param rows     hears each line, or more than one, with their ends; says whether it wants more
     * @param progress hears now and then how many calls were read
     * @throws SessionException if the trace can't be read any further, if there is no room to sort them, or if no function has the
     *                          name that is wanted
     */
    public void tell(CallQuery query, CallForm form, Predicate<String> rows, LongConsumer progress) throws SessionException {
        Predicate<CallRow> wanted = wanted(query);
        Predicate<CallRow> sink = row -> rows.test(form.row(row));
        if (!rows.test(form.header(hosts, isOfSeveral()))) {
            return;
        }
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try (CallSorter sorter = new CallSorter(query.order().comparator(), hosts, keptRows, folder)) {
            if (query.order().isByStart() && hosts.size() == 1 && hosts.getFirst().events().whole()) {
                inTime(new StartOrder(query.order(), sorter, keptRows, limited(query, sink)), wanted, progress);
            } else if (query.top().isPresent() && query.top().getAsInt() <= keptRows) {
                first(query, wanted, sink, progress);
            } else {
                for (CallHost host : hosts) {
                    read(host, progress, (row, _) -> {
                        if (wanted.test(row)) {
                            sorter.add(row);
                        }
                        return true;
                    });
                }
                sorter.drain(limited(query, sink));
            }
        }
    }

    /** Whether the session is, even if the calls of one host are all that is left. */
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

    private Predicate<CallRow> wanted(CallQuery query) throws SessionException {
        Predicate<CallRow> chosen = query.filter()::wants;
        if (query.functions().isEmpty()) {
            return chosen;
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
        return function.and(chosen);
    }

    /** Keeps those that come first, and no more. */
    private void first(CallQuery query, Predicate<CallRow> wanted, Predicate<CallRow> sink, LongConsumer progress)
            throws SessionException {
        Comparator<CallRow> order = query.order().comparator();
        PriorityQueue<CallRow> kept = new PriorityQueue<>(order.reversed());
        int most = query.top().getAsInt();
        for (CallHost host : hosts) {
            read(host, progress, (row, _) -> {
                if (wanted.test(row) && (kept.size() < most || order.compare(row, kept.peek()) < 0)) {
                    kept.add(row);
                    if (kept.size() > most) {
                        kept.poll();
                    }
                }
                return true;
            });
        }
        for (CallRow row : kept.stream().sorted(order).toList()) {
            if (!sink.test(row)) {
                return;
            }
        }
    }

    private void inTime(StartOrder order, Predicate<CallRow> wanted, LongConsumer progress) throws SessionException {
        boolean whole = read(hosts.getFirst(), progress, (row, cursor) -> (!wanted.test(row) || order.add(row))
                && order.settled(cursor.settledNanos()));
        if (whole) {
            order.end();
        }
        findings.late(order.late());
    }

    private interface Visitor {
        /** Says whether more are wanted. */
        boolean call(CallRow row, CallCursor cursor) throws SessionException;
    }

    /** Returns whether it came to the end. */
    private boolean read(CallHost host, LongConsumer progress, Visitor visitor) throws SessionException {
        boolean goesOn = true;
        try (CallCursor cursor = new CallCursor(host.events().trace(), host.events().whole())) {
            for (Optional<Call> call = cursor.next(); goesOn && call.isPresent(); call = goesOn ? cursor.next() : call) {
                if (++read % PROGRESS_CALLS == 0) {
                    progress.accept(read);
                }
                goesOn = visitor.call(new CallRow(host, call.get()), cursor);
            }
            findings.read(isOfSeveral() ? host.target() + ": " : "", host.events(), cursor.findings(), goesOn);
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        }
        return goesOn;
    }
}
