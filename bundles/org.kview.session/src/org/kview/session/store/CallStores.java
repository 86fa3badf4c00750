// SPDX-License-Identifier: EPL-2.0
package org.kview.session.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

import org.kview.calls.CallStore;
import org.kview.calls.StoreBuilder;
import org.kview.calls.StoreException;
import org.kview.calls.StoreGrowth;
import org.kview.ctf.CtfException;
import org.kview.session.SessionException;
import org.kview.session.files.Disk;
import org.kview.session.files.FileTree;
import org.kview.session.read.SessionReader.HostEvents;

/**
 * The stores of calls that a user's sessions have. They are in the user's cache, so a session that can only be read has one as well,
 * and copies of a session share one. Each can be removed at any time: it is made again from its trace.
 *
 * <pre>
 *   ~/.cache/kview-workbench/calls/    0700, the user's own; below $XDG_CACHE_HOME if that is set
 *     IDENTITY.calls                   a store
 *     IDENTITY.part, IDENTITY.lock     while it is built; who builds it holds the lock
 *     live-…                           the calls of a recording that goes on; who follows it holds a lock on the file
 * </pre>
 */
public final class CallStores {
    private static final String STORE = ".calls";
    private static final String PART = ".part";
    private static final String LOCK = ".lock";
    private static final String SCRATCH = "live-";
    private static final long LEFT_FREE = 2L << 30;
    private static final long ROOM_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int OTHERS_WRITE = 0022;
    /** Those of this process. */
    private static final Set<Path> SCRATCHES = ConcurrentHashMap.newKeySet();
    /** The most that all stores may take. If they take more, those that were used last are kept. */
    private static final long MOST_BYTES = 16L << 30;

    private final Optional<Path> folder;
    private final long mostBytes;
    private final long leftFree;
    private OptionalLong roomAsked = OptionalLong.empty();
    private boolean hasRoom;

