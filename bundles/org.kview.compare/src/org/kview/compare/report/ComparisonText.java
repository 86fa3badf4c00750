// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.compare.Change;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.QuantityChange;
import org.kview.compare.QuantityChanges;
import org.kview.compare.Significance;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.Quantity;
import org.kview.session.report.FunctionNotes;
import org.kview.statistics.Statistic;

/** A comparison in words. */
public final class ComparisonText {
    /** Stands where a figure can't be known. */
    private static final String UNKNOWN = "?";
    /** Stands where there is nothing to measure. */
    private static final String NONE = "–";

    private ComparisonText() {
    }

    /** "3 of 8 functions changed."; of one pair that they differ in these two recordings. */
    public static String summary(Comparison comparison) {
        int both = comparison.functions().size();
        if (both == 0) {
            return "The sessions have no function in common.";
        }
        long differing = comparison.changed();
        boolean one = differing <= 1;
        return (differing == 0 ? "No function" : differing + " of " + both + (both == 1 ? " function" : " functions"))
                + (comparison.isEnough() ? " changed." : (one ? " differs in these " : " differ in these ")
                        + recordings(comparison) + ".");
    }

    /** The word for a difference: "changed", or a weaker one if there are too few recordings to say so. */
    public static String outcome(Comparison comparison) {
        return comparison.isEnough() ? "changed" : "differs in these " + recordings(comparison);
    }

    /** What is known of a figure's change: its significance, in the words that the number of recordings allows. */
    public static String outcome(Comparison comparison, Change change) {
        return !change.isBeyondNoise() ? change.significance().label() : comparison.isEnough() ? "changed" : "differs";
    }

    private static String recordings(Comparison comparison) {
        return comparison.isPair() ? "two recordings" : !comparison.hasManyRecordings() ? "few recordings"
                : !comparison.isIndependent() ? "recordings of few processes" : "recordings, not made in turns";
    }

    /** "p99 +38.0 ms, +93 % (41.0 ms → 79.0 ms), lock; changed". */
    public static String verdict(Comparison comparison, FunctionComparison function) {
        return String.join("; ", verdictParts(comparison, function));
    }

    /**
     * The same for a line of a table, the most important first: "changed: p99 +38.0 ms, +93 % (41.0 ms → 79.0 ms), lock;
     * total +80 %".
     */
    public static String line(Comparison comparison, FunctionComparison function) {
        if (!function.differs()) {
            return unchanged(function);
        }
        List<String> parts = new ArrayList<>();
        perCall(function).ifPresent(parts::add);
        if (!function.rates().isEmpty()) {
            parts.add(function.rates().stream().map(ComparisonText::size).collect(Collectors.joining(", ")));
        }
        return (comparison.isEnough() ? "changed: " : "differs: ") + String.join("; ", parts);
    }

    /** What has to be known of the times that were compared: "A and B: until it goes on to poll"; empty if they are what they seem. */
    public static List<String> marks(FunctionComparison function) {
        Optional<String> a = FunctionNotes.marks(function.pair().a());
        Optional<String> b = FunctionNotes.marks(function.pair().b());
        return a.isPresent() && a.equals(b) ? List.of("A and B: " + a.get())
                : Stream.of(a.map(marks -> "A: " + marks), b.map(marks -> "B: " + marks)).flatMap(Optional::stream).toList();
    }

    /** "total −97 %". */
    private static String size(Change change) {
        String relative = relative(change);
        return label(change.statistic()) + " " + (relative.isEmpty() ? difference(change) : relative);
    }

    /** The parts of the verdict, one for each line. */
    static List<String> verdictParts(Comparison comparison, FunctionComparison function) {
        if (!function.differs()) {
            return List.of(unchanged(function));
        }
        List<String> parts = new ArrayList<>();
        perCall(function).ifPresent(parts::add);
        if (!function.rates().isEmpty()) {
            parts.add(rates(function));
        }
        parts.add(parts.removeLast() + "; " + outcome(comparison));
        return parts;
    }

    /** How the time of a call differs: "p99 +38.0 ms, +93 % (41.0 ms → 79.0 ms), lock". */
    private static Optional<String> perCall(FunctionComparison function) {
        return function.headline().map(change -> {
            String relative = relative(change);
            return label(change.statistic()) + " " + difference(change) + (relative.isEmpty() ? "" : ", " + relative) + " ("
                    + value(change, true) + " → " + value(change, false) + ")"
                    + function.mainCause().map(cause -> ", " + cause.metric().label()).orElse("");
        });
    }

    /** What differs for the program as a whole: "calls −99 % (501/s → 0.8/s), total −97 % (31.2 ms/s → 980 µs/s)". */
    public static String rates(FunctionComparison function) {
        return function.rates().stream().map(change -> size(change) + " (" + value(change, true) + " → "
                + value(change, false) + ")").collect(Collectors.joining(", "));
    }

