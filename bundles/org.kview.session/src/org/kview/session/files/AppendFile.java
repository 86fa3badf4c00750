// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/**
 * A file that grows by whole pieces: a piece that could not be written in full, for example because the disk is full, is
 * taken back.
 */
public final class AppendFile implements AutoCloseable {
    private final Path path;
    private final Disk disk;
    private final SeekableByteChannel channel;
    private long length;

    private AppendFile(Path path, Disk disk, SeekableByteChannel channel) {
        this.path = path;
        this.disk = disk;
        this.channel = channel;
    }

    public static AppendFile create(Path path, Disk disk) throws IOException {
        return new AppendFile(path, disk, disk.create(path));
    }

    /** One that nobody but its owner may open. */
    public static AppendFile createPrivate(Path path, Disk disk) throws IOException {
        return new AppendFile(path, disk, disk.createPrivate(path));
    }

    /** The bytes of all whole pieces. */
    public long length() {
        return length;
    }

    /** @throws IOException if the piece could not be written; the file is as before */
    public void append(ByteBuffer piece) throws IOException {
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
                // The next piece overwrites what is left of this one. Until then, readers stop at the length in
                // session.json.
                e.addSuppressed(f);
            }
            throw e;
        }
        length += piece.remaining();
    }

    /** Brings what was written to the disk. */
    public void sync() throws IOException {
        disk.sync(path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
