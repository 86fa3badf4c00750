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
 * A transport in use, one of those that a link has in its life. One virtual thread reads and one
 * writes, so that nobody waits for a network that takes nothing.
 */
final class Carrier {
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    /** Called by the reading thread. */
    interface Handler {
        /** May block: nothing is read meanwhile. */
        void arrived(Carrier carrier, FromAgent message) throws InterruptedException;

        /**
         * Called once, whatever ended the reading.
         *
         * @param cause empty at a plain end
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

    /** Sees that bytes come, long before a message is whole. */
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

    /** Something came from the agent, or what looks like silence is none. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** Of {@link System#nanoTime()}. */
    long heardNanos() {
        return heardNanos;
    }

    AgentTransport transport() {
        return transport;
    }

    ErrorLines errors() {
        return errors;
    }

    /** Returns at once. What can't be sent is no concern of the caller's: the reading thread sees the end. */
    void send(ToAgent message) {
        outgoing.add(Optional.of(message));
    }

    private void write() {
        try {
            for (Optional<ToAgent> next = outgoing.take(); next.isPresent(); next = outgoing.take()) {
                writer.write(next.get());
            }
        } catch (IOException e) {
            // The agent closed its input, or the network is gone: the reader hears of that too, and knows better why.
        } catch (RuntimeException | Error e) {
            // Nothing is sent any more, and only the reader can tell.
            transport.kill();
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Sends a message and waits for what comes first; to be called before {@link #start}.
     *
     * @throws TargetException if nothing comes in time, or no message
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

    /** Empty where the agent still runs, or nobody knows. */
    OptionalInt awaitExit(Duration timeout) {
        try {
            return transport.awaitExit(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** Sends what waits to be sent, if the network takes it, and closes. */
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

    /** Gives it up: nothing is waited for. */
    void abandon() {
        outgoing.add(Optional.empty());
        Thread.ofVirtual().name("kview-agent-abandoned").start(transport::kill);
    }
}