    /** Whether a figure is known of either side. */
    public static boolean isMeasured(FunctionComparison function, Statistic statistic) {
        Change change = function.wall().get(statistic);
        return !Double.isNaN(change.a()) || !Double.isNaN(change.b());
    }

    /** The name of a figure for people. */
    public static String label(Statistic statistic) {
        return switch (statistic) {
            case CALLS -> "calls";
            case TOTAL -> "total";
            case UNDISTURBED -> "mean without waits for a CPU";
            default -> statistic.id();
        };
    }

    private static String unchanged(FunctionComparison function) {
        if (function.isJudged()) {
            return has(function, Significance.BELOW_MINIMUM) ? "no difference as large as asked for"
                    : (has(function, Significance.BELOW_RESOLUTION) ? "no difference that the resolution could tell"
                            : "no difference beyond noise") + visible(function);
        }
        FunctionLatency a = function.pair().a();
        FunctionLatency b = function.pair().b();
        return switch (function.wall().get(Statistic.MEAN).significance()) {
            case TOO_FEW_CALLS -> "too few calls (" + LatencyFormat.count(a.wall().count()) + " and "
                    + LatencyFormat.count(b.wall().count()) + ")";
            case TOO_SHORT -> "too short to judge: called in less than some 3 s of a recording";
            case TOO_FEW_RECORDINGS -> "too few recordings have it";
            default -> "not known: the distribution is lost with a damaged file";
        };
    }

    /** "; less than 12 % would not be seen reliably". */
    private static String visible(FunctionComparison function) {
        OptionalDouble visible = function.visible();
        return visible.isEmpty() ? "" : "; " + (visible.getAsDouble() >= 1
                ? "times would have to be twice as long or more to be found reliably"
                : "less than " + Math.round(Math.ceil(visible.getAsDouble() * 100)) + " % would not be found reliably");
    }

    private static boolean has(FunctionComparison function, Significance significance) {
        return function.wall().values().stream().anyMatch(c -> c.significance() == significance);
    }

    /** "+38.0 ms"; "±0" where nothing differs; "?" or "–" where it is not known or there is nothing. */
    public static String difference(Change change) {
        if (Double.isNaN(change.difference())) {
            return missing(change);
        }
        return end(change, change.difference());
    }

    /** A figure with its unit. */
    private static String amount(Statistic statistic, double value) {
        return switch (statistic) {
            case CALLS -> perSecond(value) + "/s";
            case TOTAL -> LatencyFormat.nanos(value) + "/s";
            default -> LatencyFormat.nanos(value);
        };
    }

    private static String perSecond(double calls) {
        return calls >= 99.95 ? LatencyFormat.count(Math.round(calls)) : calls == 0 ? "0"
                : String.format(Locale.ROOT, calls >= 9.995 ? "%.1f" : "%.2f", calls);
    }

    /** "41.0 ms". */
    public static String value(Change change, boolean inA) {
        double value = inA ? change.a() : change.b();
        return Double.isNaN(value) ? missing(change) : amount(change.statistic(), value);
    }

    /** The figure in each recording of a side: "9.61 ms, 9.87 ms, 10.1 ms". */
    public static String recordings(Change change, boolean inA) {
        return (inA ? change.inA() : change.inB()).stream().map(v -> Double.isNaN(v) ? UNKNOWN
                : amount(change.statistic(), v)).collect(Collectors.joining(", "));
    }

    private static String missing(Change change) {
        return change.significance() == Significance.UNKNOWN ? UNKNOWN : NONE;
    }

    /** "+31.2 ms to +45.0 ms"; empty where it can't be told. */
    public static String interval(Change change) {
        return change.interval().map(i -> end(change, i.lowNanos()) + " to " + end(change, i.highNanos())).orElse("");
    }

    private static String end(Change change, double value) {
        String size = amount(change.statistic(), Math.abs(value));
        return size.startsWith("0 ") || size.equals("0/s") ? "±0" : (value < 0 ? "−" : "+") + size;
    }

    /** "+93 %"; "×12" from twelve times on; empty where A has none. */
    public static String relative(Change change) {
        double relative = change.relative();
        if (Double.isNaN(relative) || Double.isInfinite(relative)) {
            return "";
        }
        return relative >= 9.995 ? String.format(Locale.ROOT, "×%.0f", relative + 1)
                : relative < -0.985 && relative > -1 ? String.format(Locale.ROOT, "−%.3g %%", Math.floor(-relative * 1000) / 10)
                : String.format(Locale.ROOT, "%s%.0f %%", relative < -0.005 ? "−" : relative < 0.005 ? "±" : "+",
                        Math.abs(relative) * 100);
    }

    /** A difference in ns: "−38.0 ms". */
    public static String signed(double nanos) {
        String size = LatencyFormat.nanos(Math.abs(nanos));
        return size.startsWith("0 ") ? "±0" : (nanos < 0 ? "−" : "+") + size;
    }

