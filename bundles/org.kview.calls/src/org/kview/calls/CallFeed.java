// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

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
 * Makes calls and turns of a trace's events in a thread of its own, some thousand ahead of the one that stores them: a third beside
 * these two reads the events.
 */
final class CallFeed implements AutoCloseable {
    private static final int BATCHES = 8;

    private final EventTrace trace;
    private final boolean whole;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    private final TraceThread maker;
    private final int batch;
    private Batch filled;
    private Optional<CallCursor> reading = Optional.empty();

    /** Calls and turns in the order in which they came. */
    static final class Batch {
        private final Call[] calls;
        private final long[] settled;
        private final ThreadTurn[] turns;
        private int size;
        private Optional<TraceFindings> soFar = Optional.empty();
        private boolean isLast;
        private Optional<Throwable> failure = Optional.empty();

        private Batch(int most) {
            calls = new Call[most];
            settled = new long[most];
            turns = new ThreadTurn[most];
        }

        int size() {
            return size;
        }

        /** Null where it is a turn. */
        Call call(int at) {
            return calls[at];
        }

        /** What {@link CallCursor#settledNanos} said behind that call. */
        long settledNanos(int at) {
            return settled[at];
        }

        ThreadTurn turn(int at) {
            return turns[at];
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

    /** Tells that nobody wants more, through those who tell of turns. */
    private static final class NotWanted extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotWanted(InterruptedException cause) {
            super(cause);
        }
    }

    /** @param batch so many calls and turns are told together */
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
                    filled.calls[filled.size] = call.get();
                    filled.settled[filled.size++] = cursor.settledNanos();
                    passOn(false);
                }
                filled.isLast = true;
            } catch (CtfException | Error e) {
                filled.failure = Optional.of(e);
            } catch (RuntimeException e) {
                if (e instanceof NotWanted) {
                    throw e;
                }
                filled.failure = Optional.of(e);
            }
            passOn(true);
        } catch (NotWanted e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(ThreadTurn turn) {
        filled.turns[filled.size++] = turn;
        passOn(false);
    }

    /** @param now also if there is room for more */
    private void passOn(boolean now) {
        if (now || filled.size == batch) {
            filled.soFar = reading.map(CallCursor::findings);
            try {
                batches.put(filled);
            } catch (InterruptedException e) {
                throw new NotWanted(e);
            }
            filled = new Batch(batch);
        }
    }

    /** Not to be called behind the last batch. */
    Batch next() throws CtfException {
        Batch taken;
        try {
            taken = batches.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("Reading the trace was interrupted").initCause(e);
        }
        TraceThread.rethrow(taken.failure.orElse(null));
        return taken;
    }

    /** Ends the other threads; returns when they have ended. */
    @Override
    public void close() {
        maker.close();
    }
}
