// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.session.SessionException;

/** Starts the workbench, which is a process of its own. */
public final class Workbench {
    private static final String LAUNCHER_PROPERTY = "kview.launcher";

    private Workbench() {
    }

    public static boolean hasDisplay() {
        return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
    }

    private static boolean isSet(String variable) {
        return !Optional.ofNullable(System.getenv(variable)).orElse("").isEmpty();
    }

    /** Returns as soon as it starts; it continues after this process has ended. */
    public static void open(Optional<Path> session) throws SessionException {
        String launcher = System.getProperty(LAUNCHER_PROPERTY, "");
        if (launcher.isEmpty()) {
            throw new SessionException("Where the launcher is, is not known; start kview-workbench by hand");
        }
        List<String> command = new ArrayList<>(List.of(launcher, "open"));
        session.ifPresent(s -> command.add(s.toAbsolutePath().toString()));
        try {
            new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start().getOutputStream().close();
        } catch (IOException e) {
            throw new SessionException("The workbench could not be started: " + e.getMessage(), e);
        }
    }
}
