// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Where the time goes is found without naming a function. */
class SurveyTest {
    /** What the demo's authors made slow. */
    private static final List<String> SLOW = List.of("kview-demo:render_page", "kview-demo:poll_queue", "kview-demo:price_basket",
            "kview-demo:flush_cache", "kview-demo:build_index", "kview-demo:fetch_rates", "kview-demo:walk_tree",
            "kview-demo:lookup_price");

    /** Of the others, a slow disk or a busy machine may leave calls that do not end, or hardly any. */
    private static final List<String> SURE = List.of("kview-demo:render_page", "kview-demo:poll_queue", "kview-demo:fetch_rates");
    /**
     * A machine that was away for most of a survey leaves nothing to suggest, or has waits in other functions than usual, once; a
     * survey that is wrong is so each time.
     */
    private static final int ATTEMPTS = 5;

    @TempDir
    private Path folder;

    @Test
    void whatTheDemosAuthorsSlowedIsSuggestedAndCanBeRecorded() throws Exception {
        try (Running workload = Workload.waiting(Workload.DEMO, "--seconds", "600")) {
            Workload.go(workload);
            String pid = "" + workload.pid();
            Kview.Result result = survey(pid);
            JsonNode json = new ObjectMapper().readTree(result.output());
            for (int i = 1; i < ATTEMPTS && !isRight(suggested(json)); i++) {
                result = survey(pid);
                json = new ObjectMapper().readTree(result.output());
            }
            assertThat(json.get("schema").textValue()).isEqualTo("kview-survey/1");
            assertThat(suggested(json)).as(result.output()).matches(SurveyTest::isRight);
            JsonNode stacks = json.get("stacks");
            assertThat(stacks.get("complete").longValue()).isGreaterThanOrEqualTo(stacks.get("taken").longValue() * 95 / 100);
            Kview.Result folded = Kview.run(folder, "survey", "--pid", pid, "--duration", "1s", "--folded");
            assertThat(folded.output()).containsPattern("(?m)^renderer;.*;run_render_page;render_page;.*;\\[on-CPU\\] [0-9]+$");
            Kview.Result text = Kview.run(folder, "survey", "--pid", pid, "--duration", "1s", "--top", "3");
            assertThat(text.output()).contains("--probe kview-demo:poll_queue ", "kview record --pid " + pid)
                    .doesNotContain("--probe kview-demo:run_");
        }
    }

    private Kview.Result survey(String pid) throws Exception {
        Kview.Result result = Kview.run(folder, "survey", "--pid", pid, "--duration", "3s", "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        return result;
    }

    /** What the demo's authors slowed, and nothing else above it. */
    private static boolean isRight(List<? extends String> suggested) {
        List<? extends String> slow = suggested.stream().filter(SLOW::contains).toList();
        return slow.containsAll(SURE) && slow.equals(suggested.subList(0, slow.size()));
    }

    private static List<String> suggested(JsonNode survey) {
        return survey.get("suggested").findValuesAsText("probe");
    }

    @Test
    void whatASurveySuggestsIsRecordedAtOnce() throws Exception {
        try (Running workload = Workload.waiting(Workload.DEMO, "--seconds", "600")) {
            Workload.go(workload);
            // Without a budget: how dear probes seem depends on how busy the machine is.
            Kview.Result result = null;
            JsonNode report = null;
            List<String> measured = List.of();
            List<String> suggested = List.of();
            for (int i = 0; i < ATTEMPTS && !isRight(suggested); i++) {
                Path session = folder.resolve("slow-" + i + ".kview");
                result = Kview.run(folder, "record", "--suggested=3s", "--budget", "none", "--pid", "" + workload.pid(),
                        "--duration", "1s", "-o", session.toString());
                assertThat(result.exitCode()).as(result.errors()).isZero();
                report = Session.read(session).json();
                List<String> names = new ArrayList<>();
                report.get("functions").forEach(function -> names.add("kview-demo:" + function.get("name").textValue()));
                measured = names;
                suggested = suggested(report.get("survey"));
            }
            assertThat(suggested).as(result.errors()).matches(SurveyTest::isRight).containsExactlyInAnyOrderElementsOf(measured);
            assertThat(result.errors()).contains("functions worth measuring", "BIN:FUNC", "kview-demo:poll_queue ");
            assertThat(result.output()).contains("A survey of ", "chose the functions");
        }
    }

    @Test
    void whatCannotBeSurveyedIsSaid() throws Exception {
        assertThat(Kview.run(folder, "survey").exitCode()).isEqualTo(2);
        assertThat(Kview.run(folder, "survey", "--pid", "1", "--duration", "1h").errors()).contains("1ms to 10m");
        Kview.Result none = Kview.run(folder, "survey", "--process", "no-such-process");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.errors()).contains("no process named no-such-process");
    }
}
