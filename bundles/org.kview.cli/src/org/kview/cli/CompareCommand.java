// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.report.ComparisonHtml;
import org.kview.compare.report.ComparisonJson;
import org.kview.compare.report.ComparisonTable;
import org.kview.compare.report.ComparisonText;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Tells what differs between two sessions, or between two groups of them. */
@Command(name = "compare", sortOptions = false,
        header = "Tells what changed from one session, or group of sessions, to another.",
        customSynopsis = {"kview compare A.kview B.kview [OPTIONS]",
                "kview compare --a A.kview... --b B.kview... [OPTIONS]"},
        description = {"", "Two sessions show how these two differ. Three and more a side, recorded in turns (A B A B A B),"
                + " show whether the program changed: recordings of the same program differ, too.",
                "Without an option it prints a table, what changed most first.", ""},
        footer = {"", "Examples:", "  kview compare before.kview after.kview",
                "  kview compare --a old-1.kview old-2.kview old-3.kview --b new-1.kview new-2.kview new-3.kview",
                "  kview compare --a old-?.kview --b new-?.kview --html change.html",
                "  kview compare --a old-?.kview --b new-?.kview --fail-on-regression=10 || echo slower"})
final class CompareCommand implements Callable<Integer> {
    private static final double PERCENT = 100;

    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Parameters(arity = "0..2", paramLabel = "A.kview B.kview",
            description = "One session before and one after: folders, or zips of them.")
    private List<Path> pair = List.of();
    @Option(names = "--a", paramLabel = "A.kview", arity = "1..*", description = "Sessions before, two or more.")
    private List<Path> before = List.of();
    @Option(names = "--b", paramLabel = "B.kview", arity = "1..*", description = "Sessions after, two or more.")
    private List<Path> after = List.of();
    @Option(names = "--min-effect", paramLabel = "PERCENT",
            description = "Leaves out differences of less than this part of the smaller figure. If not given, 5, or what"
                    + " --fail-on-regression is given where that is less.")
    private Double minimumPercent;
    @ArgGroup
    private ResultForm form = new ResultForm();
    @Option(names = "--fail-on-regression", paramLabel = "PERCENT", arity = "0..1", fallbackValue = "0",
            converter = RegressionConverter.class,
            description = "Ends with 1 where the mean, p50, p90 or p99 of a function rose by the minimum effect, and if"
                    + " given by PERCENT at least; also where no function could be judged. Takes three sessions a side,"
                    + " each of a process of its own and recorded in turns, or --single.")
    private Double regressionPercent;
    @Option(names = "--single", description = "Lets --fail-on-regression judge by fewer sessions a side, by several of one process,"
            + " or by sessions not recorded in turns. That fails now and then where nothing changed.")
    private boolean single;

    CompareCommand(Console console) {
        this.console = console;
    }

    /** A session that follows the option alone would be taken for its percentage. */
    static final class RegressionConverter implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is no percentage, which stands after '=', as in"
                        + " --fail-on-regression=10; without one the option goes after the sessions");
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        check();
        boolean isPair = !pair.isEmpty();
        Comparison comparison = Comparer.compare(read("A", isPair ? pair.subList(0, 1) : before),
                read("B", isPair ? pair.subList(1, 2) : after), minimumEffect(), () -> false);
        if (regressionPercent != null && !single && !comparison.isEnough()) {
            throw wrong(!comparison.isIndependent() ? "--fail-on-regression takes recordings of a process each, because processes"
                    + " of the same program differ, too, and of these several are of one; start the program anew for each (kview"
                    + " record ... -- CMD), or judge by them with --single"
                    : "--fail-on-regression takes recordings that were made in turns, A B A B A B, because what changes on the"
                            + " host meanwhile looks like a change of the program; record so, or judge by these with --single");
        }
        form.give(console, () -> ComparisonJson.of(comparison), () -> ComparisonHtml.of(comparison),
                () -> ComparisonTable.of(comparison, console.tableStyle()));
        if (regressionPercent == null) {
            return ExitCode.DONE;
        }
        long judged = comparison.judged();
        long all = comparison.functions().size() + comparison.onlyA().size() + comparison.onlyB().size();
        if (judged < all) {
            console.say(judged + " of " + all + " functions could be judged");
        }
        long slower = comparison.slowerBy(regressionPercent / PERCENT);
        if (slower > 0) {
            console.say(slower + (slower == 1 ? " function is" : " functions are") + " slower"
                    + (regressionPercent > 0 ? " by " + ComparisonText.percent(regressionPercent / PERCENT) + " or more" : "")
                    + (comparison.isEnough() ? "" : " in these recordings"));
        }
        return slower > 0 || judged == 0 ? ExitCode.FAILED : ExitCode.DONE;
    }

    /** Who asks for regressions of 2 % has to be told of those. */
    private double minimumEffect() {
        double usual = Comparer.MINIMUM_EFFECT * PERCENT;
        double percent = minimumPercent != null ? minimumPercent
                : regressionPercent != null && regressionPercent > 0 ? Math.min(usual, regressionPercent) : usual;
        return percent / PERCENT;
    }

    private void check() {
        if (regressionPercent != null && !(regressionPercent >= 0 && regressionPercent < Double.POSITIVE_INFINITY)) {
            throw wrong("--fail-on-regression takes 0 or more percent, not " + regressionPercent);
        }
        if (minimumPercent != null && !(minimumPercent >= 0 && minimumPercent < Double.POSITIVE_INFINITY)) {
            throw wrong("--min-effect takes 0 or more percent, not " + minimumPercent);
        }
        boolean groups = !before.isEmpty() || !after.isEmpty();
        if (groups && !pair.isEmpty()) {
            throw wrong("Give two sessions, or groups of them with --a and --b, not both: " + pair.getFirst()
                    + " belongs to no group");
        }
        if (!groups && pair.size() != 2) {
            throw wrong("Which sessions? Give two, or several a side with --a and --b");
        }
        int a = groups ? before.size() : 1;
        int b = groups ? after.size() : 1;
        if (!Comparer.isComparable(a, b)) {
            throw wrong("There are " + a + " sessions of A and " + b + " of B: give one of each, or two and more of each;"
                    + " three and more can show a change");
        }
        if (regressionPercent != null && Math.min(a, b) < Comparer.ENOUGH_RECORDINGS && !single) {
            throw wrong("--fail-on-regression takes three sessions or more with each of --a and"
                    + " --b, because recordings of the same program differ, too; --single does it with fewer");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private List<ComparedSession> read(String letter, List<Path> sessions) throws SessionException {
        List<ComparedSession> read = new ArrayList<>();
        for (Path session : sessions) {
            String before = letter + (sessions.size() == 1 ? "" : " (" + session.getFileName() + ")") + ": ";
            try (SessionReader reader = SessionParameter.open(session, before, console)) {
                read.add(ComparedSession.read(String.valueOf(session.getFileName()), reader, Progress.NONE));
            }
        }
        return read;
    }
}
