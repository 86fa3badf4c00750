// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Functions measured by jumps that are put into the program's code: as many calls as it made itself, and its code as before. */
class JumpTest {
    private static final Map<String, String> WAITS = Map.of("poll_queue", "sleep", "price_basket", "lock", "fetch_rates", "network");

    @TempDir
    private Path folder;

    @BeforeAll
    static void jumpsCanBeUsedHere(@TempDir Path folder) throws Exception {
        JsonNode doctor = new ObjectMapper().readTree(Kview.run(folder, "doctor", "--json").output());
        List<JsonNode> jump = new ArrayList<>();
        doctor.path("capabilities").forEach(c -> {
            if (c.path("name").asText().equals("jump")) {
                jump.add(c);
            }
        });
        assertThat(jump).as("what the doctor says of jumps").hasSize(1);
        assumeThat(jump.getFirst().path("available").asBoolean()).as(jump.getFirst().path("detail").asText()).isTrue();
        assertThat(jump.getFirst().path("detail").asText()).containsPattern("a call takes \\d+ ns longer");
    }

    @Test
    void callsAreThoseOfTheProgramItself() throws Exception {
        List<String> names = List.of("render_page", "poll_queue", "price_basket", "fetch_rates", "walk_tree", "lookup_price");
        List<String> arguments = new ArrayList<>(List.of("record", "--probe-way", "jump", "--events", "--budget", "none", "-o",
                "demo.kview"));
        try (Running workload = Running.start(new ProcessBuilder(Workload.DEMO.toString(), "--wait", "--seconds", "1", "--only",
                String.join(",", names), "--truth", "truth.json").directory(folder.toFile())).awaitSaid("waits for SIGUSR1")) {
            arguments.addAll(List.of("--pid", "" + workload.pid()));
            names.forEach(name -> arguments.addAll(List.of("--probe", "kview-demo:" + name)));
            try (Running kview = Running.kview(folder, arguments.toArray(String[]::new))) {
                kview.awaitSaid("recording process");
                Workload.go(workload);
                Kview.Result result = kview.await();
                assertThat(result.exitCode()).as(result.errors()).isZero();
            }
        }
        Session session = Session.read(folder.resolve("demo.kview"));
        JsonNode truths = new ObjectMapper().readTree(folder.resolve("truth.json").toFile()).path("functions");
        long all = 0;
        for (String name : names) {
            Session.Function function = session.function(name);
            JsonNode own = truth(truths, name);
            assertThat(function.json().path("mechanism").asText()).as(name).isEqualTo("jump");
            assertThat(function.calls()).as(name).isEqualTo(own.path("calls").asLong());
            all += function.calls();
            assertThat(function.returned()).as(name).isEqualTo(function.calls());
            assertThat(function.wallTotalNanos()).as(name).isLessThanOrEqualTo(own.path("wall_total_ns").asDouble());
            assertThat(function.onCpuTotalNanos() + function.offCpuTotalNanos()).as(name).isEqualTo(function.wallTotalNanos());
        }
        assertThat(all).as("calls of all").isPositive();
        WAITS.forEach((name, cause) -> assertThat(session.function(name).causeTotalNanos(cause)).as(name + " waits for " + cause)
                .isPositive());
        Kview.Result single = Kview.run(folder, "calls", "demo.kview", "--csv");
        assertThat(single.output().lines().count()).as("single calls, and a head: " + single.errors()).isEqualTo(all + 1);
        for (String name : names) {
            assertThat(Kview.run(folder, "calls", "demo.kview", "--function", name, "--csv").output().lines().count()).as(name)
                    .isEqualTo(session.function(name).calls() + 1);
        }
    }

    private static JsonNode truth(JsonNode truths, String name) {
        for (JsonNode own : truths) {
            if (own.path("name").asText().equals(name)) {
                return own;
            }
        }
        throw new AssertionError("The program tells nothing of " + name + ": " + truths);
    }

    @Test
    void theProgramHasItsOwnCodeAgain() throws Exception {
        try (Running workload = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600")) {
            try (Running kview = record(workload, "ended.kview")) {
                Workload.go(workload);
                Session.awaitCalls(folder.resolve("ended.kview"));
                Kview.Result result = kview.signal("INT").await();
                assertThat(result.exitCode()).as(result.errors()).isZero();
            }
            assertThat(ProgramText.of(workload.pid()).changedBytes()).as("after the recording").isZero();

            try (Running kview = record(workload, "killed.kview")) {
                Running.signal(kview.agent(), "KILL");
                assertThat(kview.await().exitCode()).isEqualTo(1);
            }
            assertThat(ProgramText.of(workload.pid()).changedBytes()).as("the agent was killed").isPositive();
            assertThat(Kview.run(folder, "clean", "--pid", "" + workload.pid()).output()).contains("has its own code again");
            assertThat(ProgramText.of(workload.pid()).changedBytes()).as("and its jumps were taken out").isZero();
            assertThat(workload.process().isAlive()).as("the process goes on").isTrue();
        }
    }

    private Running record(Running workload, String session) throws Exception {
        Running kview = Running.kview(folder, "record", "--probe-way", "jump", "--pid", "" + workload.pid(), "--probe",
                "kview-demo:poll_queue", "-o", session).awaitSaid("recording process");
        assertThat(ProgramText.of(workload.pid()).changedBytes()).as("while it is recorded").isPositive();
        return kview;
    }
}
