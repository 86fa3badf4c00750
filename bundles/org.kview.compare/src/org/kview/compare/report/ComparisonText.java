/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.kview.compare.Change;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.Significance;
import org.kview.compare.Statistic;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/** A comparison in words. */
public final class ComparisonText {
    /** Stands where a figure can't be known. */
    private static final String UNKNOWN = "?";
    /** Stands where there is nothing to measure. */
    private static final String NONE = "–";

    private ComparisonText() {
    }

    /** "3 of 8 functions changed beyond noise". */
    public static String summary(Comparison comparison) {
        int both = comparison.functions().size();
        if (both == 0) {
            return "The sessions have no function in common.";
        }
        long changed = comparison.changed();
        return (changed == 0 ? "No function changed" : changed + " of " + both + (both == 1 ? " function" : " functions")
                + " changed") + " beyond noise.";
    }

    /** "p99 +38.0 ms (41.0 ms → 79.0 ms), lock; beyond noise". */
    public static String verdict(FunctionComparison function) {
        return function.headline().map(change -> change.statistic().id() + " " + difference(change) + " ("
                + LatencyFormat.nanos(change.a()) + " → " + LatencyFormat.nanos(change.b()) + ")"
                + function.mainCause().map(cause -> ", " + cause.metric().label()).orElse("") + "; beyond noise")
                .orElseGet(() -> unchanged(function));
    }

    private static String unchanged(FunctionComparison function) {
        if (function.isJudged()) {
            boolean regular = function.wall().values().stream()
                    .anyMatch(c -> c.significance() == Significance.BELOW_RESOLUTION);
            return regular ? "no change that the resolution could tell" : "no change beyond noise";
        }
        FunctionLatency a = function.pair().a();
        FunctionLatency b = function.pair().b();
        return switch (function.wall().get(Statistic.MEAN).significance()) {
            case TOO_FEW_CALLS -> "too few calls (" + LatencyFormat.count(a.wall().count()) + " and "
                    + LatencyFormat.count(b.wall().count()) + ")";
            case TOO_SHORT -> "too short to judge: called in less than some 3 s of a recording";
            default -> "not known: the distribution is lost with a damaged file";
        };
    }

    /** "+38.0 ms"; "±0" where nothing differs; "?" or "–" where it is not known or there is nothing. */
    public static String difference(Change change) {
        return Double.isNaN(change.difference()) ? missing(change) : signed(change.difference());
    }

    /** "41.0 ms". */
    public static String value(Change change, boolean inA) {
        double nanos = inA ? change.a() : change.b();
        return Double.isNaN(nanos) ? missing(change) : LatencyFormat.nanos(nanos);
    }

    private static String missing(Change change) {
        return change.significance() == Significance.UNKNOWN ? UNKNOWN : NONE;
    }

    /** "+31.2 ms to +45.0 ms"; empty where it can't be told. */
    public static String interval(Change change) {
        return change.interval().map(i -> signed(i.lowNanos()) + " to " + signed(i.highNanos())).orElse("");
    }

    /** "+93 %"; "×12" from twelve times on; empty where A has none. */
    public static String relative(Change change) {
        double relative = change.relative();
        if (Double.isNaN(relative) || Double.isInfinite(relative)) {
            return "";
        }
        return relative >= 9.995 ? String.format(Locale.ROOT, "×%.0f", relative + 1)
                : String.format(Locale.ROOT, "%s%.0f %%", relative < -0.005 ? "−" : relative < 0.005 ? "±" : "+",
                        Math.abs(relative) * 100);
    }

    /** A difference in ns: "−38.0 ms". */
    public static String signed(double nanos) {
        String size = LatencyFormat.nanos(Math.abs(nanos));
        return size.startsWith("0 ") ? "±0" : (nanos < 0 ? "−" : "+") + size;
    }

    /** Changes of on-CPU time and causes that are beyond noise, the largest first. */
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
                : f.name() + " (" + f.pair().b().function().binary() + ")"));
        return names;
    }

    /** The change of a metric; of one that occurs in neither recording, none. */
    public static Change perCall(FunctionComparison function, Metric metric) {
        return Optional.ofNullable(function.perCall().get(metric)).orElse(new Change(metric, Statistic.MEAN, 0, 0,
                Optional.empty(), 0, 1, Significance.WITHIN_NOISE));
    }

    /** How it was judged and what that does not tell, one sentence each. */
    public static List<String> method() {
        List<String> sentences = new ArrayList<>();
        sentences.add(String.format(Locale.ROOT, "Beyond noise: the difference stands at a false discovery rate of %.0f %%"
                + " over all functions (Benjamini and Hochberg), and is larger than the resolution.", Comparer.RATE * 100));
        sentences.add("Noise: " + Comparer.REPLICATES + " replicates of each recording by a circular block bootstrap over its"
                + " time (Efron and Tibshirani; Politis and Romano), with expanded percentile intervals of 95 %"
                + " (Hesterberg).");
        sentences.add("Resolution: times are kept in buckets of at most 1/16 of their value, so a percentile that moves less"
                + " than a bucket may not have moved; means are exact.");
        sentences.add("Not covered: what differs from run to run but not within one, such as where a program is laid out in"
                + " memory or what else the host does. Record A twice and compare these two to see it.");
        return sentences;
    }
}
