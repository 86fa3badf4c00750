// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.kview.session.SessionException;
import org.kview.session.files.AtomicFile;

/** Writes a report to a file, all of it or nothing. */
public final class ReportFile {
    private static final int FILE_TYPE = 0170000;
    private static final int PIPE = 0010000;
    /** The kernel follows no more links than this in one path. */
    private static final int MOST_LINKS = 40;

    private ReportFile() {
    }

    /**
     * Writes a text as UTF-8. A file that was there is replaced once the new one is complete.
     *
     * @throws SessionException if it can't be written
     */
    public static void write(Path file, String text) throws SessionException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Likewise with bytes. */
    public static void write(Path file, byte[] bytes) throws SessionException {
        if (Files.isDirectory(file)) {
            throw new SessionException("The report can't be written to " + file + ": it is a folder");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new SessionException("The report can't be written to " + file + ": there is no folder " + folder);
        }
        try {
            if (isNamedPipe(file)) {
                throw new SessionException("The report can't be written to " + file
                        + ": it is a named pipe, which perhaps nobody reads; name a file, or /dev/stdout");
            }
            if (Files.exists(file) && (!Files.isRegularFile(file) || isDescriptor(file))) {
                // A pipe or a device can only be written to, not replaced. And replacing a name such as /dev/stdout
                // would not replace the open file that it stands for.
                Files.write(file, bytes, Files.isRegularFile(file) ? StandardOpenOption.APPEND : StandardOpenOption.WRITE);
                return;
            }
            // Where a link leads to a file, that one is replaced.
            AtomicFile.replace(Files.exists(file) ? file.toRealPath() : file, bytes);
        } catch (IOException e) {
            throw SessionException.of("The report can't be written to " + file, e);
        }
    }

    /** Whether it is, or a link leads to, a name for a file that this process has open, such as /dev/stdout. */
    private static boolean isDescriptor(Path file) throws IOException {
        Path at = file.toAbsolutePath().normalize();
        for (int links = 0; links < MOST_LINKS && !at.startsWith("/dev") && !at.startsWith("/proc"); links++) {
            if (!Files.isSymbolicLink(at)) {
                return false;
            }
            at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
        }
        return at.startsWith("/proc") || Files.isSymbolicLink(at);
    }

    /** A pipe that this process has not opened already. The shell's {@code >(command)} is open already, and has a reader. */
    private static boolean isNamedPipe(Path file) throws IOException {
        return Files.exists(file) && !isDescriptor(file) && ((Integer) Files.getAttribute(file, "unix:mode") & FILE_TYPE) == PIPE;
    }
}
