// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the workbench once more, as soon as this one has ended: Eclipse's own launcher would do it, and there is none here. */
final class Restart {
    /**
     * Waits for a process, whose workspace is in use until then: {@code $1} is its number, and after {@code $2} tenths of a second it is not waited for any
     * longer. One that has ended, and whom nobody has asked yet what became of it (Z), uses nothing any more.
     */
    private static final String WHEN_ENDED = """
            left=$2
            while kill -0 "$1" 2>/dev/null && ! grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null; do
                if [ "$left" -eq 0 ]; then
                    echo "kview: the workbench that was to end (process $1) still runs; end it, and start the workbench again" >&2
                    exit 1
                fi
                left=$((left - 1))
                sleep 0.1
            done
            shift 2
            exec "$@"
            """;
    private static final int MOST_TENTHS = 600;

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
        return start(launcher, pid, MOST_TENTHS, session);
    }

    /** @param tenths of a second for which is waited */
    static Process start(Path launcher, long pid, int tenths, Optional<Path> session) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WHEN_ENDED, "sh", Long.toString(pid), Integer.toString(tenths), launcher.toString()));
        session.ifPresent(path -> command.addAll(List.of("open", path.toString())));
        return new ProcessBuilder(command).inheritIO().start();
    }
}
