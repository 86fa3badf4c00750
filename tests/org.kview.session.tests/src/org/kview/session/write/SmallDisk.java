// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

import org.kview.session.files.Disk;

/** A folder on a disk that gets full: writes what fits, then fails as the kernel does. */
final class SmallDisk implements Disk {
    private final Path folder;
    private long capacityBytes;

    SmallDisk(Path folder, long capacityBytes) {
        this.folder = folder;
        this.capacityBytes = capacityBytes;
    }

    void grow(long bytes) {
        capacityBytes += bytes;
    }

    long usedBytes() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> {
                try {
                    return Files.size(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SeekableByteChannel create(Path path) throws IOException {
        SeekableByteChannel channel = Files.newByteChannel(path, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        return new SeekableByteChannel() {
            @Override
            public int write(ByteBuffer source) throws IOException {
                long growth = channel.position() + source.remaining() - channel.size();
                long fits = source.remaining() - Math.max(0, growth - Math.max(0, capacityBytes - usedBytes()));
                if (fits <= 0 && source.hasRemaining()) {
                    throw new IOException("No space left on device");
                }
                ByteBuffer part = source.slice(source.position(), (int) fits);
                int written = channel.write(part);
                source.position(source.position() + written);
                return written;
            }

            @Override
            public int read(ByteBuffer target) throws IOException {
                return channel.read(target);
            }

            @Override
            public long position() throws IOException {
                return channel.position();
            }

            @Override
            public SeekableByteChannel position(long position) throws IOException {
                channel.position(position);
                return this;
            }

            @Override
            public long size() throws IOException {
                return channel.size();
            }

            @Override
            public SeekableByteChannel truncate(long size) throws IOException {
                channel.truncate(size);
                return this;
            }

            @Override
            public boolean isOpen() {
                return channel.isOpen();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
