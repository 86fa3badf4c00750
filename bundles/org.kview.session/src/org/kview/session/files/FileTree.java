// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

import org.kview.session.SessionException;

/** Makes folders that are filled as a whole, and removes those that this program made. Follows no links there. */
public final class FileTree {
    private FileTree() {
    }

    /**
     * Makes a folder, with those above it, if it is not there.
     *
     * @throws SessionException if something is in it
     */
    public static void createEmpty(Path folder) throws IOException, SessionException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            if (entries.iterator().hasNext()) {
                throw new SessionException(folder + " is not empty: choose a new folder");
            }
        }
    }

    /**
     * Removes a file, or a folder with all that is in it, as far as that is possible. What can't be removed stays.
     * This never throws: it also cleans up after failures, and then that failure is the one to report.
     */
    public static void delete(Path path) {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    deleteEmpty(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    deleteEmpty(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException e) {
                    deleteEmpty(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // See above: no step of the visitor throws.
        }
    }

    /** Removes a file, or a folder that has nothing in it; likewise. */
    public static void deleteEmpty(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // See above.
        }
    }
}
