// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import java.util.List;
import java.util.Optional;

import org.kview.compare.Change;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.HitRates;
import org.kview.compare.QuantityChange;
import org.kview.compare.QuantityChanges;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.json.ValuesJson;
import org.kview.session.report.FunctionNotes;
import org.kview.statistics.Statistic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The comparison for programs, {@code kview-compare/1}: members may be added to it, none changes its
 * meaning. Times are whole nanoseconds; what can't be told is {@code null}.
 */
public final class ComparisonJson {
    private static final double FDR_DIGITS = 1e6;

    private ComparisonJson() {
    }

    public static String of(Comparison comparison) {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode().put("schema", "kview-compare/1");
        root.put("kind", comparison.isPair() ? "pair" : "groups");
        root.set("a", side(comparison.nameA(), comparison.a(), comparison.recordingsA()));
        root.set("b", side(comparison.nameB(), comparison.b(), comparison.recordingsB()));
        method(comparison, root.putObject("method"));
        ArrayNode warnings = root.putArray("warnings");
        comparison.warnings().forEach(warnings::add);
        root.put("changed", comparison.changed());
        root.put("established", comparison.isEnough());
        ArrayNode functions = root.putArray("functions");
        QuantityChanges quantities = QuantityChanges.of(comparison);
        comparison.functions().forEach(f -> functions.add(quantities(function(comparison, f), quantities.of(f))));
        root.set("only_a", only(comparison.onlyA()));
        root.set("only_b", only(comparison.onlyB()));
        amongOthers(root, "among_others_b", comparison.amongOthersB());
        amongOthers(root, "among_others_a", comparison.amongOthersA());
        List<HitRates> hits = HitRates.of(comparison.recordingsA(), comparison.recordingsB());
        if (!hits.isEmpty()) {
            ArrayNode tracepoints = root.putArray("tracepoints");
            hits.forEach(rates -> hits(tracepoints.addObject().put("name", rates.name()), rates));
        }
        return ValuesJson.print(root);
    }

    private static void amongOthers(ObjectNode root, String name, List<FunctionLatency> values) {
        if (!values.isEmpty()) {
            root.set(name, only(values));
        }
    }

    private static void hits(ObjectNode node, HitRates rates) {
        hits(node.putArray("recordings_a"), rates.inA());
        hits(node.putArray("recordings_b"), rates.inB());
    }

    /** Of each recording; {@code null} for one that does not have the tracepoint. */
    private static void hits(ArrayNode array, List<Optional<HitRates.Rate>> rates) {
        for (Optional<HitRates.Rate> rate : rates) {
            if (rate.isEmpty()) {
                array.addNull();
                continue;
            }
            Distribution between = rate.get().figures().between();
            ObjectNode node = array.addObject().put("hits", rate.get().figures().calls());
            decimal(node, "hits_per_s", rate.get().perSecond());
            nanos(node, "between_p50_ns", between.isEmpty() || !between.hasBuckets() ? Double.NaN : between.percentileNanos(50));
        }
    }

    private static void method(Comparison comparison, ObjectNode node) {
        if (comparison.isPair()) {
            node.put("resampling", "circular block bootstrap").put("interval", "expanded percentile")
                    .put("confidence", 0.95).put("replicates", Comparer.REPLICATES);
        } else {
            node.put("test", "moderated t").put("scale", "logarithm").put("unit", "recording").put("confidence", 0.95);
        }
        node.put("multiplicity", "Benjamini-Hochberg").put("false_discovery_rate", Comparer.RATE)
                .put("minimum_effect", comparison.minimumEffect());
    }

    private static ObjectNode side(String name, LatencySnapshot figures, List<Comparison.Recorded> recordings) {
        ObjectNode node = side(name, figures);
        if (recordings.size() > 1) {
            ArrayNode all = node.putArray("recordings");
            recordings.forEach(r -> all.add(side(r.name(), r.figures())));
        }
        return node;
    }

