// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.wire.WireValues;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ToAgent;

/**
 * Requests and their replies over a link. When the agent ends, all that is pending fails with one
 * sentence; while its link is lost and may come back, all that is pending waits.
 */
public final class Connection implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(200);

    /** Takes what belongs to no request, and hears of the end. */
    public interface Receiver {
        /** May block: nothing is read meanwhile. */
        void receive(FromAgent message) throws InterruptedException;

        /** The connection is no more; called once, also after {@link Connection#close}. */
        void lost(TargetException why);
    }

    /** Turns a reply into a value, on the reading thread: before anything that follows it is received. */
    public interface Conversion<T> {
        /**
         * Must not wait for anything.
         *
         * @throws TargetException if the reply is not of the kind asked for, or comes too late
         */
        T convert(FromAgent reply) throws TargetException;
    }

    /** What comes first decides a request: its reply, the connection's end, or the caller who waits no more. */
    private record Pending<T>(ToAgent request, Conversion<T> conversion, CompletableFuture<T> future,
            AtomicBoolean decided) {
        Pending(ToAgent request, Conversion<T> conversion) {
            this(request, conversion, new CompletableFuture<>(), new AtomicBoolean());
        }

        /** Whether it is the caller of this who decides. */
        boolean decide() {
            return decided.compareAndSet(false, true);
        }

        void complete(FromAgent reply) {
            if (!decide()) {
                return;
            }
            try {
                if (reply.hasError()) {
                    throw WireValues.exception(reply.getError());
                }
                future.complete(conversion.convert(reply));
            } catch (TargetException | RuntimeException | Error e) {
                future.completeExceptionally(e);
            }
        }

        void fail(TargetException why) {
            if (decide()) {
                future.completeExceptionally(why);
            }
        }
    }

    private final Link link;
    /** By id, which ascends in the order of sending. */
    private final Map<Integer, Pending<?>> pending = new ConcurrentSkipListMap<>();
    private int lastId;
    private volatile TargetException failure;

    public Connection(AgentTransport transport, LinkOptions options, Receiver receiver) {
        this.link = new Link(transport, options, new Link.Receiver() {
            @Override
            public void receive(FromAgent message) throws InterruptedException {
                if (message.getRequestId() == 0) {
                    receiver.receive(message);
                    return;
                }
                // A reply that nobody waits for any more came after its time-out, or twice.
                Pending<?> waiting = pending.remove(message.getRequestId());
                if (waiting != null) {
                    waiting.complete(message);
                }
            }

            @Override
            public void resumed(Runnable activate) {
                sendAgain(activate);
            }

            @Override
            public void gone(TargetException why) {
                // Looked at after a request was entered: whoever sets it fails what is entered then.
                failure = why;
                pending.values().forEach(p -> p.fail(why));
                receiver.lost(why);
            }
        });
        link.start();
    }

    public Link link() {
        return link;
    }

    /** Whether the agent works on something, and so may not answer a ping. */
    public boolean isAsking() {
        return !pending.isEmpty();
    }

    /**
     * Sends a request and waits for its reply.
     *
     * @param request without its id
     * @param what    for messages, as in "The agent did not …": "list the processes"
     * @param timeout while the link is there
     */
    public <T> T request(ToAgent.Builder request, String what, Duration timeout, Conversion<T> conversion)
            throws TargetException, InterruptedException {
        return request(request, what, timeout, false, conversion);
    }

    /** As {@link #request}, of one whose reply comes after much else: the time counts while nothing comes. */
    public <T> T requestBehindAll(ToAgent.Builder request, String what, Duration timeout, Conversion<T> conversion)
            throws TargetException, InterruptedException {
        return request(request, what, timeout, true, conversion);
    }

    private <T> T request(ToAgent.Builder request, String what, Duration timeout, boolean behindAll,
            Conversion<T> conversion) throws TargetException, InterruptedException {
        Pending<T> asked = send(request, conversion);
        try {
            // The end may have passed over a request that was entered just then.
            TargetException over = failure;
            if (over != null) {
                asked.fail(over);
            }
            return await(asked, timeout, behindAll);
        } catch (TimeoutException e) {
            throw new TargetException(Kind.NOT_REACHED, "The agent did not " + what + " within "
                    + timeout.toSeconds() + " s; disconnect and try again", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TargetException t ? t.again()
                    : new TargetException(Kind.FAILED, "The agent's reply can't be used: " + reason(e.getCause()), e.getCause());
        } finally {
            pending.remove(asked.request.getRequestId());
        }
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private synchronized <T> Pending<T> send(ToAgent.Builder request, Conversion<T> conversion) {
        int id = ++lastId;
        var asked = new Pending<>(request.setRequestId(id).build(), conversion);
        pending.put(id, asked);
        link.send(asked.request);
        return asked;
    }

    private synchronized void sendAgain(Runnable activate) {
        activate.run();
        pending.values().forEach(p -> link.send(p.request));
    }

    private <T> T await(Pending<T> asked, Duration timeout, boolean behindAll)
            throws ExecutionException, InterruptedException, TimeoutException {
        long left = timeout.toNanos();
        while (true) {
            long begin = System.nanoTime();
            try {
                return asked.future.get(Math.min(left, STEP.toNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                boolean excused = !link.isUp() || behindAll && link.heardNanos() - begin >= 0;
                left -= excused ? 0 : System.nanoTime() - begin;
                // One whose reply is being taken has it in no time.
                if (left <= 0 && asked.decide()) {
                    throw e;
                }
                left = Math.max(left, STEP.toNanos() / 100);
            } catch (InterruptedException e) {
                if (asked.decide()) {
                    throw e;
                }
                T value = taken(asked.future);
                Thread.currentThread().interrupt();
                return value;
            }
        }
    }

    /** What has been decided, by one who is interrupted: it can't be made undone. */
    private static <T> T taken(CompletableFuture<T> future) throws ExecutionException {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw new ExecutionException(e.getCause());
        }
    }

    /** Ends the connection for a reason; the first one counts. */
    public void fail(TargetException why) {
        link.gone(why);
    }

    @Override
    public void close() {
        link.close();
    }
}
