// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Two programs that are recorded in turns by one command. */
@Order(1)
class CompareProgramsTest {
    private static final String PROBE = "kview-demo:poll_queue";
    private static final String DEMO = Workload.DEMO + " --only poll_queue --seconds 1";

    @TempDir
    private Path folder;

    private static String[] arguments(String a, String b, String... more) {
        return Stream.concat(Stream.of("compare-programs", "--a", a, "--b", b, "-n", "3", "--budget", "none", "-o", "out"),
                Stream.of(more)).toArray(String[]::new);
    }

    private Kview.Result compare(String a, String b, String... more) throws Exception {
        return Kview.run(folder, arguments(a, b, more));
    }

    private List<String> sessions() throws Exception {
        try (Stream<Path> all = Files.list(folder.resolve("out"))) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    /** The letters in the order in which the recordings began. */
    private static String order(JsonNode json) {
        List<String> starts = new ArrayList<>();
        for (String side : List.of("a", "b")) {
            json.path(side).path("recordings").forEach(r -> starts.add(r.path("session").path("start").asText() + side));
        }
        starts.sort(Comparator.naturalOrder());
        return String.join(" ", starts.stream().map(s -> s.substring(s.length() - 1).toUpperCase()).toList());
    }

    /** Whether a difference is found depends on the host's other work; what is compared and in which order does not. */
    @Test
    void recordingsOfTwoProgramsInTurnsAreCompared() throws Exception {
        Kview.Result result = compare(DEMO + " --truth -", DEMO + " --slower poll_queue=400", "--probe", PROBE, "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.errors()).contains("recording 6 of 6").containsOnlyOnce("compares these recordings again");
        // What the program prints is no part of the result.
        JsonNode json = new ObjectMapper().readTree(result.output());
        assertThat(json.path("kind").asText()).isEqualTo("groups");
        assertThat(json.path("established").asBoolean()).isTrue();
        assertThat(result.errors()).contains("6 recordings in the order " + order(json) + " (--seed ");
        Set<Long> processes = new HashSet<>();
        for (String side : List.of("a", "b")) {
            json.path(side).path("recordings").forEach(r -> processes.add(r.path("session").path("pid").asLong()));
        }
        assertThat(processes).as("each recording is of a process of its own").hasSize(6);
        // It sleeps 3 ms, or 15 ms, and what it is late comes on top.
        JsonNode mean = json.path("functions").path(0).path("wall").path("mean");
        assertThat(mean.path("recordings_a_ns")).hasSize(3).allMatch(nanos -> nanos.asDouble() > 2.9e6);
        assertThat(mean.path("recordings_b_ns")).hasSize(3).allMatch(nanos -> nanos.asDouble() > 14.5e6);
        assertThat(sessions()).containsExactly("a-1.kview", "a-2.kview", "a-3.kview", "b-1.kview", "b-2.kview", "b-3.kview");
    }

    /** The function is there in both, is not called in either, and so can't be judged: that does not pass. */
    @Test
    void programsWithFilesOfOtherNamesAreProbedByThoseAndTheGateIsHeld() throws Exception {
        Path old = Files.createSymbolicLink(folder.resolve("demo-old"), Files.copy(Workload.DEMO, folder.resolve("demo-2025")));
        Kview.Result result = compare(old + " --only poll_queue --seconds 1", DEMO, "--probe-a", "demo-2025:walk_tree",
                "--probe-b", "kview-demo:walk_tree", "--json", "--seed", "7", "--fail-on-regression=10");
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
        assertThat(result.errors()).contains("(--seed 7)", "0 of 1 functions could be judged");
        JsonNode json = new ObjectMapper().readTree(result.output());
        assertThat(json.path("functions")).hasSize(1);
        assertThat(json.path("functions").path(0).path("name").asText()).isEqualTo("walk_tree");
    }

    @Test
    void aProgramThatFailsIsNamedAndNothingFollows() throws Exception {
        String fails = DEMO + " --truth /nonexistent/truth";
        Kview.Result result = compare(DEMO, fails, "--probe", PROBE);
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
        assertThat(result.errors()).containsPattern("recording [12] of 6 failed, of B: .*/nonexistent/truth ended with status 1")
                .contains("it printed: kview-demo: can't write /nonexistent/truth").doesNotContain("recording 3 of 6");
        assertThat(result.output()).isEmpty();
        assertThat(sessions()).contains("b-1.kview").doesNotContain("a-2.kview", "b-2.kview");
        Session.read(folder.resolve("out/b-1.kview"));
    }

    @Test
    void aFunctionThatOneOfThemLacksIsToldWithTheProgram() throws Exception {
        Kview.Result result = compare(DEMO, Workload.CALLS + " --seconds 1", "--probe", PROBE);
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
        assertThat(result.errors()).containsPattern("recording [12] of 6 failed, of B: " + Workload.CALLS)
                .contains("maps no kview-demo");
        assertThat(result.output()).isEmpty();
    }

    /** The third one runs until it is ended; it starts as a script, which counts how often it was started. */
    @Test
    void ctrlCKeepsWhatWasRecordedAndNoOtherFollows() throws Exception {
        Path script = Files.writeString(folder.resolve("run"), """
                echo >> runs
                [ $(wc -l < runs) -ge 3 ] && exec %s --only poll_queue --seconds 600
                exec %s
                """.formatted(Workload.DEMO, DEMO));
        try (Running kview = Running.kview(folder, arguments("sh " + script, "sh " + script, "--probe",
                Workload.DEMO + ":poll_queue"))) {
            kview.awaitSaid("recording 3 of 6");
            String third = Files.readString(kview.errors()).contains("3 of 6: A") ? "a-2.kview" : "b-2.kview";
            Session.awaitCalls(folder.resolve("out").resolve(third));
            Kview.Result result = kview.signal("INT").await();
            assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
            assertThat(result.errors()).contains(third + " is shorter than the others, and is not compared",
                    "ended after 2 of 6 recordings", "too few to compare").doesNotContain("recording 4 of 6");
            assertThat(sessions()).containsExactlyInAnyOrder("a-1.kview", "b-1.kview", third);
            for (String session : sessions()) {
                assertThat(Session.read(folder.resolve("out").resolve(session)).function("poll_queue").calls()).isPositive();
            }
        }
    }
}
