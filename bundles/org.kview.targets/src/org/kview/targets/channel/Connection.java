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
 * Requests and their replies over a link. When the agent ends, all pending requests fail with one sentence.
 * While the link is lost and may come back, they wait.
 */
public final class Connection implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(200);

    /** Takes the messages that are not replies, and hears of the end. */
    public interface Receiver {
        /** May block; nothing is read meanwhile. */
        void receive(FromAgent message) throws InterruptedException;

        /** The connection has ended. Called once, also after {@link Connection#close}. */
        void lost(TargetException why);
    }

    /** Turns a reply into a value, on the reading thread, before the next message is received. */
    public interface Conversion<T> {
        /**
         * Must not wait for anything.
         *
         * @throws TargetException if the reply is not of the expected kind, or comes too late
         */
        T convert(FromAgent reply) throws TargetException;
    }

    /** What comes first decides a request: its reply, the end of the connection, or that its caller gives up. */
    private record Pending<T>(ToAgent request, Conversion<T> conversion, CompletableFuture<T> future,
            AtomicBoolean decided) {
        Pending(ToAgent request, Conversion<T> conversion) {
            this(request, conversion, new CompletableFuture<>(), new AtomicBoolean());
        }

        /** Whether this call was the first, and so its caller decides. */
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
    /** By request id: ids ascend in the order of sending. */
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
                // Nobody waits for a reply that comes after its time-out, or a second time.
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
                // Set first: a request that is entered too late for the next line reads it after it was entered.
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

    /** Whether the agent works on a request, and so may not answer a ping. */
    public boolean isAsking() {
        return !pending.isEmpty();
    }

    /**
     * Sends a request and waits for its reply.
     *
     * @param request without its id
     * @param what    for messages, as in "The agent did not …": "list the processes"
     * @param timeout does not run while the link is lost
     */
    public <T> T request(ToAgent.Builder request, String what, Duration timeout, Conversion<T> conversion)
            throws TargetException, InterruptedException {
        return request(request, what, timeout, false, conversion);
    }

    /**
     * As {@link #request}, for a request whose reply comes after many other messages: the time-out runs only
     * while nothing arrives.
     */
    public <T> T requestBehindAll(ToAgent.Builder request, String what, Duration timeout, Conversion<T> conversion)
            throws TargetException, InterruptedException {
        return request(request, what, timeout, true, conversion);
    }

    private <T> T request(ToAgent.Builder request, String what, Duration timeout, boolean behindAll,
            Conversion<T> conversion) throws TargetException, InterruptedException {
        Pending<T> asked = send(request, conversion);
        try {
            // If the connection ended just then, its end may have missed this request.
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
                // A reply that is just being converted decides first, and is there in a moment.
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

    /** The result for a caller that was interrupted after the request had been decided: that can't be undone. */
    private static <T> T taken(CompletableFuture<T> future) throws ExecutionException {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw new ExecutionException(e.getCause());
        }
    }

    /** Ends the connection; the first reason counts. */
    public void fail(TargetException why) {
        link.gone(why);
    }

    @Override
    public void close() {
        link.close();
    }
}