    private CallStores(Optional<Path> folder, long mostBytes, long leftFree) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.leftFree = leftFree;
    }

    /** No stores: none is found, and none is made. */
    public static CallStores none() {
        return new CallStores(Optional.empty(), 0, 0);
    }

    /** The stores of the user who runs this program; none if the user has no home. */
    public static CallStores ofUser() {
        Optional<Path> cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).filter(path -> path.startsWith("/"))
                .or(() -> Optional.ofNullable(System.getProperty("user.home")).filter(path -> path.startsWith("/"))
                        .map(home -> home + "/.cache")).map(Path::of);
        return new CallStores(cache.map(path -> path.resolve("kview-workbench/calls")), MOST_BYTES, LEFT_FREE);
    }

    /** The stores in a folder, which is made when the first of them is to be kept. */
    public static CallStores in(Path folder, long mostBytes) {
        return in(folder, mostBytes, LEFT_FREE);
    }

    /** @param leftFree so much room is left on the disk for what is recorded at the same time */
    public static CallStores in(Path folder, long mostBytes, long leftFree) {
        return new CallStores(Optional.of(folder), mostBytes, leftFree);
    }

    /**
     * The store of a host's calls, all of it compared with its checksums. One that is damaged or of another version is removed.
     *
     * @return to be closed; empty if there is none that can be used
     */
    public Optional<CallStore> open(HostEvents events) {
        return open(events, _ -> true);
    }

    /** @param progress hears now and then that all calls are stored; says whether to go on comparing them */
    private Optional<CallStore> open(HostEvents events, LongPredicate progress) {
        if (folder.isEmpty() || events.identity().isEmpty()) {
            return Optional.empty();
        }
        Path file = file(events, STORE);
        try {
            requireOwn(folder.get());
            CallStore store = CallStore.open(file, events.identity());
            boolean whole = false;
            try {
                store.verify(_ -> progress.test(store.calls()));
                whole = true;
            } finally {
                if (!whole) {
                    store.close();
                }
            }
            used(file);
            return Optional.of(store);
        } catch (StoreException e) {
            FileTree.deleteEmpty(file);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void used(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // At worst the store is removed earlier than it should be, and made again.
            return;
        }
    }

    /**
     * Makes the store of a host's calls if there is none, and opens it.
     *
     * @param progress hears now and then how many calls were stored; says whether to go on
     * @return empty if another program is making it just now
     * @throws SessionException                                if the trace can't be read any further, or there is no room for it
     * @throws java.util.concurrent.CancellationException      if that is no longer wanted; nothing is left of it
     */
    public Optional<CallStore> build(HostEvents events, LongPredicate progress) throws SessionException {
        return build(events, progress, Optional.empty());
    }

    /**
     * Likewise.
     *
     * @param growth shows it while it is made
     */
    public Optional<CallStore> build(HostEvents events, LongPredicate progress, Optional<StoreGrowth> growth) throws SessionException {
        Optional<CallStore> known = open(events, progress);
        if (known.isPresent() || folder.isEmpty() || events.identity().isEmpty()) {
            return known;
        }
        try {
            createFolder();
            try (FileChannel channel = FileChannel.open(file(events, LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS); FileLock lock = tryLock(channel)) {
                if (lock == null) {
                    return Optional.empty();
                }
                Path part = file(events, PART);
                // A process that was killed while it built a store has left this.
                Files.deleteIfExists(part);
                StoreBuilder.build(events.trace(), events.whole(), part, events.identity(), progress, growth);
                keep(part, events);
            }
            return open(events, progress);
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        } catch (StoreException e) {
            throw new SessionException("No store can be made of these calls: " + e.getMessage(), e);
        } catch (IOException e) {
            throw SessionException.of("A store of these calls can't be made in " + folder.get(), e);
        }
    }

    private void keep(Path made, HostEvents events) throws IOException {
        Disk.REAL.rename(made, file(events, STORE));
        removeOld(file(events, STORE));
    }

    /** A file for the store of a recording that goes on. Thrown away when it is closed, unless it was kept. */
    public final class Scratch implements AutoCloseable {
        private final Path file;
        private final FileChannel channel;

        private Scratch(Path file) throws IOException {
            this.file = file;
            SCRATCHES.add(file);
            channel = StoreBuilder.create(file);
            // Only for a moment, another process may hold it: one that looks whether it was left.
            channel.lock();
        }

        public FileChannel channel() {
            return channel;
        }

        /**
         * The store is complete, and of a host's calls.
         *
         * @return whether {@link CallStores#open} finds it from now on; otherwise another program is making the same one
         * @throws SessionException if it can't be kept
         */
        public boolean keep(HostEvents events) throws SessionException {
            try (FileChannel making = FileChannel.open(file(events, LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS); FileLock lock = tryLock(making)) {
                if (lock != null) {
                    CallStores.this.keep(file, events);
                }
                return lock != null;
            } catch (IOException e) {
                throw SessionException.of("The store of these calls can't be kept in " + folder.get(), e);
            }
        }

        @Override
        public void close() {
            FileTree.deleteEmpty(file);
            try {
                channel.close();
            } catch (IOException e) {
                // What could not be written was told when it was written.
                return;
            } finally {
                SCRATCHES.remove(file);
            }
        }
    }

    /**
     * A file for the store of a recording that goes on. What a process left of such ones that was killed is removed by the next one.
     *
     * @throws SessionException if there is no folder for it
     */
    public Scratch scratch() throws SessionException {
        if (folder.isEmpty()) {
            throw new SessionException("There is no folder for the calls. Set XDG_CACHE_HOME to one");
        }
        try {
            createFolder();
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder.get(), SCRATCH + "*")) {
                for (Path file : left) {
                    removeLeft(file);
                }
            }
            return new Scratch(folder.get().resolve(SCRATCH + UUID.randomUUID()));
        } catch (IOException e) {
            throw SessionException.of("A store of these calls can't be made in " + folder.get(), e);
        }
    }

    /**
     * Whether its process still runs, only its lock tells: processes of another container have numbers of their own.
     */
    private static void removeLeft(Path file) throws IOException {
        // To close any channel of a file gives up all locks that this process has on it.
        if (SCRATCHES.contains(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS); FileLock lock = tryLock(channel)) {
            if (lock != null) {
                FileTree.deleteEmpty(file);
            }
        } catch (NoSuchFileException e) {
            // It was removed meanwhile.
            return;
        }
    }

    /** Whether the disk has so much room that what is recorded at the same time won't miss it. It is looked for once a second at most. */
    public synchronized boolean hasRoom() {
        long now = System.nanoTime();
        if (roomAsked.isEmpty() || now - roomAsked.getAsLong() >= ROOM_NANOS) {
            roomAsked = OptionalLong.of(now);
            // It asks the file system alone: a FileStore reads the whole table of mounts to be found. 0 where there is no folder.
            hasRoom = folder.orElseThrow().toFile().getUsableSpace() > leftFree;
        }
        return hasRoom;
    }

    private void createFolder() throws IOException {
        Files.createDirectories(folder.orElseThrow(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        requireOwn(folder.get());
    }

    /** Whether a host's calls can have a store: there is a folder for it, and the trace can be told from others. */
    public boolean canMake(HostEvents events) {
        return folder.isPresent() && !events.identity().isEmpty();
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another thread of this program has the lock.
            return null;
        }
    }

    private Path file(HostEvents events, String end) {
        return folder.orElseThrow().resolve(events.identity() + end);
    }

    /** Refuses a folder of others: whoever may write to it could make this program show wrong figures. */
    private static void requireOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(folder.toString());
        }
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!self.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                || ((Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS) & OTHERS_WRITE) != 0) {
            throw new FileSystemException(folder.toString(), null, "it belongs to another user, or others may write to it");
        }
    }

    private record Old(Path file, long bytes, FileTime used) {
    }

    /** Removes the stores that were not used for the longest time, until the others take no more than is allowed. */
    private void removeOld(Path kept) throws IOException {
        List<Old> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.orElseThrow(), "*" + STORE)) {
            for (Path file : files) {
                all.add(new Old(file, Files.size(file), Files.getLastModifiedTime(file)));
            }
        }
        all.sort(Comparator.comparing(Old::used));
        long bytes = all.stream().mapToLong(Old::bytes).sum();
        for (Old old : all) {
            if (bytes > mostBytes && !old.file().equals(kept)) {
                FileTree.deleteEmpty(old.file());
                FileTree.deleteEmpty(folder.orElseThrow().resolve(old.file().getFileName().toString().replace(STORE, LOCK)));
                bytes -= old.bytes();
            }
        }
    }
}
