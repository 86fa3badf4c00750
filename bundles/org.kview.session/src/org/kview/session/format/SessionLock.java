// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.kview.session.SessionException;

/**
 * Marks a session as being recorded while its writer lives. When the writer's process ends in any way, the operating system
 * releases the lock. A session that is not locked, and whose session.json does not say how it ended, was cut off.
 */
public final class SessionLock implements AutoCloseable {
    private final Folder folder;
    private final Path file;
    private final Optional<FileChannel> channel;

    private SessionLock(Folder folder, Path file, Optional<FileChannel> channel) {
        this.folder = folder;
        this.file = file;
        this.channel = channel;
    }

    /**
     * A folder that this process records into, or asks about just now. Whoever opens the lock's file holds this object's
     * monitor until a lock is noted here or the file is closed: closing a file releases every lock that the process has on it,
     * and Java lets only one thread at a time ask for a lock. There is one monitor for each folder, so a disk that hangs
     * delays only those who ask about a folder on it.
     */
    private static final class Folder implements AutoCloseable {
        /**
         * The operating system's locks are those of a process: within the process they exclude nobody. So the process itself
         * keeps this one map of the folders in use.
         */
        private static final Map<Object, Folder> USED = new ConcurrentHashMap<>();

        private final Object key;
        /** How many have not closed it yet; changes only within USED.compute. */
        private int users;
        /** The lock of a recording of this process; guarded by this. */
        private Optional<SessionLock> held = Optional.empty();
        /** Whether no writer has taken over that lock yet; guarded by this. */
        private boolean claimed;

        private Folder(Object key) {
            this.key = key;
        }

        /** To be closed after use. */
        static Folder use(Path path) {
            return useKey(keyOf(path));
        }

        private static Folder useKey(Object key) {
            return USED.compute(key, (_, known) -> {
                Folder folder = known == null ? new Folder(key) : known;
                folder.users++;
                return folder;
            });
        }

        void hold(Path file, Optional<FileChannel> channel) {
            held = Optional.of(new SessionLock(useKey(key), file, channel));
        }

        void release() {
            synchronized (this) {
                held = Optional.empty();
            }
            close();
        }

        @Override
        public void close() {
            USED.compute(key, (_, folder) -> --users == 0 ? null : folder);
        }

        /** The same for every path that leads to the folder, and after it was renamed. */
        private static Object keyOf(Path path) {
            try {
                Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
                return key == null ? path.toRealPath() : key;
            } catch (IOException e) {
                return path.toAbsolutePath().normalize();
            }
        }
    }

    /** Takes the lock for a writer that is created later and takes it over. */
    public static SessionLock claim(Path path) throws IOException {
        try (Folder folder = Folder.use(path)) {
            synchronized (folder) {
                SessionLock lock = lock(folder, path);
                folder.claimed = true;
                return lock;
            }
        }
    }

    /** Releases it, if no writer has taken it over. */
    public void unclaim() {
        synchronized (folder) {
            if (!folder.claimed || folder.held.orElseThrow() != this) {
                return;
            }
            folder.claimed = false;
        }
        close();
    }

    /** Takes the lock, or takes it over from a {@link #claim}. */
    public static SessionLock take(Path path) throws IOException {
        try (Folder folder = Folder.use(path)) {
            synchronized (folder) {
                SessionLock lock = folder.claimed ? folder.held.orElseThrow() : lock(folder, path);
                folder.claimed = false;
                return lock;
            }
        }
    }

    private static SessionLock lock(Folder folder, Path path) throws IOException {
        if (folder.held.isPresent()) {
            throw new SessionException(path + " exists already, and is being recorded");
        }
        Path file = path.resolve(SessionFiles.LOCK);
        folder.hold(file, open(file, path));
        return folder.held.orElseThrow();
    }

    /** Empty if the file system does not support locks: then only this process knows of its recording. */
    private static Optional<FileChannel> open(Path file, Path path) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(channel);
            }
        } catch (IOException e) {
            channel.close();
            return Optional.empty();
        }
        channel.close();
        throw new SessionException(path + " is being recorded by another program");
    }

    /** Whether a recording into this folder goes on, in this process or another. Changes nothing. */
    public static boolean isHeld(Path path) {
        Path file = path.resolve(SessionFiles.LOCK);
        try (Folder folder = Folder.use(path)) {
            synchronized (folder) {
                return folder.held.isPresent()
                        || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isHeldElsewhere(file);
            }
        }
    }

    private static boolean isHeldElsewhere(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** A lock that can't be released now is released when the process ends. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            if (channel.isPresent()) {
                channel.get().close();
            }
        } catch (IOException e) {
            // The file alone means nothing: only the lock on it counts.
        } finally {
            folder.release();
        }
    }
}
