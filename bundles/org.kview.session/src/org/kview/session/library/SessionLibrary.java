// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

import org.kview.session.SessionException;
import org.kview.session.read.SessionSummary;

/**
 * The sessions of one folder. Reads those again that have changed, so looking once more costs a few
 * calls to the file system a session. Not safe for several threads.
 */
public final class SessionLibrary {
    private static final List<String> WATCHED = List.of("session.json", "notes.json", ".lock");

    private final Path folder;
    private Map<Path, Known> known = Map.of();

    /** @param fingerprint of the files that a summary is read from */
    private record Known(List<Object> fingerprint, SessionSummary summary) {
    }

    public SessionLibrary(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    public Path folder() {
        return folder;
    }

    /**
     * Looks at the folder: all that is called {@code NAME.kview.zip}, all folders that are called
     * {@code NAME.kview} or hold a {@code session.json}. What is hidden is left out.
     *
     * @param read hears how many sessions were looked at so far; may throw to end it
     * @return by name
     * @throws SessionException if the folder can't be read
     */
    public List<SessionSummary> scan(IntConsumer read) throws SessionException {
        Map<Path, Known> now = new HashMap<>();
        List<SessionSummary> summaries = new ArrayList<>();
        List<Path> paths = paths();
        for (Path path : paths) {
            List<Object> fingerprint = fingerprint(path);
            Known before = known.get(path);
            // The lock says nothing by its date: a recorder that died leaves it as it was.
            boolean same = before != null && before.fingerprint().equals(fingerprint) && !before.summary().live();
            Known entry = same ? before : new Known(fingerprint, SessionSummary.read(path));
            now.put(path, entry);
            summaries.add(entry.summary());
            read.accept(summaries.size());
        }
        known = now;
        return summaries;
    }

    private List<Path> paths() throws SessionException {
        List<Path> paths = new ArrayList<>();
        if (!Files.exists(folder)) {
            return paths;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (isSession(entry)) {
                    paths.add(entry);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            throw SessionException.of("The folder " + folder + " can't be read",
                    e instanceof java.nio.file.DirectoryIteratorException d ? d.getCause() : (IOException) e);
        }
        paths.sort(null);
        return paths;
    }

    static boolean isSession(Path entry) {
        String name = entry.getFileName().toString();
        if (name.startsWith(".")) {
            return false;
        }
        if (name.endsWith(".kview.zip")) {
            return Files.isRegularFile(entry);
        }
        return Files.isDirectory(entry) && (name.endsWith(".kview") || Files.isRegularFile(entry.resolve("session.json")));
    }

    private static List<Object> fingerprint(Path session) {
        List<Object> fingerprint = new ArrayList<>();
        add(fingerprint, session);
        for (String name : WATCHED) {
            add(fingerprint, session.resolve(name));
        }
        return fingerprint;
    }

    private static void add(List<Object> fingerprint, Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            fingerprint.add(attributes.lastModifiedTime());
            fingerprint.add(attributes.size());
            fingerprint.add(Optional.ofNullable(attributes.fileKey()));
        } catch (IOException e) {
            fingerprint.add(Files.exists(file, LinkOption.NOFOLLOW_LINKS));
        }
    }
}
