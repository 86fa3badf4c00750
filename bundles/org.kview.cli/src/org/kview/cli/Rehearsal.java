// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.kview.cli.console.Console;
import org.kview.session.report.TableStyle;
import org.kview.ssh.SshRehearsal;

/**
 * Runs what all commands have in common, while Java records which classes are needed, for the start-up archive (JEP 483, JEP
 * 514). Shows nothing and changes nothing outside its folder.
 */
final class Rehearsal {

    private Rehearsal() {
    }

    /** @param arguments an empty folder, for what the rehearsal writes */
    public static void main(String[] arguments) throws Exception {
        var silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var console = new Console(silent, silent, false, TableStyle.PLAIN);
        for (List<String> command : List.of(List.of("--version"), List.of("doctor", "--json"),
                List.of("report", arguments[0]), List.of("record", "--pid", "0", "--probe", "no:function"))) {
            new KviewCommand(console, Main::version).run(command);
        }
        SshRehearsal.connect(Path.of(arguments[0]));
    }
}
