/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that grows by whole pieces: a piece that could not be written in full, because the disk is
 * full, say, is taken back.
 */
final class AppendFile implements AutoCloseable {
    private final Path path;
    private final SeekableByteChannel channel;
    private long length;

    private AppendFile(Path path, SeekableByteChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** How a new file is opened for writing; tests put a disk in between that gets full. */
    @FunctionalInterface
    interface Opener {
        SeekableByteChannel create(Path path) throws IOException;
    }

    static AppendFile create(Path path, Opener opener) throws IOException {
        return new AppendFile(path, opener.create(path));
    }

    /** The bytes of all whole pieces. */
    long length() {
        return length;
    }

    /** @throws IOException if the piece could not be written; the file is as before */
    void append(ByteBuffer piece) throws IOException {
        ByteBuffer left = piece.slice();
        try {
            channel.position(length);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        } catch (IOException e) {
            try {
                channel.truncate(length);
            } catch (IOException f) {
                // The next piece overwrites the rest; until then the length in session.json tells readers.
                e.addSuppressed(f);
            }
            throw e;
        }
        length += piece.remaining();
    }

    /** Brings what was written to the disk. */
    void force() throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
