// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.kview.session.read.SessionReader;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Hands a session's parts to other tools. */
@Command(name = "export", sortOptions = false,
        header = "Writes a session's trace or distributions for other tools.",
        customSynopsis = "kview export SESSION.kview (--ctf DIR | --hlog FILE)",
        description = {""},
        footer = {"", "Examples:", "  kview export shop.kview --ctf shop-trace && babeltrace2 shop-trace",
                "  kview export shop.kview --hlog shop.hlog"})
final class ExportCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private SessionParameter session;
    @ArgGroup(multiplicity = "1")
    private Form form;

    private static final class Form {
        @Option(names = "--ctf", paramLabel = "DIR", required = true,
                description = "The trace, in the Common Trace Format 1.8, into a folder that is new or empty.")
        private Path ctf;
        @Option(names = "--hlog", paramLabel = "FILE", required = true,
                description = "The distributions, as HdrHistogram's interval log, into a new file.")
        private Path hlog;
    }

    ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        try (SessionReader reader = session.open(console)) {
            if (form.ctf != null) {
                reader.exportCtf(form.ctf, console::say);
                console.result(form.ctf.toString());
            } else {
                reader.exportHlog(form.hlog);
                console.result(form.hlog.toString());
            }
        }
        return ExitCode.DONE;
    }
}
