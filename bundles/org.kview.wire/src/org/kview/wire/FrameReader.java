// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;

/**
 * Reads messages from a stream. After an exception the stream can't be trusted further and must be
 * closed. Not safe for use by several threads.
 *
 * @param <M> the messages that this side receives
 */
public final class FrameReader<M extends MessageLite> {
    /** So much is allocated when only the length of a message is known; more is allocated as its bytes arrive. */
    private static final int FIRST_BYTES = 64 << 10;

    private final InputStream in;
    private final Parser<M> parser;

    /** @param in not closed by this class, which has no buffer of its own */
    public FrameReader(InputStream in, Parser<M> parser) {
        this.in = Objects.requireNonNull(in);
        this.parser = Objects.requireNonNull(parser);
    }

    /**
     * The next message; blocks until it has arrived completely.
     *
     * @return empty if the stream ended between two messages
     * @throws FrameException if the stream ended within a message, or what arrived is not a message
     * @throws IOException    if it can't be read
     */
    public Optional<M> read() throws IOException {
        byte[] header = in.readNBytes(Frames.HEADER_BYTES);
        if (header.length == 0) {
            return Optional.empty();
        }
        if (header.length < Frames.HEADER_BYTES) {
            throw new FrameException("The connection ended within a message's length", true);
        }
        int length = header[0] & 0xff | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16 | header[3] << 24;
        if (length < Frames.MIN_LENGTH || length > Frames.MAX_LENGTH) {
            throw new FrameException("A message claims a length of " + Integer.toUnsignedLong(length)
                    + " bytes, and 1 to " + Frames.MAX_LENGTH + " are allowed");
        }
        return Optional.of(parse(body(length), length));
    }

    private byte[] body(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, FIRST_BYTES)];
        int arrived = 0;
        while (arrived < length) {
            if (arrived == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(length, 2 * arrived));
            }
            int count = in.read(bytes, arrived, bytes.length - arrived);
            if (count < 0) {
                throw new FrameException("The connection ended after " + arrived + " of a message's " + length
                        + " bytes", true);
            }
            arrived += count;
        }
        return bytes;
    }

    private M parse(byte[] bytes, int length) throws FrameException {
        // Most of the traffic is trace packets. Nobody else has this array, so they can refer to it without a copy.
        CodedInputStream coded = UnsafeByteOperations.unsafeWrap(bytes, 0, length).newCodedInput();
        coded.enableAliasing(true);
        try {
            M message = parser.parseFrom(coded);
            coded.checkLastTagWas(0);
            return message;
        } catch (InvalidProtocolBufferException e) {
            throw new FrameException("A message of " + length + " bytes is not one of the protocol: " + e.getMessage(),
                    e);
        }
    }
}
