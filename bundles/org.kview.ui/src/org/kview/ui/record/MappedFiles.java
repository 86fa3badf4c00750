/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files whose code a process of this machine maps: what the chooser of binaries proposes. */
final class MappedFiles {
    /** "7f12…-7f12… r-xp 00000000 08:01 1234   /usr/lib/…/libc.so.6". */
    private static final Pattern CODE = Pattern.compile("\\S+ ..x. \\S+ \\S+ [1-9]\\d*\\s+(/.*?)( \\(deleted\\))?");

    private MappedFiles() {
    }

    /** Paths as the process sees them, in the order of its map; empty where that may not be read. */
    static List<String> of(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
            return lines.flatMap(line -> path(line).stream()).distinct().toList();
        } catch (IOException | java.io.UncheckedIOException e) {
            // Another user's process, or one that ended: the name of a library can be typed all the same.
            return List.of();
        }
    }

    static Optional<String> path(String line) {
        Matcher matcher = CODE.matcher(line);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
