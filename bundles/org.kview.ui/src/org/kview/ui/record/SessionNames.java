// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Names that sessions get unless the user gives them one. */
final class SessionNames {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private SessionNames() {
    }

    /** "checkout-20261120-140207". */
    static String propose(String executable, LocalDateTime now) {
        String program = executable.substring(executable.lastIndexOf('/') + 1).replaceAll("[^\\w.+-]", "_");
        return (program.isEmpty() ? "session" : program) + "-" + STAMP.format(now);
    }

    /** The folder of a session that was given a name, with or without its ending. */
    static Path folder(String parent, String name) {
        return Path.of(parent, name.endsWith(".kview") ? name : name + ".kview");
    }
}
