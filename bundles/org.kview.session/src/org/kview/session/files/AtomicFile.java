/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

import org.kview.session.format.SessionFiles;

/** Files that are replaced as a whole, and that several programs may replace at once: the last one wins. */
public final class AtomicFile {
    private static final AtomicLong NEXT = new AtomicLong();

    private AtomicFile() {
    }

    /**
     * Replaces a file, or makes it: whatever happens meanwhile, there is the former file or the new one.
     *
     * @throws IOException if it could not be written; the file is as before, and nothing is left beside it
     */
    public static void replace(Path file, byte[] bytes) throws IOException {
        Path own = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + "-"
                + NEXT.incrementAndGet() + SessionFiles.TEMPORARY_SUFFIX);
        Disk.REAL.replace(file, own, bytes);
    }
}
