// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** The trees that {@code kview flow --json} prints. */
final class FlowTrees {
    private FlowTrees() {
    }

    /** Of a call that is told whole: its tree adds up, to the ns. */
    static void check(JsonNode call) {
        JsonNode tree = call.path("tree");
        assertThat(call.path("not_told").path("wall_ns").asLong(-1)).isZero();
        assertThat(call.path("hidden_waits_ns").asLong(-1)).isZero();
        assertThat(tree.path(0).path("wall_ns").asLong()).isEqualTo(call.path("wall_ns").asLong());
        long waited = 0;
        long itself = 0;
        for (JsonNode part : tree) {
            waited += part.has("wait") ? part.path("wall_ns").asLong() : 0;
            itself += part.path("self_ns").asLong();
        }
        assertThat(itself).as("on a CPU, by function").isEqualTo(call.path("on_cpu_ns").asLong());
        assertThat(itself + waited).as("all of it").isEqualTo(call.path("wall_ns").asLong());
    }

    /** Of each wait the functions that it was in, from the root on, and its cause. */
    static List<List<String>> pathsOfWaits(JsonNode call) {
        List<List<String>> paths = new ArrayList<>();
        List<String> path = new ArrayList<>();
        for (JsonNode part : call.path("tree")) {
            while (path.size() > part.path("depth").asInt()) {
                path.removeLast();
            }
            path.add(part.path(part.has("wait") ? "wait" : "function").asText());
            if (part.has("wait")) {
                paths.add(List.copyOf(path));
            }
        }
        return paths;
    }
}
