// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** As a pipe of the operating system: bounded, closed from either end, and no thread owns an end. */
public final class Pipe {
    private final byte[] bytes;
    private int begin;
    private int count;
    private boolean writerClosed;
    private boolean readerClosed;

    public Pipe(int capacity) {
        bytes = new byte[capacity];
    }

    /** Ends at the writer's close, once all was read. */
    public InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return take(target, offset, length);
            }

            @Override
            public void close() {
                closeReader();
            }
        };
    }

    /** Blocks while the pipe is full; fails once the reader has closed. */
    public OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                put(source, offset, offset + length);
            }

            @Override
            public void close() {
                closeWriter();
            }
        };
    }

    private synchronized int take(byte[] target, int offset, int length) throws IOException {
        while (count == 0 && !writerClosed && !readerClosed) {
            await();
        }
        if (readerClosed) {
            throw new IOException("Stream closed");
        }
        if (count == 0) {
            return -1;
        }
        int taken = Math.min(length, count);
        int beforeEnd = Math.min(taken, bytes.length - begin);
        System.arraycopy(bytes, begin, target, offset, beforeEnd);
        System.arraycopy(bytes, 0, target, offset + beforeEnd, taken - beforeEnd);
        begin = (begin + taken) % bytes.length;
        count -= taken;
        notifyAll();
        return taken;
    }

    private synchronized void put(byte[] source, int from, int to) throws IOException {
        for (int at = from; at < to;) {
            while (count == bytes.length && !readerClosed && !writerClosed) {
                await();
            }
            if (readerClosed || writerClosed) {
                throw new IOException("Broken pipe");
            }
            int end = (begin + count) % bytes.length;
            int copied = Math.min(to - at, Math.min(bytes.length - count, bytes.length - end));
            System.arraycopy(source, at, bytes, end, copied);
            count += copied;
            at += copied;
            notifyAll();
        }
    }

    private void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private synchronized void closeReader() {
        readerClosed = true;
        notifyAll();
    }

    private synchronized void closeWriter() {
        writerClosed = true;
        notifyAll();
    }
}
