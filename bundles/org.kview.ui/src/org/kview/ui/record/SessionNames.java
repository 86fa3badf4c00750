// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

import org.kview.session.write.SessionClaim;

/** Names that sessions get unless the user gives them one, and whether one can be had. */
final class SessionNames {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private SessionNames() {
    }

    /** "checkout-20261120-140207". */
    static String propose(String executable, LocalDateTime now) {
        String program = executable.substring(executable.lastIndexOf('/') + 1).replaceAll("[^\\w.+-]", "_");
        return (program.isEmpty() ? "session" : program) + "-" + STAMP.format(now);
    }

    /** Why a session can't be written there; empty if no reason is visible now. */
    static Optional<String> problem(String folder, String name) {
        if (name.isEmpty() || folder.isEmpty()) {
            return Optional.of("The session needs a folder and a name.");
        }
        if (name.contains("/")) {
            return Optional.of("A session's name can't hold a slash.");
        }
        try {
            Path path = folder(folder, name);
            return !path.isAbsolute() ? Optional.of("Name the whole path of the folder.")
                    : !SessionClaim.isFree(path) ? Optional.of(path.getFileName() + " exists already; choose another name.")
                            : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.of("That is no path: " + e.getReason() + ".");
        }
    }

    /** The folder of a session that was given a name, with or without its ending. */
    static Path folder(String parent, String name) {
        return Path.of(parent, name.endsWith(".kview") ? name : name + ".kview");
    }
}
