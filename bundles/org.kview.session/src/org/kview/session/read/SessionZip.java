// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.HostsJson;
import org.kview.session.format.SessionFiles;

/**
 * Reads zipped sessions. Only entries with the names of a session's own files are taken, and they are
 * written under those names, so none can end up anywhere else.
 */
public final class SessionZip {
    /**
     * A trace is compressed to about a tenth. A zip that unpacks to more than a hundred times its size was made to fill
     * a disk.
     */
    static final long MAX_GROWTH = 100;
    static final long ALWAYS_ALLOWED_BYTES = 64L << 20;
    private static final int MAX_ENTRIES = 100_000;
    private static final Set<String> FILES = Set.of(SessionFiles.SESSION_JSON, SessionFiles.SYMBOLS_JSON,
            SessionFiles.LATENCY_LOG, SessionFiles.NOTES_JSON, SessionFiles.SURVEY_JSON, SessionFiles.PACKET_SUMS,
            SessionFiles.TRACE + "/" + SessionFiles.METADATA);

    /** A file of one of several hosts. */
    private static final Pattern HOST = Pattern.compile("(?:[^/]*/)?(" + HostsJson.FOLDER + "/[^/]+)/((?:"
            + SessionFiles.TRACE + "/)?[^/]+)");

    private final Path zip;
    private final Progress progress;
    private final long totalBytes;
    private long leftBytes;
    private long doneBytes;

    private SessionZip(Path zip, Progress progress, long totalBytes) throws IOException {
        this.zip = zip;
        this.progress = progress;
        this.totalBytes = totalBytes;
        leftBytes = ALWAYS_ALLOWED_BYTES + Files.size(zip) * MAX_GROWTH;
    }

    /**
     * Unpacks into the temporary folder.
     *
     * @return the folder, which the caller removes
     * @throws SessionException if the file is no zip, holds no session, or unpacks to far more than a
     *                          session could
     */
    static Path unpack(Path zip, Progress progress, Allowance allowance) throws SessionException {
        Path folder;
        try {
            folder = TemporaryFolders.ofThisProcess().create("session");
        } catch (IOException e) {
            throw SessionException.of(zip + " can't be unpacked", e);
        }
        try {
            reading(zip, file -> {
                SessionZip session = new SessionZip(zip, progress, 0);
                long total = session.requireShort(file, allowance);
                session = new SessionZip(zip, progress, total);
                // If an entry claims a wrong size, that is noticed there.
                session.leftBytes = Math.min(session.leftBytes, Math.max(total, ALWAYS_ALLOWED_BYTES));
                session.unpack(file, folder);
                return folder;
            });
            return folder;
        } catch (SessionException | RuntimeException e) {
            TemporaryFolders.ofThisProcess().remove(folder);
            throw e;
        }
    }

    /**
     * Unpacks into a folder that is there and empty. What was written before a failure stays in it.
     *
     * @throws SessionException if the file is no zip, holds no session, or unpacks to far more than a
     *                          session could
     */
    public static void unpack(Path zip, Path folder, Progress progress) throws SessionException {
        reading(zip, file -> {
            long total = file.stream().mapToLong(entry -> Math.max(0, entry.getSize())).sum();
            new SessionZip(zip, progress, total).unpack(file, folder);
            return folder;
        });
    }

    /**
     * Reads one of a session's files without unpacking the others.
     *
     * @return empty if the zip does not hold it
     * @throws SessionException if the file is no zip, holds no session, or if that file is larger
     */
    static Optional<byte[]> read(Path zip, String name, long maxBytes) throws SessionException {
        return read(zip, name, maxBytes, Allowance.usual());
    }

    /** Likewise; the allowance also counts what else is read of the same session. */
    static Optional<byte[]> read(Path zip, String name, long maxBytes, Allowance allowance) throws SessionException {
        return reading(zip, file -> {
            if (!allowance.take(Allowance.Of.ENTRIES, file.size())) {
                throw new SessionException(name + " in " + zip + " is not read: it holds too many files of too many hosts");
            }
            Optional<ZipEntry> found = new SessionZip(zip, Progress.NONE, 0).find(file, name);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            try (InputStream in = file.getInputStream(found.get())) {
                byte[] bytes = in.readNBytes((int) Math.min(maxBytes + 1, Integer.MAX_VALUE - 8));
                if (bytes.length > maxBytes) {
                    throw new SessionException(name + " in " + zip + " is damaged: it is far too large");
                }
                return Optional.of(bytes);
            }
        });
    }

    @FunctionalInterface
    private interface Work<T> {
        T run(ZipFile file) throws IOException;
    }

