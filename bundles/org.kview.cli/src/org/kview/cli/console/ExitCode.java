// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import org.kview.targets.values.TargetException;

/** What a command's end tells scripts: part of the command line's contract. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int WRONG_ARGUMENTS = 2;
    static final int NOT_REACHED = 3;
    public static final int NOT_POSSIBLE = 4;

    private ExitCode() {
    }

    public static int of(TargetException.Kind kind) {
        return switch (kind) {
            case NOT_REACHED, CONNECTION_LOST -> NOT_REACHED;
            case NO_PERMISSION, UNSUPPORTED -> NOT_POSSIBLE;
            case NO_SUCH_PROCESS, PROCESS_ENDED, NO_SUCH_BINARY, STRIPPED, NO_SUCH_FUNCTION, NOT_PROBEABLE, BUSY,
                    TOO_MANY, BAD_REQUEST, FAILED -> FAILED;
        };
    }
}
