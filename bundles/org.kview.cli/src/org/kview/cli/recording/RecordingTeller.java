// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.cli.console.Console;
import org.kview.model.Budget;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.ProbePoint;
import org.kview.model.SafeText;
import org.kview.recording.CostForecast;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingPulse;
import org.kview.recording.SurveyChoice;
import org.kview.session.report.SurveyText;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LinkStatus;

/** Tells on the console how a recording goes, and passes on what its program prints. */
public final class RecordingTeller implements RecordingObserver {
    private static final int SKIPPED_SHOWN = 3;
    /** A longer command is cut here; the report shows all of it. */
    static final int MOST_COMMAND = 80;
    private static final String ELLIPSIS = " ...";

    private final Console console;
    private final Budget budget;
    private final boolean verbose;
    private final RecordingPulse pulse = new RecordingPulse();

    /**
     * @param budget  with which the trial's forecast is compared
     * @param verbose whether it is told of each function
     */
    public RecordingTeller(Console console, Budget budget, boolean verbose) {
        this.console = console;
        this.budget = budget;
        this.verbose = verbose;
    }

    @Override
    public void step(Step step) {
        console.progress(step.text() + ELLIPSIS);
    }

    @Override
    public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
        skipped.stream().limit(SKIPPED_SHOWN)
                .forEach(f -> console.say("left out " + f.name() + ": " + f.reason()));
        if (skipped.size() > SKIPPED_SHOWN) {
            console.say("left out " + count(skipped.size() - SKIPPED_SHOWN, "more function") + " that can't be probed");
        }
        unmatched.forEach(spec -> console.say("left out " + spec));
        List<FunctionInfo> shared = functions.stream().filter(f -> !otherNames(f).isEmpty()).toList();
        shared.stream().limit(SKIPPED_SHOWN).forEach(f -> console.say(f.name() + " is also "
                + String.join(", ", otherNames(f)) + ": calls by each name are measured"));
        if (shared.size() > SKIPPED_SHOWN) {
            console.say(count(shared.size() - SKIPPED_SHOWN, "more function has", "more functions have")
                    + " other names, too");
        }
        long calls = functions.stream().filter(f -> f.point() instanceof ProbePoint.SystemCall).count();
        long tracepoints = functions.stream().filter(f -> f.point() instanceof ProbePoint.Tracepoint).count();
        long pairs = functions.stream().filter(f -> f.point() instanceof ProbePoint.Usdt usdt && usdt.isPair()).count();
        long statics = functions.stream().filter(f -> f.point() instanceof ProbePoint.Usdt).count() - pairs;
        console.say("probing " + Stream.of(count(functions.size() - calls - tracepoints - statics - pairs, "function"), count(calls, "system call"),
                count(tracepoints, "tracepoint"), count(statics, "static probe"), count(pairs, "pair of static probes", "pairs of static probes")).filter(part -> !part.startsWith("0 ")).collect(Collectors.joining(" and ")));
    }

    /** The aliases that programs use. Names that begin with an underscore, or have a version, are internal to a library. */
    private static List<String> otherNames(FunctionInfo function) {
        return function.aliases().stream().filter(name -> !name.startsWith("_") && !name.contains("@")).toList();
    }

    @Override
    public void awaits(List<String> files) {
        files.forEach(file -> console.say("waits for " + file + " to be loaded"));
    }

    @Override
    public void tried(Optional<CostForecast> forecast, String failure) {
        if (forecast.isEmpty()) {
            console.say("what the probes will cost is not known, the trial failed: " + failure);
            return;
        }
        String warning = forecast.get().warning(budget);
        console.say("a trial counted " + forecast.get().text() + (warning.isEmpty() ? "" : ", " + warning));
        String advice = forecast.get().advice(budget);
        if (!advice.isEmpty()) {
            console.say(advice);
        }
        if (verbose) {
            forecast.get().prices().stream().filter(price -> price.cost() > 0)
                    .forEach(price -> console.say("  " + forecast.get().line(price)));
        }
    }

    @Override
    public void chosen(SurveyChoice choice) {
        console.say("a survey of " + LatencyFormat.nanos(choice.survey().durationNanos()) + " found "
                + count(choice.choices().size(), "function") + " worth measuring");
        SurveyText.caveats(choice.survey().note(), choice.survey().stacks()).forEach(console::say);
        console.table(SuggestedTable.lines(choice));
        choice.choices().stream().filter(one -> !one.isMeasured())
                .forEach(one -> console.say("left out " + choice.name(one) + ": " + one.why()));
        if (!choice.failure().isEmpty()) {
            console.say("what the probes will cost is not known, the trial failed: " + choice.failure());
        }
        console.say("probing " + count(choice.functions().size(), "function"));
    }

    @Override
    public void started(LatencySnapshot empty) {
        String ctrlC = "; Ctrl-C ends the recording and keeps it";
        if (empty.hosts().isEmpty()) {
            console.say(process(empty) + ctrlC);
            return;
        }
        empty.hosts().forEach(host -> console.say(host.info().target() + ": " + process(host)));
        console.say("recording " + count(empty.hosts().size(), "host") + ctrlC);
    }

    private static String process(LatencySnapshot empty) {
        return (empty.info().cgroup().isPresent() ? "recording the cgroup " + SafeText.line(empty.info().command(), MOST_COMMAND)
                : "recording process " + empty.info().pid() + " (" + SafeText.line(empty.info().command(), MOST_COMMAND) + ")"
                + (empty.info().group().isPresent() ? " with its children" : ""))
                + cost(empty);
    }

    /** What the host's agent measured just before the recording began; empty where it could not. */
    private static String cost(LatencySnapshot empty) {
        LongSummaryStatistics nanos = empty.functions().stream().mapToLong(f -> f.function().cost().callNanos())
                .summaryStatistics();
        if (nanos.getCount() == 0 || nanos.getMin() == 0) {
            return "";
        }
        String cheapest = LatencyFormat.nanos(nanos.getMin());
        String dearest = LatencyFormat.nanos(nanos.getMax());
        return (empty.functions().stream().anyMatch(f -> f.function().countsHits()) ? "; each call or hit takes " : "; each call takes ") + (cheapest.equals(dearest) ? "" : cheapest + " to ") + dearest + " longer";
    }

    @Override
    public void snapshot(LatencySnapshot figures) {
        pulse.news(figures).forEach(console::say);
        if (console.isTerminal()) {
            console.progress(pulse.line(figures) + (figures.losses().any() ? ", " + losses(figures.losses()) : ""));
        }
    }

    @Override
    public void link(LinkStatus status) {
        switch (status.state()) {
            case STALLED, LOST, RESUMED -> console.say(status.sentence());
            case CONNECTED, RECONNECTING, GONE -> {
                // Nothing has changed, or the end of the recording will report it.
            }
        }
    }

    @Override
    public void output(boolean errorStream, byte[] bytes) {
        console.pass(errorStream, bytes);
    }

    static String losses(Losses losses) {
        List<String> parts = new ArrayList<>();
        add(parts, losses.eventsDropped(), "event dropped", "events dropped");
        add(parts, losses.missedReturns() + losses.unmatchedReturns(), "return missed", "returns missed");
        add(parts, losses.depthOverflows(), "call nested too deep", "calls nested too deep");
        add(parts, losses.untrackedThreads(), "entry of a thread that could not be followed",
                "entries of threads that could not be followed");
        add(parts, losses.unaccountedCalls(), "call unaccounted for", "calls unaccounted for");
        add(parts, losses.figuresLost(), "figure lost", "figures lost");
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, long number, String one, String many) {
        if (number > 0) {
            parts.add(count(number, one, many));
        }
    }

    private static String count(long number, String one) {
        return count(number, one, one + "s");
    }

    private static String count(long number, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
    }
}
