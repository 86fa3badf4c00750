/*
 * SPDX-License-Identifier: EPL-2.0
 */
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
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                // A pipe or a device, which takes bytes but can't be replaced.
                Files.write(file, bytes, StandardOpenOption.WRITE);
                return;
            }
            AtomicFile.replace(file, bytes);
        } catch (IOException e) {
            throw SessionException.of("The report can't be written to " + file, e);
        }
    }

    /** Not one that this process holds already, as the shell's {@code >(command)}: that has its reader. */
    private static boolean isNamedPipe(Path file) throws IOException {
        return Files.exists(file) && !file.toAbsolutePath().normalize().toString().matches("/dev/(fd/\\d+|std(out|err))|/proc/.*")
                && ((Integer) Files.getAttribute(file, "unix:mode") & FILE_TYPE) == PIPE;
    }
}
