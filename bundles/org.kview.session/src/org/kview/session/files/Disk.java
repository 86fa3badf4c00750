// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import org.kview.session.format.SessionFiles;

/** What a session is written to. Tests put a disk in its place that gets full, or that loses power. */
@FunctionalInterface
public interface Disk {
    /** The machine's own. */
    Disk REAL = new Disk() {
        @Override
        public SeekableByteChannel create(Path path) throws IOException {
            return Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }

        @Override
        public SeekableByteChannel createPrivate(Path path) throws IOException {
            return PRIVATE.create(path);
        }
    };
    /** The same, where nobody but their owner may open new files. */
    Disk PRIVATE = path -> Files.newByteChannel(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    /** Opens a new file for writing. */
    SeekableByteChannel create(Path path) throws IOException;

    /** Likewise one that nobody but its owner may open. */
    default SeekableByteChannel createPrivate(Path path) throws IOException {
        return create(path);
    }

    /** Waits until what was written to a file would survive a power failure. */
    default void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Waits until a folder's entries would survive a power failure. */
    default void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Some file systems can't sync folders. The files themselves were synced before they were renamed.
        }
    }

    /** Renames a file to the name of another one, which it replaces. */
    default void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Replaces a file as a whole. Whatever happens meanwhile, even a power failure, the name leads to the complete
     * former file or to the complete new one.
     *
     * @throws IOException if it could not be written; the file is as before
     */
    default void replace(Path file, byte[] bytes) throws IOException {
        replace(file, file.resolveSibling(file.getFileName() + SessionFiles.TEMPORARY_SUFFIX), bytes);
    }

    /**
     * Likewise.
     *
     * @param temporary beside the file: what it is written to before it gets its name; replaced if it exists
     */
    default void replace(Path file, Path temporary, byte[] bytes) throws IOException {
        Files.deleteIfExists(temporary);
        try {
            try (AppendFile out = Files.isRegularFile(file) ? AppendFile.createPrivate(temporary, this)
                    : AppendFile.create(temporary, this)) {
                out.append(ByteBuffer.wrap(bytes));
                out.sync();
            }
            FileRights.copy(file, temporary);
            rename(temporary, file);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        Path parent = file.getParent();
        if (parent != null) {
            syncFolder(parent);
        }
    }
}
