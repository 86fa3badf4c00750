// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.read.SessionSummary;
import org.kview.session.repair.SessionRepair;

/**
 * Where deleted sessions of a folder wait: {@code .kview-trash/WHEN/NAME} in the same folder, so that
 * deleting and restoring are renames, which take no space and can't stop half-way.
 *
 * @param folder that the sessions were in
 * @param clock  says when
 */
public record Trash(Path folder, Clock clock) {
    /** What was deleted longer ago is removed for good; {@link #purge} says when that happens. */
    public static final Duration KEPT = Duration.ofDays(30);

    private static final String NAME = ".kview-trash";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    /** A part of a copy that did not change for so long was left by a program that died. */
    private static final Duration PART_LIFE = Duration.ofDays(1);

    /**
     * A session in the trash.
     *
     * @param path    where it is
     * @param origin  where it was
     * @param deleted when
     */
    public record Entry(Path path, Path origin, Instant deleted) {
    }

    public static Trash of(Path folder) {
        return new Trash(folder.toAbsolutePath().normalize(), Clock.systemUTC());
    }

    /**
     * Moves a session into its folder's trash.
     *
     * @throws SessionException if it is being recorded or can't be moved; it is where it was then
     */
    public static Entry delete(Path session) throws SessionException {
        return Trash.of(SessionNaming.parent(session)).put(session.toAbsolutePath().normalize());
    }

    Entry put(Path session) throws SessionException {
        SessionRepair.requireNotRecording(session);
        String failed = session + " can't be deleted";
        try {
            Path trash = folder.resolve(NAME);
            Files.createDirectories(trash);
            if (!Files.isDirectory(trash, LinkOption.NOFOLLOW_LINKS)) {
                throw new SessionException(failed + ": " + trash + " is a link, and no folder");
            }
            Instant now = clock.instant();
            Path slot = SessionNaming.free(trash, STAMP.format(now), "");
            Files.createDirectory(slot);
            Path destination = slot.resolve(session.getFileName());
            try {
                SessionStore.moveTo(session, destination, failed);
            } catch (SessionException e) {
                FileTree.deleteEmpty(slot);
                FileTree.deleteEmpty(trash);
                throw e;
            }
            return new Entry(destination, session, now);
        } catch (IOException e) {
            throw SessionException.of(failed, e);
        }
    }

    /**
     * Brings a session back.
     *
     * @return where it is: its old place, or "NAME restored" if something else has taken that
     * @throws SessionException if it is no longer in the trash, or can't be moved
     */
    public static Path restore(Entry entry) throws SessionException {
        Path origin = entry.origin();
        String failed = origin + " can't be restored";
        if (!Files.exists(entry.path(), LinkOption.NOFOLLOW_LINKS)) {
            throw new SessionException(failed + ": the trash was emptied");
        }
        Path destination = Files.exists(origin, LinkOption.NOFOLLOW_LINKS)
                ? SessionNaming.free(origin.getParent(), SessionSummary.name(origin) + " restored",
                        SessionSummary.suffix(origin))
                : origin;
        SessionStore.moveTo(entry.path(), destination, failed);
        FileTree.deleteEmpty(entry.path().getParent());
        FileTree.deleteEmpty(entry.path().getParent().getParent());
        return destination;
    }

    /** What it holds, the latest first. */
    public List<Entry> entries() throws SessionException {
        List<Entry> entries = new ArrayList<>();
        Path trash = folder.resolve(NAME);
        if (!Files.isDirectory(trash, LinkOption.NOFOLLOW_LINKS)) {
            return entries;
        }
        try (DirectoryStream<Path> slots = Files.newDirectoryStream(trash)) {
            for (Path slot : slots) {
                Optional<Instant> deleted = time(slot);
                if (deleted.isPresent() && Files.isDirectory(slot, LinkOption.NOFOLLOW_LINKS)) {
                    addAll(entries, slot, deleted.get());
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw SessionException.of("The trash of " + folder + " can't be read",
                    e instanceof DirectoryIteratorException d ? d.getCause() : (IOException) e);
        }
        entries.sort(Comparator.comparing(Entry::deleted).reversed());
        return entries;
    }

    private void addAll(List<Entry> entries, Path slot, Instant deleted) throws IOException {
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(slot)) {
            for (Path session : sessions) {
                entries.add(new Entry(session, folder.resolve(session.getFileName()), deleted));
            }
        }
    }

    /** Folders with other names are someone else's and stay. */
    private static Optional<Instant> time(Path slot) {
        try {
            String stamp = slot.getFileName().toString().split(" ")[0];
            return Optional.of(LocalDateTime.parse(stamp, STAMP).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Removes for good what was deleted longer ago than {@link #KEPT}, and what programs that died left
     * of copies in the folder.
     */
    public void purge() throws SessionException {
        remove(clock.instant().minus(KEPT));
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, SessionStore.PART_PREFIX + "*")) {
            for (Path part : parts) {
                Instant modified = Files.getLastModifiedTime(part, LinkOption.NOFOLLOW_LINKS).toInstant();
                if (modified.isBefore(clock.instant().minus(PART_LIFE))) {
                    FileTree.delete(part);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The folder is gone or can't be read: then nothing is swept up.
        }
    }

    /** Removes all of it for good. */
    public void empty() throws SessionException {
        remove(Instant.MAX);
    }

    private void remove(Instant before) throws SessionException {
        for (Entry entry : entries()) {
            if (entry.deleted().isBefore(before)) {
                FileTree.delete(entry.path());
                FileTree.deleteEmpty(entry.path().getParent());
            }
        }
        FileTree.deleteEmpty(folder.resolve(NAME));
    }
}
