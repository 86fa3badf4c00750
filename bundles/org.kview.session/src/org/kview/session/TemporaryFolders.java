/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Folders in the temporary folder that this process needs for a while: they go with it, also where a signal ends it. */
final class TemporaryFolders {
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
    private static final int TRIALS = 40;
    private static final long PAUSE_MILLIS = 10;
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFolders::end, "kview-temporary-folders"));
    }

    private TemporaryFolders() {
    }

    /** @throws IOException also where the process is about to end */
    static Path create(String prefix) throws IOException {
        synchronized (OPEN) {
            if (ending) {
                throw new IOException("the program ends");
            }
            Path folder = Files.createTempDirectory(prefix);
            OPEN.add(folder);
            return folder;
        }
    }

    static void remove(Path folder) {
        SessionFiles.deleteAll(folder);
        OPEN.remove(folder);
    }

    /** Who still writes there may make new files meanwhile: until they stay away. */
    private static void end() {
        synchronized (OPEN) {
            ending = true;
        }
        int gone = 0;
        for (int trial = 0; trial < TRIALS && gone < 2; trial++) {
            OPEN.forEach(SessionFiles::deleteAll);
            gone = OPEN.stream().anyMatch(Files::exists) ? 0 : gone + 1;
            try {
                Thread.sleep(OPEN.isEmpty() ? 0 : PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