    private static ObjectNode side(String name, LatencySnapshot figures) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("name", name);
        node.set("session", ValuesJson.info(figures.info()));
        node.set("losses", ValuesJson.losses(figures.losses()));
        node.set("overhead", ValuesJson.overhead(figures.overhead()));
        ArrayNode problems = node.putArray("problems");
        figures.problems().forEach(problems::add);
        return node;
    }

    private static void marks(ObjectNode node, String name, FunctionLatency latency) {
        List<String> marks = FunctionNotes.eachMark(latency);
        if (!marks.isEmpty()) {
            ArrayNode array = node.putArray(name);
            marks.forEach(array::add);
        }
    }

    private static ObjectNode function(Comparison comparison, FunctionComparison function) {
        FunctionLatency a = function.pair().a();
        FunctionLatency b = function.pair().b();
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("name", function.name())
                .put("name_a", a.function().name()).put("binary_a", a.function().point().binary())
                .put("binary_b", b.function().point().binary()).put("note", function.pair().note())
                .put("calls_a", a.calls()).put("calls_b", b.calls());
        marks(node, "marks_a", a);
        marks(node, "marks_b", b);
        ObjectNode verdict = node.putObject("verdict").put("changed", function.differs())
                .put("established", function.differs() && comparison.isEnough());
        function.headline().or(() -> function.rates().stream().findFirst()).ifPresentOrElse(
                c -> verdict.put("statistic", c.statistic().id()), () -> verdict.putNull("statistic"));
        function.mainCause().ifPresentOrElse(c -> verdict.put("cause", c.metric().id()), () -> verdict.putNull("cause"));
        verdict.put("text", ComparisonText.verdict(comparison, function));
        ObjectNode wall = node.putObject("wall");
        for (Statistic statistic : Statistic.TIMES) {
            wall.set(statistic.id(), change(function.wall().get(statistic)));
        }
        ObjectNode max = wall.putObject("max");
        nanos(max, "a_ns", max(a));
        nanos(max, "b_ns", max(b));
        ObjectNode rates = node.putObject("rates");
        rates.set("calls_per_s", rate(function.wall().get(Statistic.CALLS)));
        rates.set("total_ns_per_s", rate(function.wall().get(Statistic.TOTAL)));
        ObjectNode perCall = node.putObject("per_call");
        for (Metric metric : Metric.OF_CALLS) {
            if (metric != Metric.WALL && a.isMeasured(metric) && b.isMeasured(metric)) {
                perCall.set(metric.id(), change(ComparisonText.perCall(function, metric)));
            } else if (metric != Metric.WALL) {
                perCall.putNull(metric.id());
            }
        }
        return node;
    }

    /** What calls took beside time; absent where the two sides counted nothing alike. */
    private static ObjectNode quantities(ObjectNode function, List<QuantityChange> changes) {
        if (!changes.isEmpty()) {
            ArrayNode array = function.putArray("quantities");
            changes.forEach(changed -> {
                ObjectNode node = array.addObject().put("id", changed.quantity().id()).put("title", changed.quantity().title())
                        .put("unit", changed.quantity().unit().id());
                node.set("per_call", rate(changed.perCall()));
            });
        }
        return function;
    }

    /** Not known where no call returned. */
    private static double max(FunctionLatency latency) {
        return latency.wall().isEmpty() ? Double.NaN : latency.wall().maxNanos();
    }

    private static ObjectNode change(Change change) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode();
        nanos(node, "a_ns", change.a());
        nanos(node, "b_ns", change.b());
        nanos(node, "change_ns", change.difference());
        nanos(node, "low_ns", change.interval().map(Change.Interval::lowNanos).orElse(Double.NaN));
        nanos(node, "high_ns", change.interval().map(Change.Interval::highNanos).orElse(Double.NaN));
        nanos(node, "resolution_ns", change.resolutionNanos());
        if (change.inA().size() > 1 || change.inB().size() > 1) {
            ArrayNode inA = node.putArray("recordings_a_ns");
            change.inA().forEach(v -> inA.add(v.isNaN() ? NullNode.instance : LongNode.valueOf(Math.round(v))));
            ArrayNode inB = node.putArray("recordings_b_ns");
            change.inB().forEach(v -> inB.add(v.isNaN() ? NullNode.instance : LongNode.valueOf(Math.round(v))));
        }
        return judged(node, change);
    }

    /** For figures whose fractions matter. */
    private static ObjectNode rate(Change change) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode();
        decimal(node, "a", change.a());
        decimal(node, "b", change.b());
        decimal(node, "change", change.difference());
        decimal(node, "low", change.interval().map(Change.Interval::lowNanos).orElse(Double.NaN));
        decimal(node, "high", change.interval().map(Change.Interval::highNanos).orElse(Double.NaN));
        decimal(node, "resolution", change.resolutionNanos());
        if (change.inA().size() > 1 || change.inB().size() > 1) {
            ArrayNode inA = node.putArray("recordings_a");
            change.inA().forEach(v -> inA.add(rounded(v)));
            ArrayNode inB = node.putArray("recordings_b");
            change.inB().forEach(v -> inB.add(rounded(v)));
        }
        return judged(node, change);
    }

    private static void decimal(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, rounded(value));
        }
    }

    /** To thousandths. */
    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static ObjectNode judged(ObjectNode node, Change change) {
        if (change.interval().isPresent()) {
            node.put("fdr", Math.round(change.adjusted() * FDR_DIGITS) / FDR_DIGITS);
        } else {
            node.putNull("fdr");
        }
        if (change.inA().size() > 1 || change.inB().size() > 1) {
            decimal(node, "visible_from", Double.isFinite(change.visible()) ? change.visible() : Double.NaN);
        }
        return node.put("significance", change.significance().id());
    }

    private static void nanos(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, Math.round(value));
        }
    }

    private static ArrayNode only(List<FunctionLatency> functions) {
        ArrayNode nodes = ValuesJson.MAPPER.createArrayNode();
        functions.forEach(f -> nodes.addObject().put("name", f.function().name()).put("binary", f.function().point().binary())
                .put("calls", f.calls()));
        return nodes;
    }
}
