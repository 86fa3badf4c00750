// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the workbench once more, as soon as this one has ended: Eclipse's own launcher would do it, and there is none here. */
final class Restart {
    /** Waits for a process, whose workspace is in use until then; {@code $1} is its number. */
    private static final String WHEN_ENDED = "while kill -0 \"$1\" 2>/dev/null; do sleep 0.1; done; shift; exec \"$@\"";

    private Restart() {
    }

    /**
     * Starts it.
     *
     * @param launcher the product's
     * @param pid      of the process that has to end first
     * @param session  to be opened; empty for none
     */
    static Process start(Path launcher, long pid, Optional<Path> session) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WHEN_ENDED, "sh", Long.toString(pid), launcher.toString()));
        session.ifPresent(path -> command.addAll(List.of("open", path.toString())));
        return new ProcessBuilder(command).inheritIO().start();
    }
}
