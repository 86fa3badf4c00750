// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.ComparedWays;
import org.kview.model.CostToOthers.Interval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Compared ways as JSON. Members may be added, never given another meaning. */
public final class WaysJson {
    private static final String SCHEMA = "kview-ways/1";

    private WaysJson() {
    }

    /** As a file has it. */
    public static String text(ComparedWays compared) {
        return write(compared).toPrettyString();
    }

    public static ObjectNode write(ComparedWays compared) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("schema", SCHEMA).put("target", compared.target()).put("kernel", compared.kernel()).put("machine", compared.machine())
                .put("cpus", compared.cpus()).put("begun", compared.begun().toString());
        ArrayNode ways = root.putArray("ways");
        for (ComparedWays.Way way : compared.ways()) {
            ObjectNode node = ways.addObject().put("way", way.kind().id()).put("name", way.kind().label()).put("missing", way.missing())
                    .put("attached_ns", way.attachedNanos()).put("note", way.note());
            ArrayNode costs = node.putArray("costs");
            way.costs().forEach(cost -> put(costs.addObject(), cost));
        }
        return root;
    }

    private static void put(ObjectNode node, ComparedWays.Cost cost) {
        node.put("operation", cost.operation()).put("rounds", cost.rounds()).put("untouched_ns", cost.untouchedNanos());
        put(node, "recorded", cost.traced());
        put(node, "others", cost.others());
    }

    private static void put(ObjectNode node, String whose, Optional<Interval> more) {
        more.ifPresentOrElse(interval -> node.putObject(whose).put("more_ns", interval.nanos()).put("low_ns", interval.lowNanos())
                .put("high_ns", interval.highNanos()), () -> node.putNull(whose));
    }

    /** What was written; empty where it is nothing of the kind, or damaged. Ways that only newer versions know are left out. */
    public static Optional<ComparedWays> read(String text) {
        try {
            JsonNode root = new ObjectMapper().readTree(text);
            if (root == null || !root.path("schema").asText().equals(SCHEMA)) {
                return Optional.empty();
            }
            List<ComparedWays.Way> ways = new ArrayList<>();
            for (JsonNode way : root.path("ways")) {
                ComparedWays.Kind.of(way.path("way").asText()).ifPresent(kind -> ways.add(way(kind, way)));
            }
            return Optional.of(new ComparedWays(root.path("target").asText(), root.path("kernel").asText(), root.path("machine").asText(),
                    root.path("cpus").asInt(), Instant.parse(root.path("begun").asText()), ways)).filter(compared -> !compared.ways().isEmpty());
        } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static ComparedWays.Way way(ComparedWays.Kind kind, JsonNode way) {
        List<ComparedWays.Cost> costs = new ArrayList<>();
        for (JsonNode cost : way.path("costs")) {
            costs.add(new ComparedWays.Cost(cost.path("operation").asText(), cost.path("rounds").asInt(), cost.path("untouched_ns").asDouble(),
                    interval(cost.path("recorded")), interval(cost.path("others"))));
        }
        return new ComparedWays.Way(kind, way.path("missing").asText(), costs, way.path("attached_ns").asLong(), way.path("note").asText());
    }

    private static Optional<Interval> interval(JsonNode node) {
        return node.isObject() ? Optional.of(new Interval(node.path("more_ns").asDouble(), node.path("low_ns").asDouble(), node.path("high_ns").asDouble()))
                : Optional.empty();
    }
}
