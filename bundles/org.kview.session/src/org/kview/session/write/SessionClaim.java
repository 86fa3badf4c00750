// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.format.Allowance;
import org.kview.session.format.HostsJson;
import org.kview.session.format.PacketSums;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionLock;

/**
 * A folder that is reserved for a recording that is about to begin, so that a second recording into it fails. If the
 * recorder dies before it has recorded anything, the next recording may use the folder.
 */
public final class SessionClaim implements AutoCloseable {
    /** The files that a recorder makes before it has figures, and how long each is at most. */
    private static final Map<String, Long> BEGINNINGS = Map.of(SessionFiles.LOCK, 0L, SessionFiles.RESERVE, Long.MAX_VALUE,
            SessionFiles.SESSION_JSON + SessionFiles.TEMPORARY_SUFFIX, Long.MAX_VALUE,
            SessionFiles.SYMBOLS_JSON, Long.MAX_VALUE, SessionFiles.SURVEY_JSON, Long.MAX_VALUE,
            SessionFiles.SURVEY_JSON + SessionFiles.TEMPORARY_SUFFIX, Long.MAX_VALUE, SessionFiles.LATENCY_LOG, 4096L,
            SessionFiles.PACKET_SUMS, (long) PacketSums.HEADER.length);

    /** A thousand hosts with names of a kilobyte. */
    private static final long MOST_LIST_BYTES = 1 << 20;

    /** Not left to the umask: a folder that others may write to would be refused the next time. */
    private static final FileAttribute<Set<PosixFilePermission>> WRITTEN_BY_OWNER = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
    private static final int OTHERS_WRITE = 0022;

    private final SessionLock lock;

    private SessionClaim(SessionLock lock) {
        this.lock = lock;
    }

    /**
     * Takes a folder that does not exist, and creates it, or one of this user's own in which nothing was recorded.
     *
     * @throws FileAlreadyExistsException if it holds something, or is no folder
     * @throws SessionException           if somebody else has it, owns it or may write to it
     * @throws IOException                if it can't be created
     */
    public static SessionClaim take(Path folder) throws IOException {
        Files.createDirectories(folder.toAbsolutePath().getParent());
        try {
            Files.createDirectory(folder, WRITTEN_BY_OWNER);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            requireOwn(folder);
            if (SessionLock.isHeld(folder)) {
                throw new SessionException(folder + " exists already, and is being recorded by another program");
            }
            if (!isAbandoned(folder)) {
                throw e;
            }
        }
        SessionClaim claim = new SessionClaim(SessionLock.claim(folder));
        try {
            // Another recorder may have used the folder and finished since the first check.
            if (!isAbandoned(folder)) {
                throw new FileAlreadyExistsException(folder.toString());
            }
            removeBeginnings(folder);
            return claim;
        } catch (IOException e) {
            claim.close();
            throw e;
        }
    }

    /** Whether a recorder has that folder now, of this program or another one. */
    public static boolean isTaken(Path folder) {
        return SessionLock.isHeld(folder);
    }

    /** Whether a recording into that folder can begin, as far as can be told now. */
    public static boolean isFree(Path folder) {
        try {
            if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
            requireOwn(folder);
            return !SessionLock.isHeld(folder) && isAbandoned(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /** Who may write to it could put links in the place of files, and read, change or redirect what is recorded. */
    private static void requireOwn(Path folder) throws IOException {
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!self.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            throw new SessionException(folder + " exists already and belongs to another user; name a new folder");
        }
        if (((Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS) & OTHERS_WRITE) != 0) {
            throw new SessionException(folder + " exists already, and others may write to it; name a new folder,"
                    + " or take that right from them (chmod go-w)");
        }
    }

    /** Whether it is an empty folder, or a recorder's without a figure: all that is in it is what a recorder begins with. */
    private static boolean isAbandoned(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        // A recorder creates its lock before all else: without one these are somebody's own files.
        boolean isRecorders = Files.exists(folder.resolve(SessionFiles.LOCK), LinkOption.NOFOLLOW_LINKS);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!isRecorders || !isBeginning(entry)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isBeginning(Path entry) throws IOException {
        String name = entry.getFileName().toString();
        if (name.equals(SessionFiles.TRACE)) {
            return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && isEmptyTrace(entry);
        }
        if (name.equals(HostsJson.FOLDER)) {
            return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && areAbandoned(entry);
        }
        if (name.equals(SessionFiles.SESSION_JSON)) {
            return isList(entry);
        }
        Long most = BEGINNINGS.get(name);
        return most != null && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) && Files.size(entry) <= most
                && (!name.equals(SessionFiles.LATENCY_LOG) || !Files.readString(entry, StandardCharsets.ISO_8859_1)
                        .contains("Tag="));
    }

    /**
     * For a session of several hosts: whether no host's part has a figure yet. The list of hosts itself has no lock once all
     * parts are recorded.
     */
    private static boolean areAbandoned(Path hosts) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(hosts)) {
            for (Path part : entries) {
                if (!HostsJson.isFolder(HostsJson.FOLDER + "/" + part.getFileName()) || SessionLock.isHeld(part)
                        || !isAbandoned(part)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The list of hosts itself holds no figure. */
    private static boolean isList(Path json) throws IOException {
        try {
            return Files.isRegularFile(json, LinkOption.NOFOLLOW_LINKS) && Files.size(json) <= MOST_LIST_BYTES
                    && HostsJson.read(SessionDocument.read(json, Allowance.usual())).isPresent();
        } catch (SessionException e) {
            return false;
        }
    }

    private static boolean isEmptyTrace(Path trace) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(trace)) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().equals(SessionFiles.METADATA)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void removeBeginnings(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder,
                entry -> !entry.getFileName().toString().equals(SessionFiles.LOCK))) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    FileTree.delete(entry);
                } else {
                    Files.delete(entry);
                }
            }
        }
    }

    /** Gives it up, unless the session is being written by now. What is in the folder stays. */
    @Override
    public void close() {
        lock.unclaim();
    }
}
