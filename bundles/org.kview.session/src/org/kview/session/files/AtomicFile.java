// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.session.format.SessionFiles;

/** Files that are replaced as a whole, and that several programs may replace at once: the last one wins. */
public final class AtomicFile {
    private static final AtomicLong NEXT = new AtomicLong();
    private static final Pattern OWN = Pattern.compile("\\.(\\d{1,10})-\\d{1,19}" + Pattern.quote(SessionFiles.TEMPORARY_SUFFIX));
    /**
     * When a temporary file counts as left over. Its writer may run on another host that shares the disk, so that its
     * process can't be seen here; but no writer takes this long.
     */
    private static final Duration SURELY_LEFT = Duration.ofHours(1);

    private AtomicFile() {
    }

    /**
     * Replaces or creates a file. Whatever happens meanwhile, the name leads to the complete former file or to the
     * complete new one. Those who could not read the former one can't read the new one. Temporary files that killed
     * writers left beside it are removed.
     *
     * @throws IOException if it could not be written; the file is as before, and nothing is left beside it
     */
    public static void replace(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, Disk.REAL);
    }

    /** Likewise; where it makes the file, nobody but its owner may read it. */
    public static void replacePrivate(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, Disk.PRIVATE);
    }

    private static void replace(Path file, byte[] bytes, Disk disk) throws IOException {
        removeLeft(file);
        disk.replace(file, file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + "-"
                + NEXT.incrementAndGet() + SessionFiles.TEMPORARY_SUFFIX), bytes);
    }

    private static void removeLeft(Path file) {
        String name = file.getFileName().toString();
        Path folder = file.toAbsolutePath().getParent();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder,
                other -> other.getFileName().toString().startsWith(name + "."))) {
            for (Path other : all) {
                Matcher own = OWN.matcher(other.getFileName().toString().substring(name.length()));
                if (own.matches() && ProcessHandle.of(Long.parseLong(own.group(1))).isEmpty() && Files.getLastModifiedTime(other)
                        .toInstant().isBefore(Instant.now().minus(SURELY_LEFT))) {
                    Files.deleteIfExists(other);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What is left takes space, and does no other harm.
        }
    }
}
