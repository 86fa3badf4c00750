// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.kview.chart.ChartTheme;
import org.kview.model.LatencySnapshot;
import org.kview.session.SessionReader;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.PictureReport;
import org.kview.session.report.ReportFile;
import org.kview.session.report.TableReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what a session measured. */
@Command(name = "report", sortOptions = false,
        header = "Tells what a session measured: a table, JSON, a page, a picture.",
        customSynopsis = "kview report SESSION.kview [--json | --html FILE | --png FILE | --csv FILE]",
        description = {"", "Without an option it prints a table, times in units that fit.", ""},
        footer = {"", "Examples:", "  kview report shop.kview",
                "  kview report shop.kview --json | jq '.functions[] | {name, verdict}'",
                "  kview report shop.kview --html shop.html"})
final class ReportCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Parameters(paramLabel = "SESSION.kview", description = "A session's folder, or a zip of one.")
    private Path session;
    @ArgGroup
    private Form form = new Form();

    private static final class Form {
        @Option(names = "--json", description = "Prints JSON, times in ns.")
        private boolean json;
        @Option(names = "--html", paramLabel = "FILE", description = "Writes one page that needs no other file.")
        private Path html;
        @Option(names = "--png", paramLabel = "FILE", description = "Writes a picture of the distributions.")
        private Path png;
        @Option(names = "--csv", paramLabel = "FILE", description = "Writes a table for spreadsheets, times in ns.")
        private Path csv;
    }

    ReportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            LatencySnapshot figures = reader.snapshot();
            figures.problems().forEach(console::say);
            if (form.json) {
                console.result(JsonReport.of(figures));
            } else if (form.html != null) {
                ReportFile.write(form.html, HtmlReport.of(figures));
            } else if (form.png != null) {
                ReportFile.write(form.png, PictureReport.png(figures, ChartTheme.LIGHT));
            } else if (form.csv != null) {
                ReportFile.write(form.csv, CsvReport.of(figures));
            } else {
                console.result(TableReport.of(figures, console.tableStyle()));
            }
        }
        return ExitCode.DONE;
    }
}
