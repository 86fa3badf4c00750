// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A network between a client and a port of this machine, which does what networks do: it stalls,
 * breaks, delays and garbles. Faults act on all connections, those to come included.
 */
public final class Relay implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final Duration RETRANSMISSION = Duration.ofMillis(200);

    private record Pair(Socket client, Socket server) {
    }

    /** What is on its way, for as long as the network takes. */
    private record Chunk(byte[] bytes, long dueNanos) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(dueNanos, ((Chunk) other).dueNanos);
        }
    }

    private final ServerSocket listening;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger toGarble = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition flows = lock.newCondition();
    private boolean stalled;
    private volatile boolean refusing;
    private volatile Duration delay = Duration.ZERO;
    private volatile double lossShare;

    /** @param target the port on loopback that it leads to */
    public Relay(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("relay").start(this::accept);
    }

    /** To connect to instead of the target. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Nothing arrives any more, and nobody is told: a cable that was pulled. */
    public void stall() {
        setStalled(true);
    }

    /** What was sent meanwhile arrives. */
    public void flow() {
        setStalled(false);
    }

    /** Resets all connections, and refuses new ones: a firewall that was switched on. */
    public void cut() {
        refusing = true;
        pairs.forEach(Relay::reset);
        pairs.clear();
        setStalled(false);
    }

    /** New connections come through again. */
    public void mend() {
        refusing = false;
    }

    /** Turns some bits of the next bytes that pass, whichever way. */
    public void garble() {
        toGarble.set(1);
    }

    /** From now on bytes take so long, each way. */
    public void delay(Duration each) {
        delay = each;
    }

    /**
     * From now on this share of what passes is lost and sent again, as TCP does it: it comes one
     * retransmission time-out of 200 ms late, and holds up what follows.
     */
    public void lose(double share) {
        lossShare = share;
    }

    private void setStalled(boolean now) {
        lock.lock();
        try {
            stalled = now;
            flows.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (refusing) {
                    reset(client);
                    continue;
                }
                Pair pair = new Pair(client, new Socket(InetAddress.getLoopbackAddress(), target));
                pair.client.setTcpNoDelay(true);
                pair.server.setTcpNoDelay(true);
                pairs.add(pair);
                pass(pair, pair.client, pair.server);
                pass(pair, pair.server, pair.client);
            } catch (IOException e) {
                // Closed, or the target does not answer: the client sees that its connection ends.
            }
        }
    }

    private void pass(Pair pair, Socket from, Socket to) {
        DelayQueue<Chunk> onTheWay = new DelayQueue<>();
        Thread.ofVirtual().name("relay-in").start(() -> {
            byte[] bytes = new byte[CHUNK_BYTES];
            try {
                InputStream in = from.getInputStream();
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    onTheWay.add(new Chunk(Arrays.copyOf(bytes, count), System.nanoTime() + delay.toNanos()));
                    // Not more than a socket would hold.
                    while (onTheWay.size() > 256) {
                        Thread.sleep(1);
                    }
                }
            } catch (IOException | InterruptedException e) {
                // One end has gone.
            }
            onTheWay.add(new Chunk(new byte[0], System.nanoTime() + delay.toNanos()));
        });
        Thread.ofVirtual().name("relay-out").start(() -> {
            try {
                OutputStream out = to.getOutputStream();
                for (Chunk next = onTheWay.take(); next.bytes.length > 0; next = onTheWay.take()) {
                    awaitFlow();
                    if (ThreadLocalRandom.current().nextDouble() < lossShare) {
                        Thread.sleep(RETRANSMISSION);
                    }
                    if (toGarble.getAndSet(0) > 0) {
                        next.bytes[next.bytes.length / 2] ^= 0x55;
                    }
                    out.write(next.bytes);
                }
                to.shutdownOutput();
            } catch (IOException | InterruptedException e) {
                reset(pair);
                pairs.remove(pair);
            }
        });
    }

    private void awaitFlow() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (stalled) {
                flows.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void reset(Pair pair) {
        reset(pair.client);
        reset(pair.server);
    }

    private static void reset(Socket socket) {
        try {
            // Closing with RST, as nobody says goodbye on a line that breaks.
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
