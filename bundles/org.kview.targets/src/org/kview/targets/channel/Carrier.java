// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.wire.FrameReader;
import org.kview.wire.FrameWriter;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ToAgent;

/**
 * A transport in use; a link may have several, one after the other. One virtual thread reads and one
 * writes, so that no caller waits for a network that takes nothing.
 */
final class Carrier {
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    /** Called by the reading thread. */
    interface Handler {
        /** May block; nothing is read meanwhile. */
        void arrived(Carrier carrier, FromAgent message) throws InterruptedException;

        /**
         * Called once, whatever ended the reading.
         *
         * @param cause empty where the stream simply ended
         */
        void ended(Carrier carrier, Optional<Throwable> cause);
    }

    private final AgentTransport transport;
    private final FrameReader<FromAgent> reader;
    private final FrameWriter writer;
    private final ErrorLines errors;
    private final BlockingQueue<Optional<ToAgent>> outgoing = new LinkedBlockingQueue<>();
    private final Thread writing;
    private volatile long heardNanos = System.nanoTime();

    Carrier(AgentTransport transport) {
        this.transport = transport;
        this.reader = new FrameReader<>(new Heard(transport.input()), FromAgent.parser());
        this.writer = new FrameWriter(transport.output());
        this.errors = new ErrorLines(transport.errors());
        this.writing = Thread.ofVirtual().name("kview-agent-writer").start(this::write);
    }

    /** Notes that bytes arrive, which may be long before a message is complete. */
    private final class Heard extends FilterInputStream {
        Heard(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            heard();
            return count;
        }
    }

    /** Notes that something came from the agent, or that its apparent silence has another cause. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** When something last came from the agent, by {@link System#nanoTime()}. */
    long heardNanos() {
        return heardNanos;
    }

    AgentTransport transport() {
        return transport;
    }

    ErrorLines errors() {
        return errors;
    }

    /** Returns at once. If the message can't be sent, the reading thread notices the end; the caller hears nothing. */
    void send(ToAgent message) {
        outgoing.add(Optional.of(message));
    }

    private void write() {
        try {
            for (Optional<ToAgent> next = outgoing.take(); next.isPresent(); next = outgoing.take()) {
                writer.write(next.get());
            }
        } catch (IOException e) {
            // The agent closed its input, or the network is gone. The reader hears of that, too, and knows better why.
        } catch (RuntimeException | Error e) {
            // From now on nothing is sent. Only the reader can report that: it sees the agent's end.
            transport.kill();
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Sends a message and waits for the first message from the agent; to be called before {@link #start}.
     *
     * @throws TargetException if nothing comes in time, or what comes is not a message
     */
    FromAgent ask(ToAgent message, Duration timeout) throws TargetException, InterruptedException {
        CompletableFuture<Optional<FromAgent>> answer = new CompletableFuture<>();
        send(message);
        Thread.ofVirtual().name("kview-agent-rejoin-reader").start(() -> {
            try {
                answer.complete(reader.read());
            } catch (IOException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS).orElseThrow(() -> new TargetException(
                    Kind.CONNECTION_LOST, "it ended without a word"));
        } catch (ExecutionException e) {
            throw new TargetException(Kind.CONNECTION_LOST, e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new TargetException(Kind.NOT_REACHED, "it did not answer within " + timeout.toSeconds() + " s", e);
        }
    }

    /** Begins to read. */
    void start(Handler handler) {
        heard();
        Thread.ofVirtual().name("kview-agent-reader").start(() -> {
            Optional<Throwable> cause = Optional.empty();
            try {
                for (Optional<FromAgent> m = reader.read(); m.isPresent(); m = reader.read()) {
                    handler.arrived(this, m.get());
                }
            } catch (IOException | RuntimeException | Error e) {
                cause = Optional.of(e);
            } catch (InterruptedException e) {
                cause = Optional.of(new IOException("reading was interrupted"));
            }
            handler.ended(this, cause);
        });
    }

    /** The agent's exit status; empty where it still runs, or where that is not known. */
    OptionalInt awaitExit(Duration timeout) {
        try {
            return transport.awaitExit(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** Sends what is still queued, if the network takes it, and closes. */
    void close() {
        outgoing.add(Optional.empty());
        try {
            if (!writing.join(LAST_WORDS)) {
                writing.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
    }

    /** Closes without waiting for anything. */
    void abandon() {
        outgoing.add(Optional.empty());
        Thread.ofVirtual().name("kview-agent-abandoned").start(transport::kill);
    }
}
