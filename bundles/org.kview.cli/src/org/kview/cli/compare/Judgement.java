// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.ResultForm;
import org.kview.cli.sessions.SessionParameter;
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
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** How a comparison is shown, and when it fails: what all commands that compare have in common. */
final class Judgement {
    private static final double PERCENT = 100;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;
    @Option(names = "--min-effect", paramLabel = "PERCENT",
            description = "Leaves out differences of less than this part of the smaller figure. If not given, 5, or what"
                    + " --fail-on-regression is given where that is less.")
    private Double minimumPercent;
    @ArgGroup
    private ResultForm form = new ResultForm();
    @Option(names = "--fail-on-regression", paramLabel = "PERCENT", arity = "0..1", fallbackValue = "0",
            converter = RegressionConverter.class,
            description = "Ends with 1 if the mean, p50, p90 or p99 of a function, or its mean without waits for a CPU, rose"
                    + " by the minimum effect, and by at least PERCENT if that is given; also if no function could be judged."
                    + " Takes three recordings a side, in turns and each of a process of its own.")
    private Double regressionPercent;

    /** If a session follows the option directly, it must not be taken for the option's percentage. */
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

    /** Whether the exit code tells of regressions. */
    boolean isGate() {
        return regressionPercent != null;
    }

    /** @throws ParameterException for percentages that are none */
    void check() {
        if (regressionPercent != null && !(regressionPercent >= 0 && regressionPercent < Double.POSITIVE_INFINITY)) {
            throw wrong("--fail-on-regression takes 0 or more percent, not " + regressionPercent);
        }
        if (minimumPercent != null && !(minimumPercent >= 0 && minimumPercent < Double.POSITIVE_INFINITY)) {
            throw wrong("--min-effect takes 0 or more percent, not " + minimumPercent);
        }
    }

    /** Changes below the usual least effect are looked for as well, if regressions so small are asked for. */
    double minimumEffect() {
        double usual = Comparer.MINIMUM_EFFECT * PERCENT;
        double percent = minimumPercent != null ? minimumPercent
                : regressionPercent != null && regressionPercent > 0 ? Math.min(usual, regressionPercent) : usual;
        return percent / PERCENT;
    }

    /**
     * Shows the comparison.
     *
     * @return the exit code
     */
    int tell(Console console, Comparison comparison) throws SessionException {
        form.give(console, () -> ComparisonJson.of(comparison), () -> ComparisonHtml.of(comparison),
                () -> ComparisonTable.of(comparison, console.tableStyle()));
        if (regressionPercent == null) {
            return ExitCode.DONE;
        }
        long judged = comparison.judged();
        long all = comparison.all();
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

    /** @param letter the side's, for messages about a session */
    static List<ComparedSession> read(String letter, List<Path> sessions, Console console) throws SessionException {
        List<ComparedSession> read = new ArrayList<>();
        for (Path session : sessions) {
            String before = letter + (sessions.size() == 1 ? "" : " (" + session.getFileName() + ")") + ": ";
            try (SessionReader reader = SessionParameter.open(session, before, console)) {
                read.add(ComparedSession.read(String.valueOf(session.getFileName()), reader, Progress.NONE));
            }
        }
        return read;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
