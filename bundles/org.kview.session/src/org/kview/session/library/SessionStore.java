// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.files.Disk;
import org.kview.session.files.FileTree;
import org.kview.session.read.SessionCopy;
import org.kview.session.read.SessionSummary;
import org.kview.session.read.SessionZip;
import org.kview.session.repair.SessionRepair;
import org.kview.session.repair.SessionSalvage;

/**
 * What is done to whole sessions. Each operation does all or nothing: what is new grows under a hidden
 * name and gets its own when it is complete, nothing that is there is ever written over, and a session
 * that is being recorded is left alone. Safe for use by several threads and programs.
 */
public final class SessionStore {
    static final String PART_PREFIX = ".kview-part-";
    private static final AtomicLong PARTS = new AtomicLong();

    private SessionStore() {
    }

    /**
     * Gives a session another name in the same folder.
     *
     * @param name without ending
     * @return where it is now
     * @throws SessionException if the name is taken or none, or if it can't be renamed
     */
    public static Path rename(Path session, String name) throws SessionException {
        Path destination = SessionNaming.sibling(session, name, SessionSummary.suffix(session));
        if (destination.equals(session.toAbsolutePath().normalize())) {
            return destination;
        }
        SessionRepair.requireNotRecording(session);
        moveTo(session, destination, session.getFileName() + " can't be renamed");
        return destination;
    }

    /**
     * Copies a session into the same folder, under a name made of its own.
     *
     * @return the copy
     */
    public static Path duplicate(Path session, Progress progress) throws SessionException {
        return copy(session, SessionNaming.free(SessionNaming.parent(session), SessionSummary.name(session) + " copy",
                SessionSummary.suffix(session)), progress);
    }

    /**
     * Copies a session to another place; packs or unpacks it if the ending says so.
     *
     * @param destination NAME.kview, or NAME.kview.zip for a zip
     * @return the copy
     * @throws SessionException if there is something already, or if it can't be read or written
     */
    public static Path copy(Path session, Path destination, Progress progress) throws SessionException {
        requireThere(session);
        SessionRepair.requireNotRecording(session);
        Path to = destination.toAbsolutePath().normalize();
        boolean fromZip = !Files.isDirectory(session);
        boolean toZip = SessionSummary.suffix(to).equals(".kview.zip");
        if (to.startsWith(session.toAbsolutePath().normalize())) {
            throw new SessionException(to + " is inside of the session: choose another folder");
        }
        build(to, toZip, part -> {
            if (fromZip && toZip) {
                copyFile(session, part, progress);
            } else if (fromZip) {
                SessionZip.unpack(session, part, progress);
            } else if (toZip) {
                SessionCopy.toZip(session, part, SessionSummary.name(to) + ".kview", progress);
            } else {
                SessionCopy.toFolder(session, part, progress);
            }
        });
        return to;
    }

    /** Packs a session into NAME.kview.zip beside it, or the first such name that is free. */
    public static Path zip(Path session, Progress progress) throws SessionException {
        return copy(session, SessionNaming.free(SessionNaming.parent(session), SessionSummary.name(session),
                ".kview.zip"), progress);
    }

    /** Unpacks a zip into NAME.kview beside it, or the first such name that is free. */
    public static Path unzip(Path zip, Progress progress) throws SessionException {
        return copy(zip, SessionNaming.free(SessionNaming.parent(zip), SessionSummary.name(zip), ".kview"), progress);
    }

    /**
     * Repairs a session that was cut off, or whose session.json is lost, so that it opens.
     *
     * @return the session to open: the same, or "NAME salvaged" beside it where it had to be made anew
     * @throws SessionException if there is nothing to be salvaged
     */
    public static Path salvage(Path session, Progress progress) throws SessionException {
        requireThere(session);
        if (!Files.isDirectory(session)) {
            throw new SessionException(session + " is a zip: unzip it first, then salvage what comes out");
        }
        if (SessionSummary.read(session).info().isPresent()) {
            SessionRepair.finish(session);
            return session;
        }
        Path destination = SessionNaming.free(SessionNaming.parent(session), SessionSummary.name(session) + " salvaged",
                ".kview");
        build(destination, false, part -> SessionSalvage.salvage(session, part, progress));
        return destination;
    }

    // How

    @FunctionalInterface
    private interface Work {
        void on(Path part) throws IOException;
    }

    private static void build(Path destination, boolean file, Work work) throws SessionException {
        Path folder = destination.getParent();
        String failed = destination.getFileName() + " can't be written to " + folder;
        Path part = folder.resolve(PART_PREFIX + ProcessHandle.current().pid() + "-" + PARTS.incrementAndGet());
        try {
            Files.createDirectories(folder);
            requireFree(destination);
            if (!file) {
                Files.createDirectory(part);
            }
            work.on(part);
            moveTo(part, destination, failed);
        } catch (IOException e) {
            throw SessionException.of(failed, e);
        } finally {
            FileTree.delete(part);
        }
    }

    /**
     * Renames without ever replacing: the new name is taken by an empty stand-in first, which fails if
     * someone else has it, and a rename puts the session in the stand-in's place.
     */
    static void moveTo(Path session, Path destination, String failed) throws SessionException {
        boolean folder = Files.isDirectory(session, LinkOption.NOFOLLOW_LINKS);
        try {
            requireThere(session);
            requireFree(destination);
            if (folder) {
                Files.createDirectory(destination);
            } else {
                Files.createFile(destination);
            }
        } catch (FileAlreadyExistsException e) {
            throw taken(destination, e);
        } catch (IOException e) {
            throw SessionException.of(failed, e);
        }
        try {
            Disk.REAL.rename(session, destination);
        } catch (IOException e) {
            FileTree.deleteEmpty(destination);
            throw SessionException.of(failed, e);
        }
    }

    private static void requireThere(Path session) throws SessionException {
        if (!Files.exists(session, LinkOption.NOFOLLOW_LINKS)) {
            throw new SessionException(session + " is no longer there");
        }
    }

    private static void requireFree(Path destination) throws SessionException {
        if (Files.exists(destination, LinkOption.NOFOLLOW_LINKS)) {
            throw taken(destination, null);
        }
    }

    private static SessionException taken(Path destination, IOException cause) {
        return new SessionException(destination + " exists already: choose another name", cause);
    }

    private static void copyFile(Path from, Path to, Progress progress) throws IOException {
        long total = Files.size(from);
        long done = 0;
        try (var in = Files.newInputStream(from);
                var out = Files.newOutputStream(to, java.nio.file.StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                done += n;
                progress.report(done, total);
            }
        }
    }
}
