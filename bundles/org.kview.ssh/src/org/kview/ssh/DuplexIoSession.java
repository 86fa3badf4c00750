// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.sshd.common.future.CloseFuture;
import org.apache.sshd.common.io.AbstractIoWriteFuture;
import org.apache.sshd.common.io.IoHandler;
import org.apache.sshd.common.io.IoService;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.closeable.AbstractCloseable;

/**
 * The SSH library's view of a {@link DuplexStream}. Two virtual threads move the bytes. If the calling thread
 * wrote itself, writing could block the thread that reads, while the peer waits for its data to be read.
 */
final class DuplexIoSession extends AbstractCloseable implements IoSession {
    private static final int READ_BYTES = 64 << 10;
    private static final String CLOSED = "the host closed the connection";

    private static final class Write extends AbstractIoWriteFuture {
        private final byte[] bytes;
        private final int offset;
        private final int length;

        Write(Object id, Buffer buffer) {
            super(id, null);
            bytes = buffer.array();
            offset = buffer.rpos();
            length = buffer.available();
        }

        void done() {
            setValue(Boolean.TRUE);
        }

        void failed(Throwable cause) {
            setValue(cause);
        }
    }

    private final DuplexStream stream;
    private final IoService service;
    private final IoHandler handler;
    private final SocketAddress remote;
    private final SocketAddress local;
    private final Map<Object, Object> attributes = new ConcurrentHashMap<>();
    private final BlockingQueue<Write> writes = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition resumed = lock.newCondition();
    private boolean suspended;
    private volatile Thread writer;
    private volatile Optional<Exception> cause = Optional.empty();

    DuplexIoSession(DuplexStream stream, IoService service, IoHandler handler, SocketAddress local, SocketAddress remote) {
        this.stream = stream;
        this.service = service;
        this.handler = handler;
        this.local = local;
        this.remote = remote;
    }

    void start() {
        writer = Thread.ofVirtual().name("kview-ssh-writer").start(this::writeAll);
        Thread.ofVirtual().name("kview-ssh-reader").start(this::readAll);
    }

    private void readAll() {
        byte[] bytes = new byte[READ_BYTES];
        try {
            for (int count = stream.input().read(bytes); count >= 0; count = stream.input().read(bytes)) {
                awaitResumed();
                if (isClosing()) {
                    return;
                }
                handler.messageReceived(this, new ByteArrayBuffer(bytes, 0, count));
            }
            throw new EOFException(CLOSED);
        } catch (IOException e) {
            failed(new EOFException(CLOSED));
        } catch (Exception e) {
            failed(e);
        }
    }

    private void writeAll() {
        try {
            while (!isClosed()) {
                Write write = writes.take();
                try {
                    stream.output().write(write.bytes, write.offset, write.length);
                    if (writes.isEmpty()) {
                        stream.output().flush();
                    }
                    write.done();
                } catch (IOException e) {
                    // The same words as the reading thread's: it is chance which of the two notices first.
                    EOFException closed = new EOFException(CLOSED);
                    write.failed(closed);
                    failed(closed);
                    return;
                }
            }
        } catch (InterruptedException e) {
            // The session has ended, and has completed the writes that were not done.
        }
    }

    /** Why the session ended, where it did not end as it should. */
    Optional<Exception> cause() {
        return cause;
    }

    private void failed(Exception why) {
        if (isOpen()) {
            cause = cause.or(() -> Optional.of(why));
            try {
                handler.exceptionCaught(this, why);
            } catch (Exception e) {
                // There is no session yet that could be told. Closing tells whoever waits for one.
            }
        }
        close(true);
    }

    @Override
    public IoWriteFuture writeBuffer(Buffer buffer) {
        Write write = new Write(remote, buffer);
        writes.add(write);
        if (isClosed()) {
            failPending();
        }
        return write;
    }

    private void failPending() {
        for (Write write = writes.poll(); write != null; write = writes.poll()) {
            write.failed(new ClosedChannelException());
        }
    }

    @Override
    protected CloseFuture doCloseGracefully() {
        return builder().when(toString(), java.util.List.copyOf(writes)).build().close(false);
    }

    @Override
    protected void doCloseImmediately() {
        stream.close();
        super.doCloseImmediately();
        Thread thread = writer;
        if (thread != null) {
            thread.interrupt();
        }
        failPending();
        resumeRead();
        try {
            handler.sessionClosed(this);
        } catch (Exception e) {
            // There was no session yet.
        }
    }

    @Override
    public void suspendRead() {
        lock.lock();
        try {
            suspended = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resumeRead() {
        lock.lock();
        try {
            suspended = false;
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitResumed() throws InterruptedException {
        lock.lock();
        try {
            while (suspended) {
                resumed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void shutdownOutputStream() throws IOException {
        stream.output().close();
    }

    @Override
    public long getId() {
        return System.identityHashCode(this);
    }

    @Override
    public SocketAddress getAcceptanceAddress() {
        return null;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return local;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public IoService getService() {
        return service;
    }

    @Override
    public Object getAttribute(Object key) {
        return attributes.get(key);
    }

    @Override
    public Object setAttribute(Object key, Object value) {
        return attributes.put(key, value);
    }

    @Override
    public Object setAttributeIfAbsent(Object key, Object value) {
        return attributes.putIfAbsent(key, value);
    }

    @Override
    public Object removeAttribute(Object key) {
        return attributes.remove(key);
    }

    @Override
    public String toString() {
        return "stream to " + remote;
    }
}
