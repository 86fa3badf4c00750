// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.util.Map;
import java.util.TreeMap;

import org.kview.model.Metric;
import org.kview.recording.survey.FunctionTimes;
import org.kview.recording.survey.SuggestedProbes;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.targets.values.Survey;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a survey found, for programs: docs/command-line.md describes it. Times are in ns. */
final class SurveyJson {
    private SurveyJson() {
    }

    /** @param top how many functions, those of the kernel included */
    static String of(String target, String hostname, SurveyedFunctions functions, int top) {
        Survey survey = functions.survey();
        SuggestedProbes suggested = new SuggestedProbes(functions);
        ObjectNode root = new ObjectMapper().createObjectNode().put("schema", "kview-survey/1").put("target", target)
                .put("host", hostname).put("pid", survey.process().pid()).put("command", survey.process().command())
                .put("duration_ns", survey.endNanos() - survey.beginNanos()).put("cpu_period_ns", survey.cpuPeriodNanos())
                .put("wait_period_ns", survey.waitPeriodNanos()).put("process_cpu_ns", survey.processCpuNanos())
                .put("cost_ns", survey.costNanos()).put("agent_cpu_ns", survey.agentCpuNanos());
        if (!survey.note().isEmpty()) {
            root.put("note", survey.note());
        }
        quality(root.putObject("stacks"), survey.quality());
        nanos(root.putObject("time_ns"), functions.all());
        ArrayNode threads = root.putArray("threads");
        for (Survey.ThreadTimes thread : survey.threads()) {
            ObjectNode node = threads.addObject().put("tid", thread.tid()).put("name", thread.name());
            Map<Metric, Long> all = new TreeMap<>(thread.waitedNanos());
            all.put(Metric.ON_CPU, thread.onCpuNanos());
            nanos(node.putObject("time_ns"), all);
        }
        ArrayNode list = root.putArray("functions");
        functions.byWall().stream().filter(f -> f.wallNanos() > 0).limit(top).forEach(f -> function(list.addObject(), f, suggested));
        ArrayNode probes = root.putArray("suggested");
        suggested.functions().forEach(f -> function(probes.addObject(), f, suggested));
        ArrayNode endless = root.putArray("did_not_return");
        suggested.endless().forEach(f -> function(endless.addObject(), f, suggested));
        return root.toPrettyString();
    }

    private static void quality(ObjectNode node, Survey.Quality quality) {
        node.put("taken", quality.stacks()).put("complete", quality.complete()).put("complete_ns", quality.completeNanos())
                .put("cut", quality.cut()).put("lost", quality.lost()).put("lost_ns", quality.lostNanos())
                .put("pooled", quality.pooled()).put("unfollowed_threads", quality.unfollowedThreads());
    }

    private static void function(ObjectNode node, FunctionTimes f, SuggestedProbes suggested) {
        Survey.Function function = f.function();
        if (!function.kernel() && !function.symbol().isEmpty()) {
            node.put("probe", suggested.probe(function).toString());
        }
        node.put("name", function.name()).put("symbol", function.symbol()).put("binary", function.binary())
                .put("kernel", function.kernel()).put("wall_ns", f.wallNanos()).put("self_ns", f.selfWallNanos())
                .put("always_there", f.isAlwaysThere());
        nanos(node.putObject("time_ns"), f.nanos());
    }

    private static void nanos(ObjectNode node, Map<Metric, Long> nanos) {
        for (Metric metric : Metric.values()) {
            if (metric != Metric.WALL && nanos.containsKey(metric)) {
                node.put(metric.id(), nanos.get(metric));
            }
        }
    }
}