    /** The changes of on-CPU time and causes that are beyond noise, the largest first. */
    public static List<Change> changedCauses(FunctionComparison function) {
        return function.perCall().values().stream().filter(Change::isBeyondNoise)
                .sorted(Comparator.comparingDouble((Change c) -> Math.abs(c.difference())).reversed()).toList();
    }

    /** By function: its name, with its binary's where the comparison has the name twice. */
    public static Map<FunctionComparison, String> names(Comparison comparison) {
        Map<String, Integer> uses = new HashMap<>();
        comparison.functions().forEach(f -> uses.merge(f.name(), 1, Integer::sum));
        Map<FunctionComparison, String> names = new HashMap<>();
        comparison.functions().forEach(f -> names.put(f, uses.get(f.name()) == 1 ? f.name()
                : f.name() + " (" + f.pair().b().function().point().binary() + ")"));
        return names;
    }

    /** The change of a metric; of one that occurs in neither recording, none. */
    public static Change perCall(FunctionComparison function, Metric metric) {
        return Optional.ofNullable(function.perCall().get(metric)).orElse(new Change(metric, Statistic.MEAN, 0, 0,
                List.of(), List.of(), Optional.empty(), 0, Double.NaN, 1, Significance.WITHIN_NOISE));
    }

    /** How it was judged, and what that can't show, one sentence each. */
    public static List<String> method(Comparison comparison) {
        List<String> sentences = new ArrayList<>();
        sentences.add(String.format(Locale.ROOT, "What counts stands at a false discovery rate of %.0f %% over all functions"
                + " (%s), is larger than the resolution, and at least %s of the smaller figure (--min-effect).",
                Comparer.RATE * 100, comparison.isPair() ? "Benjamini and Hochberg" : "Benjamini, Krieger and Yekutieli",
                percent(comparison.minimumEffect())));
        if (comparison.isPair()) {
            sentences.add("Tested was whether these two recordings differ by more than each of them varies within itself: "
                    + Comparer.REPLICATES + " replicates of each by a circular block bootstrap over its time (Efron and"
                    + " Tibshirani; Politis and Romano), with expanded percentile intervals of 95 % (Hesterberg).");
            sentences.add("That is no proof of a change: recordings of the same program differ from run to run, and one of"
                    + " each can't show by how much. Record three or more a side, in turns, and compare them with --a and --b.");
        } else {
            sentences.add("Tested was whether the groups differ by more than recordings of one group differ from each other:"
                    + " a moderated t-test on logarithms (Smyth), of each function by itself and beside the others of the"
                    + " same recordings (Gagnon-Bartsch and Speed), with intervals of 95 %. Figures are means over the"
                    + " recordings of a side.");
            if (!comparison.hasManyRecordings()) {
                sentences.add("With fewer than " + Comparer.ENOUGH_RECORDINGS + " recordings a side little is found, and"
                        + " nothing is called changed.");
            } else if (!comparison.isIndependent()) {
                sentences.add("Nothing is called changed, because recordings of one process can't show how processes of"
                        + " the same program differ.");
            } else if (!comparison.isInTurns()) {
                sentences.add("Nothing is called changed, because one side was recorded after the other: what changed on the"
                        + " host meanwhile can't be told from a change of the program. Record in turns, A B A B A B.");
            }
        }
        sentences.add("What calls take without waits for a CPU is compared as well as their wall-clock time: other work on the host"
                + " moves it less.");
        sentences.add("Resolution: times are kept in buckets of at most 1/16 of their value, so a percentile that moves less"
                + " than a bucket may not have moved; means and totals are exact.");
        return sentences;
    }

    /** "5 %". */
    public static String percent(double share) {
        return BigDecimal.valueOf(share * 100).round(new MathContext(3)).stripTrailingZeros()
                .toPlainString() + " %";
    }

    /**
     * What calls took beside time, "minor page faults: 335 → 12 a call, beyond noise (95 %: -340 to -310)", one sentence for each quantity
     * that either side had.
     */
    static List<String> quantities(QuantityChanges changes, FunctionComparison function) {
        return changes.of(function).stream().filter(QuantityChange::occurs).map(changed -> {
            Change change = changed.perCall();
            String figures = changed.quantity().title() + ": " + changed.quantity().text(change.a()) + " → " + changed.quantity().text(change.b()) + " a call";
            return figures + change.interval().map(interval -> ", " + change.significance().label() + " (95 %: " + signed(changed.quantity(), interval.lowNanos())
                    + " to " + signed(changed.quantity(), interval.highNanos()) + ")").orElse(", not judged");
        }).toList();
    }

    private static String signed(Quantity quantity, double value) {
        return (value < 0 ? "-" : "+") + quantity.text(Math.abs(value));
    }
}
