// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a folder with a trace says of itself without being read by libbabeltrace2. */
final class TraceFolder {
    static final String METADATA = "metadata";

    private static final int MOST_DEPTH = 3;
    /** LTTng's folders of a session are 6 deep: trace/ust/uid/1000/64-bit/metadata. */
    private static final int MOST_DEPTH_OF_TRACE = 8;

    private TraceFolder() {
    }

    static boolean isTrace(Path folder) {
        return Files.isRegularFile(folder.resolve(METADATA));
    }

    /** The folder itself, if it holds a trace, or else those below that do, as LTTng writes them; links are not followed. */
    static List<Path> below(Path folder, int most) throws IOException {
        if (isTrace(folder)) {
            return List.of(folder);
        }
        try (Stream<Path> found = Files.find(folder, MOST_DEPTH_OF_TRACE, (path, attributes) -> attributes.isRegularFile()
                && path.getFileName().toString().equals(METADATA))) {
            return found.map(Path::getParent).sorted().limit(most).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Changes when a file of the trace does, or a link leads to another one: names, sizes and times of all. */
    static String identity(Path trace) throws IOException {
        // What is below a link that is walked itself is not told.
        Path folder = trace.toRealPath();
        StringBuilder identity = new StringBuilder("1 " + folder + "\n");
        try (Stream<Path> found = Files.walk(folder, MOST_DEPTH)) {
            List<Path> files = found.filter(Files::isRegularFile).sorted().toList();
            for (Path file : files) {
                identity.append(Files.size(file)).append(' ').append(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS)).append(' ')
                        .append(folder.relativize(file)).append('\n');
            }
        }
        return identity.toString();
    }

    /** The same in 64 characters. */
    static String shortIdentity(Path folder) throws IOException {
        try {
            byte[] identity = identity(folder).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(identity));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
