// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.util.Locale;

import org.kview.model.AgentCost;
import org.kview.model.ForkedChildren;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProgramEnd;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The objects that {@code session.json} and the report have in common. */
public final class ValuesJson {
    /**
     * A JSON text with this many tokens takes about 150 MB as a tree. A session of a thousand functions, about as many as
     * an agent accepts, needs a fifth of that.
     */
    private static final long MAX_TOKENS = 2_000_000;
    private static final int MAX_DEPTH = 100;

    /**
     * Reads JSON only into trees, never into classes named by the file. A text that is larger or deeper than any session
     * is refused before it fills the memory.
     */
    public static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            // Do not intern names that come from strangers: they would stay in the JVM's string table.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).maxNestingDepth(MAX_DEPTH)
                    .build()).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private ValuesJson() {
    }

    public static ObjectNode info(SessionInfo info) {
        ObjectNode node = MAPPER.createObjectNode().put("target", info.target()).put("host", info.host())
                .put("kernel", info.kernel()).put("pid", info.pid()).put("command", info.command())
                .put("filter", info.filter()).put("filter_note", info.filterNote())
                .put("start", info.start().toString()).put("duration_ns", info.duration().toNanos())
                .put("state", info.state().name().toLowerCase(Locale.ROOT)).put("state_note", info.stateNote());
        if (!info.scopes().isEmpty()) {
            ArrayNode scopes = node.putArray("scopes");
            info.scopes().forEach(scope -> scopes.add(scope(scope)));
        }
        info.program().ifPresent(end -> node.set("program", program(end)));
        info.clockOffset().ifPresent(clock -> node.putObject("clock").put("offset_ns", clock.offsetNanos())
                .put("uncertainty_ns", clock.uncertaintyNanos()));
        return node;
    }

    private static ObjectNode scope(Scope scope) {
        ObjectNode node = MAPPER.createObjectNode().put("kind", scope.kind()).put("pid", scope.pid());
        switch (scope) {
            case Scope.Process process when process.startNanos() != 0 -> node.put("start_ns", process.startNanos());
            case Scope.Cgroup cgroup -> {
                node.put("path", cgroup.path()).put("leader", cgroup.leader());
                members(node, cgroup);
            }
            case Scope.Tree tree -> {
                node.put("start_ns", tree.startNanos());
                members(node, tree);
            }
            case Scope.Process _, Scope.Unknown _ -> {
                // Its number is all that there is of it.
            }
        }
        return node;
    }

    private static void members(ObjectNode node, Scope.Group group) {
        ArrayNode members = node.putArray("processes");
        group.members().forEach(member -> members.addObject().put("pid", member.pid()).put("name", member.name()));
        if (group.more()) {
            node.put("more_processes", true);
        }
    }

    private static ObjectNode program(ProgramEnd end) {
        ObjectNode node = MAPPER.createObjectNode();
        return end.signalled() ? node.put("signal", end.number()).put("name", end.signalName())
                : node.put("status", end.number());
    }

    public static ObjectNode losses(Losses losses) {
        return MAPPER.createObjectNode().put("events_dropped", losses.eventsDropped())
                .put("missed_returns", losses.missedReturns()).put("depth_overflows", losses.depthOverflows())
                .put("healed_switches", losses.healedSwitches()).put("untracked_threads", losses.untrackedThreads())
                .put("unmatched_returns", losses.unmatchedReturns())
                .put("unaccounted_calls", losses.unaccountedCalls()).put("figures_lost", losses.figuresLost());
    }

    public static ObjectNode overhead(Overhead overhead) {
        ObjectNode node = MAPPER.createObjectNode().put("per_call_ns", overhead.perCallNanos())
                .put("calibrated", overhead.calibrated());
        if (!overhead.note().isEmpty()) {
            node.put("calibration_note", overhead.note());
        }
        if (!overhead.waitsNote().isEmpty()) {
            node.put("waits_note", overhead.waitsNote());
        }
        overhead.budget().ifPresent(budget -> node.put("budget", budget.toString()));
        overhead.process().share().ifPresent(share -> node.put("probes_ns", overhead.process().probesNanos())
                .put("process_cpu_ns", overhead.process().processNanos()).put("share", Math.round(share * 1e6) / 1e6));
        if (overhead.process().children().any()) {
            node.set("children", children(overhead.process().children()));
        }
        overhead.agent().ifPresent(agent -> node.set("agent", agent(agent)));
        overhead.others().ifPresent(others -> CostToOthersJson.write(node.putObject("others"), others));
        return node;
    }

    private static ObjectNode children(ForkedChildren children) {
        return MAPPER.createObjectNode().put("forked", children.forked()).put("cpu_ns", children.cpuNanos())
                .put("with_probes", children.withProbes());
    }

    private static ObjectNode agent(AgentCost agent) {
        return MAPPER.createObjectNode().put("attach_ns", agent.attach().toNanos())
                .put("detach_ns", agent.detach().toNanos()).put("cpu_ns", agent.cpu().toNanos())
                .put("peak_rss_bytes", agent.peakRssBytes());
    }

    /** Indented, with a newline at the end. */
    public static String print(JsonNode node) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node).replace("\r\n", "\n") + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of texts and numbers can always be printed", e);
        }
    }
}
