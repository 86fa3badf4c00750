// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.time.Duration;
import java.util.List;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FigureError;
import org.kview.model.FunctionLatency;
import org.kview.model.Impossible;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.Quantity;
import org.kview.model.Verdict;
import org.kview.session.json.FatesJson;
import org.kview.session.json.PointJson;
import org.kview.session.json.ProvenanceJson;
import org.kview.session.json.SplitJson;
import org.kview.session.json.SurveyJson;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The report for programs, {@code kview-report/1}: fields may be added to it, none changes its
 * meaning. Times are whole nanoseconds. Where a distribution was lost with a damaged file, its
 * percentiles are {@code null}, and {@code problems} says so. A metric that was not measured is
 * {@code null}. A tracepoint has hits in place of calls, and {@code between}, the time between them. Of several hosts everything is their sum, and {@code hosts} has the same members
 * for each.
 */
public final class JsonReport {
    private JsonReport() {
    }

    public static String of(LatencySnapshot snapshot) {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode().put("schema", "kview-report/1");
        fill(root, snapshot);
        if (!snapshot.hosts().isEmpty()) {
            ArrayNode hosts = root.putArray("hosts");
            snapshot.hosts().forEach(host -> fill(hosts.addObject(), host));
        }
        return ValuesJson.print(root);
    }

    private static void fill(ObjectNode root, LatencySnapshot snapshot) {
        root.set("session", ValuesJson.info(snapshot.info()));
        ProvenanceJson.write(root, snapshot.info().provenance());
        ArrayNode functions = root.putArray("functions");
        snapshot.functions().forEach(latency -> functions.add(function(latency, snapshot.info().duration())));
        root.set("losses", ValuesJson.losses(snapshot.losses()));
        root.set("overhead", ValuesJson.overhead(snapshot.overhead()));
        snapshot.survey().ifPresent(survey -> SurveyJson.write(root.putObject("survey"), survey));
        if (!snapshot.problems().isEmpty()) {
            ArrayNode problems = root.putArray("problems");
            snapshot.problems().forEach(problems::add);
        }
    }

    private static ObjectNode function(FunctionLatency latency, Duration recorded) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("name", latency.function().name())
                .put("binary", latency.function().point().binary()).put("calls", latency.calls())
                .put("abandoned", latency.abandoned()).put("unfinished", latency.unfinished());
        PointJson.write(node, latency.function());
        node.set("wall", figures(latency, Metric.WALL));
        node.set("on_cpu", figures(latency, Metric.ON_CPU));
        ObjectNode causes = node.putObject("off_cpu");
        Metric.CAUSES.forEach(cause -> causes.set(cause.id(), figures(latency, cause)));
        if (latency.function().countsHits()) {
            Hits.perSecond(latency, recorded).ifPresentOrElse(rate -> node.put("hits_per_s", Math.round(rate * 1e3) / 1e3),
                    () -> node.putNull("hits_per_s"));
            node.set("between", figures(latency, Metric.BETWEEN));
        }
        FatesJson.write(node, latency);
        latency.errorShare().ifPresent(share -> node.put("error_share", Math.round(share * 1e4) / 1e4));
        latency.fates().ifPresent(_ -> node.put("call_error_ns", Math.round(FigureError.perCallNanos(latency))));
        List<String> notes = FunctionNotes.of(latency);
        if (!notes.isEmpty()) {
            ArrayNode array = node.putArray("notes");
            notes.forEach(array::add);
        }
        Impossible.mark(latency).ifPresent(_ -> node.put("impossible", true));
        verdict(node, latency);
        if (latency.function().isSplit()) {
            ArrayNode values = node.putArray("values");
            List<FunctionLatency> byValue = latency.byValue();
            for (int i = 0; i < byValue.size(); i++) {
                values.add(value(latency.values().get(i).value(), byValue.get(i)));
            }
        }
        if (!latency.function().quantities().isEmpty()) {
            ArrayNode quantities = node.putArray("quantities");
            latency.function().quantities().forEach(quantity -> quantities.add(quantity(latency, quantity)));
        }
        latency.instructionsPerCycle().ifPresent(perCycle -> node.put("instructions_per_cycle", Math.round(perCycle * 1e3) / 1e3));
        return node;
    }

    /** Its numbers are of its unit. */
    private static ObjectNode quantity(FunctionLatency latency, Quantity quantity) {
        Distribution d = latency.quantity(quantity);
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("id", quantity.id()).put("title", quantity.title())
                .put("unit", quantity.unit().id()).put("of", quantity.of().isEmpty() ? "calls" : quantity.of()).put("count", d.count()).put("total", d.totalNanos())
                .put("per_call", Math.round(latency.perCall(quantity) * 1e3) / 1e3);
        for (int percentile : Figures.PERCENTILES) {
            Figures.percentile(d, percentile).ifPresentOrElse(value -> node.put("p" + percentile, Math.round(value)),
                    () -> node.putNull("p" + percentile));
        }
        return node.put("max", d.maxNanos());
    }

    private static ObjectNode value(CallValue value, FunctionLatency latency) {
        ObjectNode node = SplitJson.value(value).put("text", value.text()).put("calls", latency.calls());
        node.set("wall", figures(latency, Metric.WALL));
        node.set("on_cpu", figures(latency, Metric.ON_CPU));
        ObjectNode causes = node.putObject("off_cpu");
        Metric.CAUSES.forEach(cause -> causes.set(cause.id(), figures(latency, cause)));
        latency.fates().ifPresent(fates -> node.put("uncertain_ns", fates.cost().uncertainNanos()));
        if (latency.atLeast()) {
            node.put("at_least", true);
        }
        verdict(node, latency);
        return node;
    }

    private static void verdict(ObjectNode node, FunctionLatency latency) {
        Verdict verdict = Verdict.of(latency);
        node.putObject("verdict").put("cause", verdict.metric().id())
                .put("share", Math.round(verdict.share() * 1e4) / 1e4).put("text", verdict.text());
    }

    private static JsonNode figures(FunctionLatency latency, Metric metric) {
        if (!latency.isMeasured(metric)) {
            return NullNode.getInstance();
        }
        Distribution distribution = latency.distribution(metric);
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("count", distribution.count())
                .put("total_ns", distribution.totalNanos()).put("mean_ns", Math.round(distribution.meanNanos()));
        for (int percentile : Figures.PERCENTILES) {
            String name = "p" + percentile + "_ns";
            Figures.percentile(distribution, percentile).ifPresentOrElse(nanos -> node.put(name, Math.round(nanos)),
                    () -> node.putNull(name));
        }
        return node.put("max_ns", distribution.maxNanos());
    }
}
