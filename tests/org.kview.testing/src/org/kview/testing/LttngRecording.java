// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What LTTng recorded of a program and of the kernel below it: two threads that take one lock, compute and sleep. The archive has the
 * program, and says how it was recorded.
 */
public final class LttngRecording {
    /** The threads, by their numbers in both traces. */
    public static final int ONE_TID = 303, OTHER_TID = 304;
    /** Of what the kernel's trace has. */
    public static final int KERNEL_EVENTS = 825;

    private LttngRecording() {
    }

    /** A copy of it: a folder with the trace of the kernel, and below {@code ust} that of the program. */
    public static Path in(Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(LttngRecording.class.getResourceAsStream("lttng-shop.zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
        return folder.resolve("shop");
    }
}
