// SPDX-License-Identifier: EPL-2.0
package org.kview.target;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.kview.target.TargetException.Kind;
import org.kview.wire.FrameReader;
import org.kview.wire.FrameWriter;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ToAgent;

/**
 * Requests and their replies over a transport. A virtual thread reads; when the agent ends, all that
 * is pending fails with one sentence.
 */
final class Connection implements AutoCloseable {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(2);

    /** Takes what belongs to no request, and hears of the end. Called by the reading thread. */
    interface Receiver {
        /** May block: nothing is read meanwhile. */
        void receive(FromAgent message) throws InterruptedException;

        /** The connection is no more; called once, also after {@link Connection#close}. */
        void lost(TargetException why);
    }

    /** Turns a reply into a value, on the reading thread: before anything that follows it is received. */
    interface Conversion<T> {
        /** @throws TargetException if the reply is not of the kind asked for */
        T convert(FromAgent reply) throws TargetException;
    }

    private record Pending<T>(Conversion<T> conversion, CompletableFuture<T> future) {
        void complete(FromAgent reply) {
            try {
                if (reply.hasError()) {
                    throw WireValues.exception(reply.getError());
                }
                future.complete(conversion.convert(reply));
            } catch (TargetException | RuntimeException e) {
                future.completeExceptionally(e);
            }
        }
    }

    private final AgentTransport transport;
    private final Receiver receiver;
    private final FrameWriter writer;
    private final ErrorLines errors;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, Pending<?>> pending = new ConcurrentHashMap<>();
    private volatile TargetException failure;
    private volatile boolean closed;

    Connection(AgentTransport transport, Receiver receiver) {
        this.transport = transport;
        this.receiver = receiver;
        this.writer = new FrameWriter(transport.output());
        this.errors = new ErrorLines(transport.errors());
        Thread.ofVirtual().name("kview-agent-reader").start(this::read);
    }

    /**
     * Sends a request and waits for its reply.
     *
     * @param request without its id
     * @param what    for messages, as in "The agent did not …": "list the processes"
     */
    <T> T request(ToAgent.Builder request, String what, Duration timeout, Conversion<T> conversion)
            throws TargetException, InterruptedException {
        int id = lastId.incrementAndGet();
        CompletableFuture<T> future = new CompletableFuture<>();
        pending.put(id, new Pending<>(conversion, future));
        try {
            // Looked at after the request was entered: whoever sets it fails what is entered then.
            if (failure == null) {
                send(request.setRequestId(id).build());
            } else {
                throw failure.again();
            }
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new TargetException(Kind.NOT_REACHED, "The agent did not " + what + " within "
                    + timeout.toSeconds() + " s; disconnect and try again", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TargetException t ? t.again()
                    : new TargetException(Kind.FAILED, "The agent's reply can't be used: " + e.getCause(), e.getCause());
        } finally {
            pending.remove(id);
        }
    }

    private void send(ToAgent message) {
        try {
            writer.write(message);
        } catch (IOException e) {
            // The agent closed its input, so it is ending: the reader hears of that too, and knows
            // better why. All that is pending, this request included, then fails with its reason.
        }
    }

    private void read() {
        TargetException why;
        try {
            FrameReader<FromAgent> reader = new FrameReader<>(transport.input(), FromAgent.parser());
            for (Optional<FromAgent> message = reader.read(); message.isPresent(); message = reader.read()) {
                dispatch(message.get());
            }
            why = ended();
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            why = garbled(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = new TargetException(Kind.CONNECTION_LOST, "The connection's reading was interrupted");
        }
        fail(why);
    }

    private void dispatch(FromAgent message) throws InterruptedException {
        if (message.getRequestId() == 0) {
            receiver.receive(message);
            return;
        }
        // A reply that nobody waits for any more came after its time-out.
        Pending<?> waiting = pending.get(message.getRequestId());
        if (waiting != null) {
            waiting.complete(message);
        }
    }

    private TargetException ended() {
        if (closed) {
            return disconnected();
        }
        StringBuilder text = new StringBuilder(agent()).append(" ended unexpectedly");
        try {
            OptionalInt status = transport.awaitExit(END_TIMEOUT);
            status.ifPresent(s -> text.append(s > 128 ? ", killed by signal " + (s - 128) : ", with exit status " + s));
            errors.lastAtEnd(END_TIMEOUT).ifPresent(line -> text.append(", after it said: ").append(line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new TargetException(Kind.CONNECTION_LOST, text.append("; connect again to go on").toString());
    }

    private TargetException garbled(Exception e) {
        if (closed) {
            return disconnected();
        }
        // It may be anything: it need not end because its input does.
        transport.kill();
        return new TargetException(Kind.CONNECTION_LOST, agent() + " sent what can't be understood: "
                + e.getMessage() + "; see that it is the agent that came with this workbench", e);
    }

    private TargetException disconnected() {
        return new TargetException(Kind.CONNECTION_LOST, agent() + " was disconnected; connect again to go on");
    }

    private String agent() {
        String text = transport.description();
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** Ends the connection for a reason; the first one counts. */
    void fail(TargetException why) {
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = why;
        }
        pending.values().forEach(p -> p.future.completeExceptionally(why));
        receiver.lost(why);
        // Closing waits for the agent's end, and whoever found the fault need not.
        Thread.ofVirtual().name("kview-agent-end").start(transport::close);
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }
}
