/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.library;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Takes away what is no one's any more. Follows no links. */
final class Parts {
    private Parts() {
    }

    /** As far as that is possible; what stays is hidden, and swept up some other day. */
    static void delete(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(path)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        all.forEach(Parts::deleteEmpty);
    }

    /** A file, or a folder without anything in it. */
    static void deleteEmpty(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // See above.
        }
    }
}
