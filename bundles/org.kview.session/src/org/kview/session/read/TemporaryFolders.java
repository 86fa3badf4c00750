// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.kview.session.files.FileTree;
import org.kview.session.format.SessionFiles;

/**
 * Folders that this process needs for a while, in the system's temporary folder. They are removed when the process ends, also
 * if a signal ends it. What is left after SIGKILL is removed when a process of the same user next creates such a folder: each
 * folder contains a locked file, and the operating system releases the lock when its process ends in any way.
 */
final class TemporaryFolders {
    private static final String PREFIX = "kview-temporary-";
    private static final String OWNER = "unix:uid";
    private static final int TRIALS = 40;
    private static final long PAUSE_MILLIS = 10;
    private static final int MOST_COLLISIONS = 100;
    private static final TemporaryFolders OF_THIS_PROCESS = new TemporaryFolders();

    /** For each folder that was handed out, the locked folder around it. */
    private final Map<Path, Held> open = new ConcurrentHashMap<>();
    private boolean ending;
    private boolean cleaned;

    /** A folder and its lock, where the file system knows locks. */
    private record Held(Path folder, FileChannel lock) {
        void remove() {
            FileTree.delete(folder);
            try {
                lock.close();
            } catch (IOException e) {
                // The file was removed, so nobody looks at the lock any more.
            }
        }
    }

    private TemporaryFolders() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "kview-temporary-folders"));
    }

    /** A process must not have two: each takes the folders that it did not make for those of other processes. */
    static TemporaryFolders ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /**
     * A new and empty folder.
     *
     * @param name of the folder itself
     * @throws IOException also where the process is about to end
     */
    Path create(String name) throws IOException {
        List<Path> others = List.of();
        Path content;
        synchronized (this) {
            if (ending) {
                throw new IOException("the program ends");
            }
            Held held = hold();
            content = held.folder.resolve(name);
            open.put(content, held);
            Files.createDirectory(content);
            if (!cleaned) {
                cleaned = true;
                others = beside(held.folder);
            }
        }
        // This can take long, so it is done without the monitor. None of these folders belongs to this process: when they
        // were listed, it had only the one that is left out.
        others.forEach(TemporaryFolders::removeIfLeft);
        return content;
    }

    /** Another process may remove the folder as a leftover before its file is locked: then makes another one. */
    private static Held hold() throws IOException {
        for (int i = 0; i < MOST_COLLISIONS; i++) {
            Path folder = Files.createTempDirectory(PREFIX);
            FileChannel channel = null;
            boolean locked = false;
            try {
                Path file = folder.resolve(SessionFiles.LOCK);
                channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                locked = isLocked(channel) && Files.exists(file);
            } catch (IOException e) {
                if (Files.exists(folder)) {
                    FileTree.delete(folder);
                    throw e;
                }
            } finally {
                if (channel != null && !locked) {
                    channel.close();
                }
            }
            if (locked) {
                return new Held(folder, channel);
            }
        }
        throw new IOException("the temporary folder is being cleaned by others all the time");
    }

    /** True also if the file system does not support locks: then no other process can take the folder for a leftover. */
    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (IOException e) {
            return true;
        }
    }

    void remove(Path folder) {
        Held held = open.get(folder);
        if (held != null) {
            held.remove();
            open.remove(folder);
        }
    }

    /** The folders that processes of this user made beside this one's first. */
    private static List<Path> beside(Path own) throws IOException {
        Object user = Files.getAttribute(own, OWNER, LinkOption.NOFOLLOW_LINKS);
        List<Path> others = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(own.getParent(), PREFIX + "*")) {
            for (Path folder : folders) {
                if (!folder.equals(own) && isOf(user, folder)) {
                    others.add(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What is left stays for the next one.
        }
        return others;
    }

    private static boolean isOf(Object user, Path folder) {
        try {
            return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && user.equals(Files.getAttribute(folder, OWNER, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes a folder whose process has ended. */
    private static void removeIfLeft(Path folder) {
        Path file = folder.resolve(SessionFiles.LOCK);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null) {
                    FileTree.delete(folder);
                }
            }
        } catch (IOException e) {
            // It may have gone meanwhile, or can't be asked.
        }
    }

    /** Other threads may still create files in them: deletes again until none come back. */
    private void end() {
        synchronized (this) {
            ending = true;
        }
        int gone = 0;
        for (int trial = 0; trial < TRIALS && gone < 2; trial++) {
            open.values().forEach(held -> FileTree.delete(held.folder));
            gone = open.values().stream().anyMatch(held -> Files.exists(held.folder)) ? 0 : gone + 1;
            try {
                Thread.sleep(open.isEmpty() ? 0 : PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
