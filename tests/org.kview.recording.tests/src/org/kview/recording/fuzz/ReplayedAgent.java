// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.kview.targets.channel.AgentTransport;
import org.kview.testing.Pipe;
import org.kview.wire.FrameReader;
import org.kview.wire.proto.ToAgent;

/** Says one piece after each request, whatever is asked, and then ends, or goes on for ever. */
final class ReplayedAgent implements AgentTransport {
    private static final byte[] END = new byte[0];
    private static final int STUCK_MILLIS = 1000;

    private final Iterator<byte[]> pieces;
    private final Duration patience;
    private final byte[] endless;
    private final AtomicLong sentBytes = new AtomicLong();
    private final LinkedBlockingQueue<byte[]> due = new LinkedBlockingQueue<>();
    private final Pipe requests = new Pipe(1 << 16);

    /** @param patience how long it waits for a request before it hangs up */
    ReplayedAgent(List<byte[]> pieces, Duration patience) {
        this(pieces, patience, new byte[0]);
    }

    /** @param endless what it says again and again after the last piece; nothing if empty */
    ReplayedAgent(List<byte[]> pieces, Duration patience, byte[] endless) {
        this.pieces = pieces.iterator();
        this.patience = patience;
        this.endless = endless;
    }

    /** What the client has taken when it takes nothing more for a while; or more than {@code most}. */
    long sentUntilStuck(long most) throws InterruptedException {
        long before = -1;
        while (sentBytes.get() > before && sentBytes.get() <= most) {
            before = sentBytes.get();
            Thread.sleep(STUCK_MILLIS);
        }
        return sentBytes.get();
    }

    private synchronized void next() {
        if (pieces.hasNext()) {
            byte[] piece = pieces.next();
            due.add(piece.clone()); // an empty one is not the end
        }
        if (!pieces.hasNext()) {
            due.add(endless.length == 0 ? END : endless);
        }
    }

    @Override
    public InputStream input() {
        return new InputStream() {
            private byte[] piece = new byte[0];
            private int at;
            private boolean ended;

            @Override
            public int read() {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                while (at == piece.length && !ended) {
                    try {
                        // A host that leaves a request unanswered hangs up.
                        byte[] next = piece == endless && due.isEmpty() ? endless : Optional.ofNullable(due.poll(patience.toMillis(), TimeUnit.MILLISECONDS)).orElse(END);
                        ended = next == END;
                        piece = next;
                        at = 0;
                    } catch (InterruptedException e) {
                        ended = true;
                    }
                }
                int count = Math.min(length, piece.length - at);
                System.arraycopy(piece, at, target, offset, count);
                at += count;
                sentBytes.addAndGet(count);
                return ended && count == 0 ? -1 : count;
            }
        };
    }

    @Override
    public OutputStream output() {
        Thread.ofVirtual().name("replayed-agent").start(() -> {
            var reader = new FrameReader<>(requests.input(), ToAgent.parser());
            try {
                while (reader.read().isPresent()) {
                    next();
                }
            } catch (IOException e) {
                // The client is no more.
            }
            close();
        });
        return requests.output();
    }

    @Override
    public InputStream errors() {
        return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public String description() {
        return "the agent of a test";
    }

    @Override
    public boolean raisesPrivileges() {
        return false;
    }

    @Override
    public OptionalInt awaitExit(Duration timeout) {
        return OptionalInt.of(0);
    }

    @Override
    public void kill() {
        due.add(END);
    }

    /** Nothing of it stays: the thread that takes the requests ends, too. */
    @Override
    public void close() {
        due.add(END);
        try {
            requests.output().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
