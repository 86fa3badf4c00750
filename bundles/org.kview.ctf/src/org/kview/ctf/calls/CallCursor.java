// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventSource;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceEvent;
import org.kview.ctf.TraceEvent.CallExit;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call.Waker;

/**
 * Reads the calls of a trace in the order of their ends. It keeps only the calls that have not ended, so it needs little
 * memory however long the trace is. To be used by one thread.
 */
public final class CallCursor implements AutoCloseable {
    /** No process has so many. A trace that tells of more was made up. */
    private static final int MOST_THREADS = 200_000;
    private static final int MOST_OPEN = 250_000;
    /** The agent follows 128. */
    private static final int MOST_DEPTH = 1024;
    private static final int SENTENCES = 5;

    private final EventSource events;
    private final EventTrace trace;
    private final boolean tellsNesting;
    private final Optional<Consumer<ThreadTurn>> turns;
    private final LaterNames laterNames;
    private final ThreadTable threads = new ThreadTable();
    private final OpenCalls open = new OpenCalls();
    private final List<String> damage = new ArrayList<>();
    private boolean whole;
    private boolean followed = true;
    private Optional<Nesting> nesting = Optional.empty();
    private long nowNanos;
    private int openCount;
    private long begun;
    private long matched;
    private long ended;
    private long lostEvents;
    private long lostPackets;
    private long damages;
    private long unknownCauses;
    private long unnamed;
    private boolean forgot;
    private long gaps;

    /**
     * Begins at the first event.
     *
     * @param whole whether nothing is known to be missing of the trace. Otherwise which call encloses which, and who woke whom,
     *              is not told: the events that are left could tell it wrongly
     * @throws CtfException if a file can't be read
     */
    public CallCursor(EventTrace trace, boolean whole) throws CtfException {
        this(trace, whole, trace.events(), true, Optional.empty());
    }

    private CallCursor(EventTrace trace, boolean whole, EventSource events, boolean tellsNesting, Optional<Consumer<ThreadTurn>> turns) {
        this.events = events;
        this.tellsNesting = tellsNesting;
        this.turns = turns;
        this.trace = trace;
        laterNames = new LaterNames(trace, events);
        this.whole = whole;
    }

    /**
     * Likewise for who goes through all calls: tells the same ones faster, as another thread reads the events, and no
     * {@link #nesting}.
     *
     * @throws CtfException if a file can't be read
     */
    public static CallCursor ahead(EventTrace trace, boolean whole) throws CtfException {
        return new CallCursor(trace, whole, trace.eventsAhead(), false, Optional.empty());
    }

    /**
     * Likewise. Who woke whom, and that a thread waited until the trace's end, is not told either where something is missing; the
     * latter also not if the trace {@link EventTrace#isEnded is not ended}.
     *
     * @param turns hears, within {@link #next}, what threads that made calls did between their switches, about in the order in which
     *              that ended
     * @throws CtfException if a file can't be read
     */
    public static CallCursor ahead(EventTrace trace, boolean whole, Consumer<ThreadTurn> turns) throws CtfException {
        return ahead(trace, whole, turns, () -> { });
    }

    /**
     * Likewise.
     *
     * @param idle as {@link EventTrace#eventsAhead(Runnable)} takes it
     */
    public static CallCursor ahead(EventTrace trace, boolean whole, Consumer<ThreadTurn> turns, Runnable idle) throws CtfException {
        return new CallCursor(trace, whole, trace.eventsAhead(idle), false, Optional.of(turns));
    }

    /**
     * The call that ended next; empty at the end.
     *
     * @throws CtfException if a file can't be read any further
     */
    public Optional<Call> next() throws CtfException {
        for (Optional<TraceEvent> event = events.next(); event.isPresent(); event = events.next()) {
            nowNanos = Math.max(nowNanos, event.get().nanos());
            Optional<Call> call = take(event.get());
            if (call.isPresent()) {
                return call;
            }
        }
        long lastNanos = nowNanos;
        threads.all().forEach(thread -> thread.activity().ifPresent(activity -> activity.isLeft(lastNanos, gaps, whole && trace.isEnded())));
        nowNanos = Long.MAX_VALUE;
        open.clear();
        threads.clear();
        return Optional.empty();
    }

    /**
     * Which calls enclose the one that {@link #next()} returned last. Empty if that is not known for certain: where
     * something is missing in the trace, it is known only of calls that no other call encloses.
     */
    public Optional<Nesting> nesting() {
        return nesting;
    }

    /** No call that is still to come began before this time, unless events are missing. */
    public long settledNanos() {
        return Math.min(nowNanos, open.sinceNanos());
    }

    /** What was found up to here. */
    public TraceFindings findings() {
        return new TraceFindings(ended, whole ? begun - matched : 0, lostEvents, lostPackets, damages, damage, unknownCauses,
                unnamed, forgot);
    }

