// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceThread;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.ThreadTurn;
import org.kview.ctf.calls.TraceFindings;

/**
 * Makes rows of calls and turns of a trace's events in a thread of its own, some thousand ahead of the one that stores them: a third
 * beside these two reads the events. The rows stand in columns of numbers: objects that another thread has made would have to be fetched from its
 * cache one by one.
 */
final class CallFeed implements AutoCloseable {
    private static final int BATCHES = 4;

    private final EventTrace trace;
    private final boolean whole;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    /** To be filled again. */
    private final BlockingQueue<Batch> used = new ArrayBlockingQueue<>(BATCHES);
    private final TraceThread maker;
    private final int batch;
    private final TextIds texts = new TextIds();
    private int passedTexts;
    private boolean inOrder = true;
    private long settledNanos = Long.MIN_VALUE;
    private long lastNanos = Long.MIN_VALUE;
    private Batch filled;
    private Optional<CallCursor> reading = Optional.empty();

    /** Calls and turns, each in the order in which they came. */
    static final class Batch {
        private final long[][] calls;
        private final long[][] turns;
        private final int[] callsBefore;
        private int callCount;
        private int turnCount;
        private List<String> texts = List.of();
        private boolean inOrder;
        private Optional<TraceFindings> soFar = Optional.empty();
        private boolean isLast;
        private Optional<Throwable> failure = Optional.empty();

        private Batch(int most) {
            calls = new long[CallField.COUNT][most];
            turns = new long[TurnField.COUNT][most];
            callsBefore = new int[most];
        }

        /** The columns of {@link CallField}, with rows for {@link #callCount} calls. */
        long[][] calls() {
            return calls;
        }

        int callCount() {
            return callCount;
        }

        /** The columns of {@link TurnField}, likewise. */
        long[][] turns() {
            return turns;
        }

        int turnCount() {
            return turnCount;
        }

        /** How many of its calls came before a turn. */
        int callsBefore(int turn) {
            return callsBefore[turn];
        }

        /** The texts that its rows name, and no row of a batch before it did; their numbers follow those of that one. */
        List<String> texts() {
            return texts;
        }

        /** See {@link CallStore#isInOrder}. */
        boolean inOrder() {
            return inOrder;
        }

        /** What was found of the trace, if this is the last batch. */
        Optional<TraceFindings> findings() {
            return isLast ? soFar : Optional.empty();
        }

        /** What was found of it up to here. */
        Optional<TraceFindings> soFar() {
            return soFar;
        }
    }

    /** Tells that nobody wants more, or that no store can hold what comes, through those who tell of turns. */
    private static final class NotWanted extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotWanted(Exception cause) {
            super(cause);
        }
    }

    /** @param batch so many calls, or turns, are told together at most */
    CallFeed(EventTrace trace, boolean whole, int batch) {
        this.trace = trace;
        this.whole = whole;
        this.batch = batch;
        filled = new Batch(batch);
        maker = new TraceThread("kview-call-feed", this::make);
    }

    private void make() {
        try {
            try (CallCursor cursor = CallCursor.ahead(trace, whole, this::add, () -> passOn(true))) {
                reading = Optional.of(cursor);
                for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                    add(call.get(), cursor.settledNanos());
                }
                filled.isLast = true;
            } catch (CtfException | StoreException | Error e) {
                filled.failure = Optional.of(e);
            } catch (RuntimeException e) {
                filled.failure = Optional.of(e);
                if (e instanceof NotWanted) {
                    if (!(e.getCause() instanceof StoreException)) {
                        throw e;
                    }
                    filled.failure = Optional.of(e.getCause());
                }
            }
            passOn(true);
        } catch (NotWanted e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(Call call, long settled) throws StoreException {
        if (call.endNanos() < lastNanos) {
            throw new StoreException("the calls of the trace do not come in the order of their ends");
        }
        lastNanos = call.endNanos();
        inOrder &= call.beginNanos() >= settledNanos;
        settledNanos = Math.max(settledNanos, settled);
        CallBlock.put(call, texts, filled.calls, filled.callCount++);
        passOn(false);
    }

    private void add(ThreadTurn turn) {
        try {
            TurnWriter.put(turn, texts, filled.turns, filled.turnCount);
        } catch (StoreException e) {
            throw new NotWanted(e);
        }
        filled.callsBefore[filled.turnCount++] = filled.callCount;
        passOn(false);
    }

    /** @param now also if there is room for more */
    private void passOn(boolean now) {
        if (now || filled.callCount == batch || filled.turnCount == batch) {
            filled.soFar = reading.map(CallCursor::findings);
            filled.inOrder = inOrder;
            filled.texts = texts.from(passedTexts);
            passedTexts += filled.texts.size();
            try {
                batches.put(filled);
            } catch (InterruptedException e) {
                throw new NotWanted(e);
            }
            filled = Optional.ofNullable(used.poll()).orElseGet(() -> new Batch(batch));
            filled.callCount = 0;
            filled.turnCount = 0;
        }
    }

    /** Not to be called behind the last batch. */
    Batch next() throws CtfException, StoreException {
        Batch taken;
        try {
            taken = batches.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("Reading the trace was interrupted").initCause(e);
        }
        if (taken.failure.orElse(null) instanceof StoreException e) {
            throw e;
        }
        TraceThread.rethrow(taken.failure.orElse(null));
        return taken;
    }

    /** A batch is not needed any more. */
    void giveBack(Batch done) {
        used.offer(done);
    }

    /** Ends the other threads; returns when they have ended. */
    @Override
    public void close() {
        maker.close();
    }
}
