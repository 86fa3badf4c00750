// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.format.SessionFiles;

/**
 * A session's files, copied to another folder or into a zip: all that are regular, of later versions
 * too, without what belongs to a recording that goes on. A link is refused: the copy would hold a
 * file from elsewhere, or nothing once it is on another machine.
 */
public final class SessionCopy {
    private static final int MAX_DEPTH = 8;

    private final Path session;
    private final Progress progress;
    private final List<Path> files = new ArrayList<>();
    private long totalBytes;
    private long doneBytes;

    private SessionCopy(Path session, Progress progress) throws IOException {
        this.session = session;
        this.progress = progress;
        try (Stream<Path> all = Files.walk(session, MAX_DEPTH)) {
            for (Path file : (Iterable<Path>) all.sorted()::iterator) {
                if (Files.isSymbolicLink(file) && !file.equals(session)) {
                    throw new SessionException(file + " is a link: replace it by what it leads to, then copy");
                }
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !isTransient(file)) {
                    files.add(file);
                    totalBytes += Files.size(file);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isTransient(Path file) {
        String name = file.getFileName().toString();
        return name.equals(SessionFiles.RESERVE) || name.equals(SessionFiles.LOCK)
                || name.endsWith(SessionFiles.TEMPORARY_SUFFIX);
    }

    /**
     * Copies into a folder that is there and empty. What was written before a failure stays in it.
     *
     * @throws SessionException if something can't be read or written
     */
    public static void toFolder(Path session, Path destination, Progress progress) throws SessionException {
        try {
            SessionCopy copy = new SessionCopy(session, progress);
            for (Path file : copy.files) {
                Path to = destination.resolve(session.relativize(file).toString());
                Files.createDirectories(to.getParent());
                try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
                    copy.write(file, out);
                }
                Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
            }
        } catch (IOException e) {
            throw SessionException.of(session + " can't be copied", e);
        }
    }

    /**
     * Packs into a file that does not exist yet. What was written before a failure stays in it.
     *
     * @param root what the folder is called within the zip
     * @throws SessionException if something can't be read or written
     */
    public static void toZip(Path session, Path zip, String root, Progress progress) throws SessionException {
        try {
            SessionCopy copy = new SessionCopy(session, progress);
            copy.pack(zip, root, Deflater.DEFAULT_COMPRESSION);
            if (copy.totalBytes > SessionZip.ALWAYS_ALLOWED_BYTES + Files.size(zip) * SessionZip.MAX_GROWTH) {
                // The file shrank so much that readers would take the zip for one that was made to fill a disk.
                Files.delete(zip);
                new SessionCopy(session, progress).pack(zip, root, Deflater.NO_COMPRESSION);
            }
        } catch (IOException e) {
            throw SessionException.of(session + " can't be zipped", e);
        }
    }

    private void pack(Path zip, String root, int level) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip, StandardOpenOption.CREATE_NEW),
                StandardCharsets.UTF_8)) {
            out.setLevel(level);
            for (Path file : files) {
                ZipEntry entry = new ZipEntry(root + "/" + session.relativize(file));
                entry.setLastModifiedTime(Files.getLastModifiedTime(file));
                out.putNextEntry(entry);
                write(file, out);
                out.closeEntry();
            }
        }
    }

    private void write(Path file, OutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                doneBytes += n;
                progress.report(doneBytes, totalBytes);
            }
        }
    }

    /** Bytes that a session takes on disk; of a folder, of all its files. 0 where that can't be read. */
    static long sizeBytes(Path session) {
        try (Stream<Path> all = Files.walk(session, MAX_DEPTH)) {
            long sum = 0;
            for (Path file : (Iterable<Path>) all::iterator) {
                sum += Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
            }
            return sum;
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }
}