    private Optional<Call> take(TraceEvent event) throws CtfException {
        switch (event) {
            case TraceEvent.CallExit exit -> {
                return Optional.of(call(exit));
            }
            case TraceEvent.CallEntry entry when entry.depth() >= MOST_DEPTH -> begun++;
            case TraceEvent.CallEntry entry -> {
                ThreadCalls thread = thread(entry.tid());
                openCount -= thread.depth();
                open.add(thread.enter(entry));
                thread.activity().ifPresent(activity -> activity.acts(entry.nanos(), entry.cpu(), gaps));
                openCount += thread.depth();
                begun++;
                limit();
            }
            // Only the waits of a thread that is in a call are of interest.
            case TraceEvent.SwitchOut out -> threads.get(out.tid()).ifPresent(thread -> {
                thread.switchedOut();
                thread.activity().ifPresent(activity -> activity.leaves(out, gaps));
            });
            case TraceEvent.Wakeup wakeup -> threads.get(wakeup.tid()).ifPresent(thread -> {
                thread.woken(new Waker(wakeup.wakerTid(), wakeup.wakerName()));
                thread.activity().ifPresent(activity -> activity.isWoken(wakeup));
            });
            case TraceEvent.SwitchIn in -> threads.get(in.tid()).ifPresent(thread -> {
                thread.switchedIn(in.offNanos() - in.queuedNanos());
                thread.activity().ifPresent(activity -> activity.returns(in, gaps, whole));
            });
            case TraceEvent.ThreadName name -> {
                ThreadCalls thread = thread(name.tid());
                comes(thread, Optional.of(name.name()));
                thread.named(name.name());
            }
            case TraceEvent.ThreadExit exit -> threads.get(exit.tid()).ifPresent(thread -> {
                comes(thread, Optional.empty());
                openCount -= thread.depth();
                thread.leave(0);
                thread.activity().ifPresent(activity -> activity.ends(exit.nanos(), gaps));
                // Another thread may get its number.
                threads.remove(exit.tid());
            });
            case TraceEvent.LostEvents lost -> {
                lostEvents += lost.events();
                lostPackets += lost.packets();
                gaps++;
                whole = false;
            }
            case TraceEvent.Damage found -> {
                damages++;
                if (damage.size() < SENTENCES) {
                    damage.add(found.problem());
                }
                gaps++;
                whole = false;
            }
            case TraceEvent.Other _ -> { }
        }
        return Optional.empty();
    }

    /** What comes next of a thread's name, which calls may have been told by before. */
    private void comes(ThreadCalls thread, Optional<String> name) {
        if (thread.wasToBeNamedOtherwise(name)) {
            trace.isToldOtherwise();
        }
    }

    private ThreadCalls thread(long tid) {
        Optional<ThreadCalls> known = threads.get(tid);
        if (known.isPresent()) {
            return known.get();
        }
        limit();
        ThreadCalls added = new ThreadCalls(turns.map(told -> new ThreadActivity(tid, gaps, told)));
        threads.put(tid, added);
        return added;
    }

    private void limit() {
        boolean tooMany = openCount > MOST_OPEN;
        if (threads.size() >= MOST_THREADS) {
            threads.removeIf(ThreadCalls::isEmpty);
            forgot = true;
            // If more than half were left, this search would soon be needed again.
            tooMany |= threads.size() > MOST_THREADS / 2;
        }
        if (tooMany) {
            forgot = true;
            threads.clear();
            open.clear();
            openCount = 0;
            whole = false;
            followed = false;
        }
    }

    private Call call(CallExit exit) throws CtfException {
        ThreadCalls thread = thread(exit.tid());
        openCount -= thread.depth();
        Optional<OpenCall> entered = thread.exit(exit);
        thread.activity().ifPresent(activity -> activity.acts(exit.nanos(), exit.cpu(), gaps));
        openCount += thread.depth();
        ended++;
        matched += entered.isPresent() ? 1 : 0;
        if (thread.name().isEmpty()) {
            thread.willBeNamed(laterNames.of(exit.tid(), exit.nanos()));
            unnamed += thread.name().isEmpty() ? 1 : 0;
        }
        List<CauseTime> causes = exit.causes();
        long unknown = 0;
        if (!isPlain(causes)) {
            causes = CauseTimes.merged(exit.causes());
            unknown = CauseTimes.unknownNanos(exit.causes());
            unknownCauses += unknown > 0 ? 1 : 0;
        }
        Call call = new Call(exit.beginNanos(), exit.nanos(),
                entered.map(open -> OptionalInt.of(open.entry().cpu())).orElse(OptionalInt.empty()), exit.cpu(),
                new Call.Caller(exit.tid(), thread.name()), exit.function(), exit.depth(),
                whole ? entered.flatMap(OpenCall::parent) : Optional.empty(),
                new Call.Times(exit.wallNanos(), exit.onCpuNanos(), causes, unknown),
                whole ? entered.flatMap(OpenCall::waker) : Optional.empty());
        if (tellsNesting) {
            nesting = nesting(call, entered);
        }
        return call;
    }

    private Optional<Nesting> nesting(Call call, Optional<OpenCall> entered) {
        boolean known = whole ? entered.isPresent() && !entered.get().outlives() : followed && call.depth() == 0;
        if (!known) {
            entered.ifPresent(open -> open.handOn(open.innerNanos()));
            return Optional.empty();
        }
        long[] nanos = CauseTimes.byMetric(call);
        entered.ifPresent(open -> open.handOn(nanos));
        return Optional.of(new Nesting(whole ? entered.get().enclosing() : List.of(), nanos,
                entered.map(OpenCall::innerNanos).orElse(new long[0])));
    }

    /** Most calls have no cause, or one. */
    private static boolean isPlain(List<CauseTime> causes) {
        return causes.isEmpty() || causes.size() == 1 && CauseTimes.isKnown(causes.getFirst());
    }

    @Override
    public void close() {
        events.close();
        laterNames.close();
    }
}
