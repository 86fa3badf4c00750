// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.SyntaxException;
import org.kview.recording.template.RecordingTemplate.Probe;
import org.kview.session.json.PointJson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A template's file:
 *
 * <pre>
 * { "schema": "kview-template/1", "name": "checkout",
 *   "probes": [ { "binary": "", "symbol": "_ZN4shop5placeEv", "function": "shop::place()",
 *                 "point": { "kind": "user_function" } },
 *               { "binary": "libz.so.1.2.13", "symbol": "deflate", "function": "deflate" } ],
 *   "events": true, "filter": "auto", "budget": "5%", "probe_way": "auto", "waits": true, "duration_s": 10 }
 * </pre>
 *
 * A probe without a point is of a function of a program or library. Points of other kinds have the same members as in a
 * session; a point of an unknown kind is kept as it is. An empty binary is the process's own program; without duration_s the
 * recording goes on until it is stopped; without budget it is 5 %, and "none" is no limit; without probe_way, which is auto,
 * trap or jump, it is auto, and without waits none are told; conditions are as {@link CallConditions} has them, and values as {@link CallSplits}, without it
 * all calls are measured; with children, which is true or false, also the processes that it forks; measures are names as
 * {@code record --measure} has them, without it nothing is counted beside time. Members may be added, never given another meaning; those that are
 * not known are passed over.
 */
final class TemplateJson {
    private static final String SCHEMA = "kview-template/1";
    private static final String CHILDREN = "children";
    private static final String MEASURES = "measures";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TemplateJson() {
    }

    static String write(RecordingTemplate template) {
        ObjectNode root = MAPPER.createObjectNode().put("schema", SCHEMA).put("name", template.name());
        var probes = root.putArray("probes");
        for (Probe probe : template.probes()) {
            probes.add(probe.json().isEmpty() ? known(probe) : tree(probe.json()));
        }
        root.put("events", template.events()).put("filter", template.filter().id())
                .put("budget", template.budget().toString()).put("probe_way", template.way().id())
                .put("waits", template.waits());
        if (!template.conditions().isEmpty()) {
            root.put("conditions", template.conditions().toString());
        }
        if (!template.splits().isEmpty()) {
            root.put("by", template.splits().toString());
        }
        if (template.children()) {
            root.put(CHILDREN, true);
        }
        if (!template.measures().isEmpty()) {
            template.measures().forEach(root.putArray(MEASURES)::add);
        }
        template.duration().ifPresent(duration -> root.put("duration_s", duration.toMillis() / 1000.0));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    /** Older versions take the symbol for the name of any point. */
    private static ObjectNode known(Probe probe) {
        ObjectNode node = MAPPER.createObjectNode().put("binary", probe.point().binary()).put("symbol", probe.name())
                .put("function", probe.function());
        node.set(PointJson.POINT, PointJson.members(probe.point()));
        return node;
    }

    private static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("what a newer version says of a probe is no JSON", e);
        }
    }

    private static Probe probe(JsonNode probe) {
        String binary = probe.path("binary").asText();
        String symbol = probe.path("symbol").asText();
        JsonNode members = probe.path(PointJson.POINT);
        // Written by hand, it may lack any of them.
        ProbePoint point = PointJson.read(member -> members.path(member).asText(switch (member) {
            case PointJson.KIND -> ProbePoint.UserFunction.KIND;
            case "name", "symbol" -> symbol;
            default -> "";
        }), new ProbePoint.UserFunction(binary, symbol, 0, 0, 0));
        String name = members.path("name").asText(symbol);
        String function = probe.path("function").asText(switch (point) {
            case ProbePoint.SystemCall call -> call.label();
            case ProbePoint.KernelFunction f -> f.label();
            case ProbePoint.Tracepoint tracepoint -> tracepoint.label();
            case ProbePoint.Usdt usdt -> usdt.label();
            default -> symbol.isEmpty() ? name : symbol;
        });
        return new Probe(point, function, point instanceof ProbePoint.Unknown ? probe.toString() : "");
    }

    private static Budget budget(JsonNode text) {
        return text.isMissingNode() ? Budget.DEFAULT : Budget.parse(text.asText()).orElseThrow(() ->
                new IllegalArgumentException("its budget is no share such as 5%, and not none: " + text.asText()));
    }

    private static CallConditions conditions(String text) {
        try {
            return CallConditions.parse(text);
        } catch (SyntaxException e) {
            throw new IllegalArgumentException("its conditions can't be understood: " + e.getMessage(), e);
        }
    }

    private static CallSplits splits(String text) {
        try {
            return CallSplits.parse(text);
        } catch (SyntaxException e) {
            throw new IllegalArgumentException("by which values it splits can't be understood: " + e.getMessage(), e);
        }
    }

    private static ProbeWay way(String id) {
        return ProbeWay.ofId(id).orElseThrow(() -> new IllegalArgumentException(
                "its way to measure functions (probe_way) is none of auto, trap, jump: " + id));
    }

    /** @throws IllegalArgumentException in words that fit behind the file's name */
    static RecordingTemplate read(String text) {
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root == null || !root.isObject()) {
                throw new IllegalArgumentException("it is no JSON object");
            }
            String schema = root.path("schema").asText();
            if (!schema.equals(SCHEMA)) {
                throw new IllegalArgumentException(schema.startsWith("kview-template/")
                        ? "it is of a newer version (" + schema + "); use a newer workbench"
                        : "it does not say that it is one (\"schema\": \"" + SCHEMA + "\")");
            }
            List<Probe> probes = new ArrayList<>();
            for (JsonNode probe : root.path("probes")) {
                probes.add(probe(probe));
            }
            JsonNode seconds = root.path("duration_s");
            return new RecordingTemplate(root.path("name").asText(), probes, root.path("events").asBoolean(),
                    Filter.ofId(root.path("filter").asText("auto")).orElseThrow(() -> new IllegalArgumentException(
                            "its filter is not known: " + root.path("filter").asText())),
                    seconds.isNumber() ? Optional.of(Duration.ofMillis(Math.round(seconds.asDouble() * 1000)))
                            : Optional.empty(), budget(root.path("budget")), way(root.path("probe_way").asText(ProbeWay.AUTO.id())),
                    root.path("waits").asBoolean(), conditions(root.path("conditions").asText("")),
                    splits(root.path("by").asText("")), root.path(CHILDREN).asBoolean(),
                    root.path(MEASURES).valueStream().map(JsonNode::asText).filter(name -> !name.isBlank()).distinct().toList());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
        }
    }
}
