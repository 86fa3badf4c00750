// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Opens a session in the workbench. The launcher does so by itself; this is for the help, and for other launchers. */
@Command(name = "open", header = "Opens a session in the workbench.",
        customSynopsis = "kview open [SESSION.kview]", description = {"", "Needs a display.", ""},
        footer = {"", "Example:", "  kview open shop.kview"})
public final class OpenCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Parameters(paramLabel = "SESSION.kview", arity = "0..1", description = "A session's folder, or a zip of one.")
    private Path session;

    public OpenCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (!Workbench.hasDisplay()) {
            console.say("there is no display to open the workbench on (DISPLAY is not set);"
                    + " 'kview report' prints a session without one");
            return ExitCode.FAILED;
        }
        Workbench.open(Optional.ofNullable(session));
        return ExitCode.DONE;
    }
}
