// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** From several recordings of a program to a comparison of groups of them. */
class RepeatedRecordingsTest {
    @TempDir
    private Path folder;

    private List<String> repeat(String name) throws Exception {
        Kview.Result result = Kview.run(folder, "record", "--repeat", "3", "--budget", "none", "--probe",
                "kview-demo:poll_queue", "-o", name + ".kview", "--", Workload.DEMO.toString(), "--only", "poll_queue",
                "--seconds", "1");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.errors()).contains("recording 3 of 3");
        return List.of(name + "-1.kview", name + "-2.kview", name + "-3.kview");
    }

    private JsonNode compare(List<String> a, List<String> b) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("compare", "--json", "--a"));
        arguments.addAll(a);
        arguments.add("--b");
        arguments.addAll(b);
        Kview.Result compared = Kview.run(folder, arguments.toArray(String[]::new));
        assertThat(compared.exitCode()).as(compared.errors()).isZero();
        return new ObjectMapper().readTree(compared.output());
    }

    @Test
    void eachIsOfAProcessOfItsOwnAndGroupsOfThemAreCompared() throws Exception {
        List<String> first = repeat("old");
        List<String> then = repeat("new");
        JsonNode json = compare(first, then);
        assertThat(json.path("kind").asText()).isEqualTo("groups");
        assertThat(json.path("established").asBoolean()).as("one side after the other").isFalse();
        JsonNode turns = compare(List.of(first.get(0), first.get(2), then.get(1)), List.of(first.get(1), then.get(0), then.get(2)));
        assertThat(turns.path("established").asBoolean()).isTrue();
        Set<Long> processes = new HashSet<>();
        for (String side : List.of("a", "b")) {
            json.path(side).path("recordings").forEach(r -> processes.add(r.path("session").path("pid").asLong()));
        }
        assertThat(processes).hasSize(6);
        JsonNode calls = json.path("functions").path(0).path("rates").path("calls_per_s");
        assertThat(calls.path("recordings_a")).hasSize(3);
        assertThat(calls.path("recordings_b")).hasSize(3).allMatch(n -> n.asDouble() > 0);
    }
}
