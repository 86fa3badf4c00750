/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes folders that this program made. Follows no links. */
public final class FileTree {
    private FileTree() {
    }

    /**
     * Removes a file, or a folder with all that is in it, as far as that is possible. What can't be removed stays: there
     * is a failure that led here, and that is the one to tell.
     */
    public static void delete(Path path) {
        List<Path> all;
        try (Stream<Path> files = Files.walk(path)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        all.forEach(FileTree::deleteEmpty);
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
