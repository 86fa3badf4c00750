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
    private static final int BATCH = 2048;
    private static final int BATCHES = 8;

    private final EventTrace trace;
    private final boolean whole;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    private final TraceThread maker;
    private Batch filled = new Batch();

    /** Calls and turns in the order in which they came. */
    static final class Batch {
        private final Call[] calls = new Call[BATCH];
        private final long[] settled = new long[BATCH];
        private final ThreadTurn[] turns = new ThreadTurn[BATCH];
        private int size;
        private Optional<TraceFindings> findings = Optional.empty();
        private Optional<Throwable> failure = Optional.empty();

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
            return findings;
        }
    }

    /** Tells that nobody wants more, through those who tell of turns. */
    private static final class NotWanted extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotWanted(InterruptedException cause) {
            super(cause);
        }
    }

    CallFeed(EventTrace trace, boolean whole) {
        this.trace = trace;
        this.whole = whole;
        maker = new TraceThread("kview-call-feed", this::make);
    }

    private void make() {
        try {
            try (CallCursor cursor = CallCursor.ahead(trace, whole, this::add)) {
                for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                    filled.calls[filled.size] = call.get();
                    filled.settled[filled.size++] = cursor.settledNanos();
                    passOn(false);
                }
                filled.findings = Optional.of(cursor.findings());
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

    private void passOn(boolean isLast) {
        if (isLast || filled.size == BATCH) {
            try {
                batches.put(filled);
            } catch (InterruptedException e) {
                throw new NotWanted(e);
            }
            filled = new Batch();
        }
    }

    /** Not to be called behind the last batch. */
    Batch next() throws CtfException {
        Batch batch;
        try {
            batch = batches.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("Reading the trace was interrupted").initCause(e);
        }
        TraceThread.rethrow(batch.failure.orElse(null));
        return batch;
    }

    /** Ends the other threads; returns when they have ended. */
    @Override
    public void close() {
        maker.close();
    }
}
