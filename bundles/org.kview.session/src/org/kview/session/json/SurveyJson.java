// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.util.List;
import java.util.Map;

import org.kview.model.Metric;
import org.kview.model.SurveyFindings;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a survey found, as {@code kview survey --json} and a session have it. Times are in ns. */
public final class SurveyJson {
    /** Fields may be added to it; none changes its meaning. */
    public static final String SCHEMA = "kview-survey/1";

    private SurveyJson() {
    }

    public static void write(ObjectNode root, SurveyFindings survey) {
        SurveyFindings.Cost cost = survey.cost();
        root.put("pid", survey.process().pid()).put("command", survey.process().command())
                .put("duration_ns", survey.durationNanos()).put("cpu_period_ns", cost.cpuPeriodNanos())
                .put("wait_period_ns", cost.waitPeriodNanos()).put("process_cpu_ns", cost.processCpuNanos())
                .put("cost_ns", cost.costNanos()).put("agent_cpu_ns", cost.agentCpuNanos());
        if (!survey.note().isEmpty()) {
            root.put("note", survey.note());
        }
        stacks(root.putObject("stacks"), survey.stacks());
        nanos(root.putObject("time_ns"), survey.nanos());
        ArrayNode threads = root.putArray("threads");
        survey.threads().forEach(thread -> nanos(threads.addObject().put("tid", thread.tid()).put("name", thread.name())
                .putObject("time_ns"), thread.nanos()));
        functions(root.putArray("functions"), survey.functions());
        functions(root.putArray("suggested"), survey.suggested());
        functions(root.putArray("did_not_return"), survey.didNotReturn());
    }

    private static void stacks(ObjectNode node, SurveyFindings.Stacks stacks) {
        node.put("taken", stacks.taken()).put("complete", stacks.complete()).put("complete_ns", stacks.completeNanos())
                .put("cut", stacks.cut()).put("lost", stacks.lost()).put("lost_ns", stacks.lostNanos())
                .put("pooled", stacks.pooled()).put("unfollowed_threads", stacks.unfollowedThreads());
    }

    private static void functions(ArrayNode list, List<SurveyFindings.FunctionTime> functions) {
        for (SurveyFindings.FunctionTime f : functions) {
            ObjectNode node = list.addObject();
            if (!f.probe().isEmpty()) {
                node.put("probe", f.probe());
            }
            node.put("name", f.name()).put("symbol", f.symbol()).put("binary", f.binary()).put("kernel", f.kernel())
                    .put("wall_ns", f.wallNanos()).put("self_ns", f.selfNanos()).put("always_there", f.alwaysThere());
            nanos(node.putObject("time_ns"), f.nanos());
        }
    }

    private static void nanos(ObjectNode node, Map<Metric, Long> nanos) {
        nanos.forEach((metric, time) -> node.put(metric.id(), time));
    }
}
