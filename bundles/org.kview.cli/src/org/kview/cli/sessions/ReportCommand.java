// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.chart.ChartTheme;
import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.ResultForm;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;
import org.kview.session.calls.CallsSection;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.read.SessionReader;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.PictureReport;
import org.kview.session.report.ReportFile;
import org.kview.session.report.TableReport;
import org.kview.session.store.CallStores;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what a session measured. */
@Command(name = "report", sortOptions = false,
        header = "Tells what a session measured: a table, JSON, a page, a picture.",
        customSynopsis = "kview report SESSION.kview [--all] [--json | --html FILE | --png FILE | --csv FILE]",
        description = {"", "Without an option it prints a table, times in units that fit.", ""},
        footer = {"", "Examples:", "  kview report shop.kview",
                "  kview report shop.kview --json | jq '.functions[] | {name, verdict}'",
                "  kview report shop.kview --html shop.html"})
public final class ReportCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private SessionParameter session;
    @Option(names = "--all", description = "Lists functions that were never called in the table, too.")
    private boolean all;
    @ArgGroup
    private Form form = new Form();

    private static final class Form extends ResultForm {
        @Option(names = "--png", paramLabel = "FILE", description = "Writes a picture of the distributions.")
        private Path png;
        @Option(names = "--csv", paramLabel = "FILE", description = "Writes a table for spreadsheets, times in ns.")
        private Path csv;
    }

    public ReportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        try (SessionReader reader = session.open(console)) {
            LatencySnapshot figures = reader.snapshot();
            if (form.png != null) {
                ReportFile.write(form.png, PictureReport.png(figures, ChartTheme.LIGHT));
            } else if (form.csv != null) {
                ReportFile.write(form.csv, CsvReport.of(figures));
            } else {
                form.give(console, () -> JsonReport.of(figures), () -> html(reader, figures),
                        () -> TableReport.of(figures, console.tableStyle(), all));
            }
        }
        return ExitCode.DONE;
    }

    /** With its single calls, if it has any: they are stored for that, as the workbench does. */
    private String html(SessionReader reader, LatencySnapshot figures) {
        if (reader.traces().isEmpty()) {
            return HtmlReport.of(figures);
        }
        try {
            Optional<SessionCallStore> store = SessionCallStore.of(reader, session.path(), CallStores.ofUser(), read -> {
                console.progress(LatencyFormat.count(read) + " calls stored");
                return true;
            });
            if (store.isPresent()) {
                try (SessionCallStore calls = store.get()) {
                    return calls.ask(single -> HtmlReport.of(figures, page -> CallsSection.write(single, page))).orElseThrow();
                }
            }
            console.say("Another program stores these calls just now, so the page has none of them.");
            return without(figures, "another program was just storing them");
        } catch (SessionException e) {
            console.say(e.getMessage() + ", so the page has no single calls.");
            return without(figures, e.getMessage());
        }
    }

    /** The page says so as well: whom it is given to does not see what was printed. */
    private static String without(LatencySnapshot figures, String why) {
        return HtmlReport.of(figures, page -> CallsSection.without(why + ".", page));
    }
}
