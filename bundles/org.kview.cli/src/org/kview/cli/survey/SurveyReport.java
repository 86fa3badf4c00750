// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.survey;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.recording.survey.Findings;
import org.kview.recording.survey.FunctionTimes;
import org.kview.recording.survey.SuggestedProbes;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.session.report.SurveyText;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.Survey;

/** What a survey found, for people: {@link SurveyJson} has all of it. */
final class SurveyReport {
    private static final int MOST_NAME = 48;
    private static final int MOST_CAUSES = 3;

    private final String target;
    private final SurveyedFunctions functions;
    private final Survey survey;
    private final SuggestedProbes suggested;
    private final int top;
    private final String children;

    /**
     * @param top      how many functions are listed
     * @param children a few lines on processes that it started, or ""
     */
    SurveyReport(String target, SurveyedFunctions functions, int top, String children) {
        this.target = target;
        this.children = children;
        this.functions = functions;
        this.survey = functions.survey();
        this.suggested = new SuggestedProbes(functions);
        this.top = top;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        Map<Metric, Long> all = functions.all();
        text.append(printable(survey.process().name())).append(" (pid ").append(survey.process().pid()).append("), ")
                .append(LatencyFormat.nanos(survey.stretch().nanos())).append(", ")
                .append(survey.threads().size()).append(survey.threads().size() == 1 ? " thread: " : " threads: ")
                .append(LatencyFormat.nanos(sum(all))).append(" in all, ").append(SurveyText.shares(all)).append('\n');
        quality(text);
        functions(text, sum(all));
        suggestions(text);
        return text.toString();
    }

    private void quality(StringBuilder text) {
        Survey.Quality quality = survey.quality();
        text.append(String.format(Locale.ROOT, "%s of %s stacks go to the start of their thread; the survey took %s of the"
                + " process's time, %s of CPU time%n", LatencyFormat.count(quality.complete()),
                LatencyFormat.count(quality.stacks()), LatencyFormat.nanos(survey.cost().programsNanos()),
                share(survey.cost().programsNanos(), survey.cost().processCpuNanos())));
        SurveyText.caveats(survey.note(), Findings.stacks(quality))
                .forEach(caveat -> text.append("!! ").append(printable(caveat)).append('\n'));
        text.append(children);
    }

    private void functions(StringBuilder text, long all) {
        List<FunctionTimes> shown = functions.byWall().stream()
                .filter(f -> !f.function().kernel() && f.wallNanos() > 0 && !f.isAlwaysThere()).limit(top).toList();
        int width = Math.min(MOST_NAME, shown.stream().mapToInt(f -> label(f.function()).length()).max().orElse(0));
        text.append('\n').append(TerminalText.left("BIN:FUNC", width))
                .append("      Wall  Share    On CPU  Where its time goes\n");
        if (shown.isEmpty()) {
            text.append("(no function returned)\n");
        }
        for (FunctionTimes f : shown) {
            String name = label(f.function());
            if (name.length() > width) {
                text.append(name).append('\n');
                name = "";
            }
            text.append(TerminalText.left(name, width)).append(TerminalText.right(LatencyFormat.nanos(f.wallNanos()), 10))
                    .append(TerminalText.right(share(f.wallNanos(), all), 7))
                    .append(TerminalText.right(f.onCpuNanos() == 0 ? "-" : LatencyFormat.nanos(f.onCpuNanos()), 10))
                    .append("  ").append(SurveyText.shares(f.nanos())).append('\n');
        }
    }

    private void suggestions(StringBuilder text) {
        List<FunctionTimes> probes = suggested.functions();
        text.append('\n');
        if (probes.isEmpty()) {
            text.append("Nothing to probe: no function that can be named returned during the survey.\n");
        } else {
            text.append("Worth measuring, with what their calls took in all:\n");
            probes.forEach(f -> text.append("  --probe ").append(quoted(suggested.probe(f.function()).toString())).append("   ")
                    .append(LatencyFormat.nanos(f.wallNanos())).append(": ").append(SurveyText.shares(f.nanos()))
                    .append(f.isForCondition() ? ", for a condition: its threads may have had nothing to do" : "").append('\n'));
            text.append("To measure them:\n  kview record ").append(target.equals("local") ? "" : "--target " + target + " ")
                    .append("--pid ").append(survey.process().pid()).append(probes.stream()
                            .map(f -> " --probe " + quoted(suggested.probe(f.function()).toString())).distinct()
                            .collect(Collectors.joining()))
                    .append(" --duration 10s -o ").append(quoted(printable(survey.process().name()))).append(".kview\n");
        }
        List<FunctionTimes> endless = suggested.endless().stream().filter(f -> f.busyNanos() > 0).limit(MOST_CAUSES).toList();
        if (!endless.isEmpty()) {
            text.append("Functions that did not return have time of their own, and probes would not see it: ")
                    .append(endless.stream().map(f -> label(f.function()) + " (" + LatencyFormat.nanos(f.busyNanos()) + ")")
                            .collect(Collectors.joining(", "))).append(".\n");
        }
    }

    /** As a shell takes it. */
    private static String quoted(String word) {
        return word.matches("[\\w./:+@%,-]+") ? word : "'" + printable(word).replace("'", "'\\''") + "'";
    }

    private String label(Survey.Function function) {
        return printable(function.symbol().isEmpty() ? bareName(function) : suggested.probe(function).toString());
    }

    /** Of a function that has no symbol. */
    static String bareName(Survey.Function function) {
        String file = function.binary().substring(function.binary().lastIndexOf('/') + 1);
        return function.binary().isEmpty() ? "[code in no file]" : "[" + file + "+" + function.name() + "]";
    }

    private static String printable(String text) {
        return TerminalText.printable(text);
    }

    private static long sum(Map<Metric, Long> nanos) {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String share(long part, long whole) {
        return LatencyFormat.percent(whole == 0 ? 0 : (double) part / whole);
    }
}
