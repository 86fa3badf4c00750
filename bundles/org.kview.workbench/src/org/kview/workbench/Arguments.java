// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the workbench was started with.
 *
 * @param session to be opened at the start
 */
record Arguments(Optional<Path> session) {

    /** Takes {@code --open SESSION} and {@code open SESSION}; ignores what it does not know, as Eclipse does. */
    static Arguments parse(String[] arguments) {
        for (int i = 0; i + 1 < arguments.length; i++) {
            if (arguments[i].equals("--open") || i == 0 && arguments[i].equals("open")) {
                return new Arguments(path(arguments[i + 1]));
            }
        }
        return new Arguments(Optional.empty());
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
