// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.kview.session.SessionException;

/**
 * Says that a session is being recorded, for as long as its writer lives: the operating system takes
 * the lock from a process that dies, however it dies. A session that has no lock and no end was cut off.
 */
public final class SessionLock implements AutoCloseable {
    /**
     * Keys of folders that this process writes to. It must not ask the operating system about those:
     * closing a file gives up all locks that the process has on it.
     */
    private static final Set<Object> OWN = ConcurrentHashMap.newKeySet();

    /** Locks of folders that no writer has taken over yet, by the folders' keys. */
    private static final Map<Object, SessionLock> CLAIMED = new ConcurrentHashMap<>();

    private final Path file;
    private final Object key;
    private final Optional<FileChannel> channel;

    private SessionLock(Path file, Object key, Optional<FileChannel> channel) {
        this.file = file;
        this.key = key;
        this.channel = channel;
    }

    /** Takes the lock for a writer that is created later and takes it over. */
    public static synchronized SessionLock claim(Path folder) throws IOException {
        if (OWN.contains(key(folder))) {
            throw new SessionException(folder + " exists already, and is being recorded");
        }
        SessionLock lock = take(folder);
        CLAIMED.put(lock.key, lock);
        return lock;
    }

    /** Releases it, if no writer has taken it over. */
    public void unclaim() {
        if (CLAIMED.remove(key, this)) {
            close();
        }
    }

    /** Where the file system knows no locks, only this process can tell. */
    public static synchronized SessionLock take(Path folder) throws IOException {
        Object key = key(folder);
        SessionLock claimed = CLAIMED.remove(key);
        if (claimed != null) {
            return claimed;
        }
        if (OWN.contains(key)) {
            throw new SessionException(folder + " exists already, and is being recorded");
        }
        Path file = folder.resolve(SessionFiles.LOCK);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        Optional<FileChannel> held = Optional.of(channel);
        try {
            if (channel.tryLock() == null) {
                channel.close();
                throw new SessionException(folder + " is being recorded by another program");
            }
        } catch (SessionException e) {
            throw e;
        } catch (IOException e) {
            channel.close();
            held = Optional.empty();
        }
        OWN.add(key);
        return new SessionLock(file, key, held);
    }

    /**
     * Whether a recording into this folder goes on, in this process or another. Changes nothing.
     * Synchronized, because Java throws OverlappingFileLockException if two threads ask for the same lock at once.
     */
    public static synchronized boolean isHeld(Path folder) {
        Path file = folder.resolve(SessionFiles.LOCK);
        if (OWN.contains(key(folder))) {
            return true;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** The same for every path that leads to the folder, and after it was renamed. */
    private static Object key(Path folder) {
        try {
            Object key = Files.readAttributes(folder, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
            return key == null ? folder.toRealPath() : key;
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
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
            // The file says nothing by itself.
        } finally {
            OWN.remove(key);
        }
    }
}
