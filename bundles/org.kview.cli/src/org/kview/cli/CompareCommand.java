// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.report.ComparisonHtml;
import org.kview.compare.report.ComparisonJson;
import org.kview.compare.report.ComparisonTable;
import org.kview.session.SessionException;
import org.kview.session.SessionReader;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what differs between two sessions. */
@Command(name = "compare", sortOptions = false,
        header = "Tells what changed from one session to another, and whether that is more than noise.",
        customSynopsis = "kview compare A.kview B.kview [--json | --html FILE] [--fail-on-regression[=PERCENT]]",
        description = {"", "Without an option it prints a table, what changed most first.", ""},
        footer = {"", "Examples:", "  kview compare before.kview after.kview",
                "  kview compare before.kview after.kview --html change.html",
                "  kview compare before.kview after.kview --fail-on-regression=10 || echo slower"})
final class CompareCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Parameters(index = "0", paramLabel = "A.kview", description = "The session before: a folder, or a zip of one.")
    private Path before;
    @Parameters(index = "1", paramLabel = "B.kview", description = "The session after.")
    private Path after;
    @ArgGroup
    private ResultForm form = new ResultForm();
    @Option(names = "--fail-on-regression", paramLabel = "PERCENT", arity = "0..1", fallbackValue = "0",
            description = "Ends with 1 where the mean, p50, p90 or p99 of a function rose beyond noise,"
                    + " if given by PERCENT at least.")
    private Double regressionPercent;

    CompareCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (regressionPercent != null && !(regressionPercent >= 0)) {
            throw new ParameterException(spec.commandLine(), "--fail-on-regression takes 0 or more percent, not "
                    + regressionPercent);
        }
        Comparison comparison = Comparer.compare(read("A", before), read("B", after));
        form.give(console, () -> ComparisonJson.of(comparison), () -> ComparisonHtml.of(comparison),
                () -> ComparisonTable.of(comparison, console.tableStyle()));
        if (regressionPercent == null) {
            return ExitCode.DONE;
        }
        long slower = comparison.slowerBy(regressionPercent / 100);
        if (slower > 0) {
            console.say(slower + (slower == 1 ? " function is" : " functions are") + " slower beyond noise"
                    + (regressionPercent > 0 ? " by " + BigDecimal.valueOf(regressionPercent).stripTrailingZeros().toPlainString() + " % or more" : ""));
        }
        return slower > 0 ? ExitCode.FAILED : ExitCode.DONE;
    }

    private ComparedSession read(String letter, Path session) throws SessionException {
        try (SessionReader reader = SessionParameter.open(session, letter + ": ", console)) {
            return ComparedSession.read(String.valueOf(session.getFileName()), reader);
        }
    }
}