    private static <T> T reading(Path zip, Work<T> work) throws SessionException {
        // Opening a pipe would wait for its writer.
        if (Files.exists(zip) && !Files.isRegularFile(zip)) {
            throw new SessionException(zip + " is neither a folder nor a file, so it is no session");
        }
        try (ZipFile file = new ZipFile(zip.toFile())) {
            return work.run(file);
        } catch (ZipException e) {
            throw new SessionException(zip + " is damaged, or no zip file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw SessionException.of(zip + " can't be unpacked", e);
        } catch (IllegalArgumentException e) {
            throw new SessionException(zip + " is damaged: it holds a name that is no text", e);
        }
    }

    private Optional<ZipEntry> find(ZipFile file, String name) throws SessionException {
        requireFew(file);
        Optional<ZipEntry> found = Optional.empty();
        boolean session = false;
        for (Enumeration<? extends ZipEntry> entries = file.entries(); entries.hasMoreElements();) {
            ZipEntry entry = entries.nextElement();
            Optional<String> own = entry.isDirectory() ? Optional.empty() : ownName(entry.getName());
            session |= own.isPresent();
            if (own.isPresent() && own.get().equals(name)) {
                if (found.isPresent()) {
                    throw new SessionException(
                            zip + " holds more than one session: unpack it and open one of them");
                }
                found = Optional.of(entry);
            }
        }
        if (!session) {
            throw new SessionException(zip + " holds no session of Kview Workbench");
        }
        return found;
    }

    /** Adds up the sizes that entries claim; one that lies is found out while it is unpacked. */
    private long requireShort(ZipFile file, Allowance allowance) throws SessionException {
        requireFew(file);
        long total = file.stream().filter(entry -> ownName(entry.getName()).isPresent())
                .mapToLong(entry -> Math.max(0, entry.getSize())).sum();
        if (total < 0 || !allowance.take(Allowance.Of.UNPACKED, total)) {
            throw new SessionException(zip + " holds " + (total >>> 30) + " GiB, which would take long to unpack each time:"
                    + " unpack it once, and open its folder");
        }
        return total;
    }

    private void requireFew(ZipFile file) throws SessionException {
        if (file.size() > MAX_ENTRIES) {
            throw new SessionException(zip + " holds " + file.size() + " files: that is no session");
        }
    }

    private void unpack(ZipFile file, Path folder) throws IOException {
        requireFew(file);
        boolean found = false;
        Optional<String> root = Optional.empty();
        for (Enumeration<? extends ZipEntry> entries = file.entries(); entries.hasMoreElements();) {
            ZipEntry entry = entries.nextElement();
            Optional<String> name = entry.isDirectory() ? Optional.empty() : ownName(entry.getName());
            if (name.isEmpty()) {
                continue;
            }
            String itsRoot = entry.getName().substring(0, entry.getName().length() - name.get().length());
            if (root.isPresent() && !root.get().equals(itsRoot)) {
                throw new SessionException(zip + " holds more than one session: unpack it and open one of them");
            }
            root = Optional.of(itsRoot);
            found = true;
            makeBelow(folder, Path.of(name.get()).getParent());
            write(file, entry, folder.resolve(name.get()));
        }
        if (!found) {
            throw new SessionException(zip + " holds no session of Kview Workbench");
        }
    }

    /** The entry's name within the session's folder; empty if it is none of a session's files. */
    private static Optional<String> ownName(String entry) {
        Matcher host = HOST.matcher(entry);
        if (host.matches() && HostsJson.isFolder(host.group(1))) {
            return fileName(host.group(2)).map(name -> host.group(1) + "/" + name);
        }
        return fileName(entry);
    }

    private static Optional<String> fileName(String entry) {
        String[] parts = entry.split("/");
        String last = parts[parts.length - 1];
        String lastTwo = parts.length > 1 ? parts[parts.length - 2] + "/" + last : last;
        if (lastTwo.startsWith(SessionFiles.TRACE + "/")) {
            return FILES.contains(lastTwo) || SessionFiles.isStream(last) ? Optional.of(lastTwo) : Optional.empty();
        }
        return FILES.contains(last) ? Optional.of(last) : Optional.empty();
    }

    /** Not the folder itself: where the end of this program removed it, it must not come back. */
    private static void makeBelow(Path folder, Path relative) throws IOException {
        if (relative == null) {
            return;
        }
        makeBelow(folder, relative.getParent());
        Path made = folder.resolve(relative);
        if (!Files.isDirectory(made)) {
            Files.createDirectory(made);
        }
    }

    private void write(ZipFile file, ZipEntry entry, Path destination) throws IOException {
        try (InputStream in = file.getInputStream(entry);
                OutputStream out = Files.newOutputStream(destination, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                leftBytes -= n;
                if (leftBytes < 0) {
                    throw new SessionException(zip + " unpacks to more than a hundred times its size:"
                            + " that is no session, and it is not opened");
                }
                out.write(buffer, 0, n);
                doneBytes += n;
                progress.report(doneBytes, totalBytes);
            }
        }
    }
}
