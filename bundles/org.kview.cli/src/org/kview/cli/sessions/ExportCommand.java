// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.model.LatencyFormat;
import org.kview.session.export.ParquetExport;
import org.kview.session.pprof.PprofExport;
import org.kview.session.read.SessionReader;
import org.kview.session.report.MarkedFunctions;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes parts of a session in forms that other tools read. */
@Command(name = "export", sortOptions = false,
        header = "Writes a session's trace, distributions or calls for other tools.",
        customSynopsis = "kview export SESSION.kview (--ctf DIR | --hlog FILE | --parquet DIR | --pprof FILE [--tids])",
        description = {""},
        footer = {"", "Examples:", "  kview export shop.kview --ctf shop-trace && babeltrace2 shop-trace",
                "  kview export shop.kview --hlog shop.hlog",
                "  kview export shop.kview --parquet shop-tables",
                "  kview export shop.kview --pprof shop.pb.gz && go tool pprof -http=: shop.pb.gz"})
public final class ExportCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private SessionParameter session;
    @ArgGroup(multiplicity = "1")
    private Form form;
    @Option(names = "--tids", description = "With --pprof: tells threads of one name apart, by their numbers.")
    private boolean tids;
    @Spec
    private CommandSpec spec;

    private static final class Form {
        @Option(names = "--ctf", paramLabel = "DIR", required = true,
                description = "The trace, in the Common Trace Format 1.8, into a folder that is new or empty.")
        private Path ctf;
        @Option(names = "--hlog", paramLabel = "FILE", required = true,
                description = "The distributions, as HdrHistogram's interval log, into a new file.")
        private Path hlog;
        @Option(names = "--parquet", paramLabel = "DIR", required = true,
                description = "The calls and switches of a session that was recorded with --events, and the distributions by"
                        + " interval, as tables in files of Apache Parquet, into a folder that is new or empty.")
        private Path parquet;
        @Option(names = "--pprof", paramLabel = "FILE", required = true,
                description = "The calls of a session that was recorded with --events, by stack, as a profile for pprof, into"
                        + " a new file.")
        private Path pprof;
    }

    public ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (form.pprof != null) {
            return profile();
        }
        if (tids) {
            throw new ParameterException(spec.commandLine(), "--tids goes with --pprof FILE");
        }
        if (form.parquet != null) {
            return tables();
        }
        try (SessionReader reader = session.open(console)) {
            if (form.ctf != null) {
                reader.exportCtf(form.ctf, console::say);
                console.result(form.ctf.toString());
            } else {
                reader.exportHlog(form.hlog);
                console.result(form.hlog.toString());
            }
            // Neither form has a place for them.
            MarkedFunctions.sentences(reader.snapshot()).forEach(console::say);
        }
        return ExitCode.DONE;
    }

    private int tables() throws Exception {
        try (SessionReader reader = session.openSilently()) {
            ParquetExport.write(reader, form.parquet, this::progress).forEach(console::say);
            console.result(form.parquet.toString());
        }
        return ExitCode.DONE;
    }

    private void progress(long calls) {
        console.progress(LatencyFormat.count(calls) + " calls read");
    }

    private int profile() throws Exception {
        try (SessionReader reader = session.openSilently()) {
            PprofExport profile = PprofExport.of(reader, session.path(), tids);
            profile.write(form.pprof, this::progress);
            // The problems that other exports tell when they open the session are among them.
            profile.findings().forEach(console::say);
            console.result(form.pprof.toString());
        }
        return ExitCode.DONE;
    }
}
