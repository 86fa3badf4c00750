// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;

/** Writes messages to a stream, each as a whole. Safe for use by several threads. */
public final class FrameWriter {
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    /** @param out not closed by this class */
    public FrameWriter(OutputStream out) {
        this.out = Objects.requireNonNull(out);
    }

    /**
     * Sends a message and flushes the stream.
     *
     * @throws FrameException if it is empty or too long; nothing was sent then
     * @throws IOException    if the stream can't be written; its other end may have seen a part
     */
    public void write(MessageLite message) throws IOException {
        int length = message.getSerializedSize();
        if (length < Frames.MIN_LENGTH || length > Frames.MAX_LENGTH) {
            throw new FrameException("A message of " + length + " bytes can't be sent: 1 to " + Frames.MAX_LENGTH
                    + " are allowed");
        }
        byte[] frame = new byte[Frames.HEADER_BYTES + length];
        for (int i = 0; i < Frames.HEADER_BYTES; i++) {
            frame[i] = (byte) (length >> 8 * i);
        }
        CodedOutputStream coded = CodedOutputStream.newInstance(frame, Frames.HEADER_BYTES, length);
        message.writeTo(coded);
        coded.checkNoSpaceLeft();
        lock.lock();
        try {
            out.write(frame);
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
