// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What can be probed is found without knowing a name, and nothing runs for it. */
class FunctionsTest {
    @TempDir
    private Path folder;

    @Test
    void ofAProcessWhatItPrintsCanBeRecorded() throws Exception {
        try (Running workload = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600")) {
            String pid = "" + workload.pid();
            Kview.Result counts = Kview.run(folder, "functions", "--pid", pid);
            assertThat(counts.exitCode()).as(counts.errors()).isZero();
            assertThat(counts.output()).containsPattern("kview-demo +[0-9]+ +[0-9]+\n").containsPattern("libc.so.6 +[0-9,]+ +[0-9,]+\n")
                    .hasLineCount(4);
            assertThat(counts.errors()).contains("'kview-demo:*' lists the functions of one file");
            Kview.Result own = Kview.run(folder, "functions", "--pid", pid, "--binary", "kview-demo", "--cost", "--csv");
            assertThat(own.output().lines().map(line -> line.split(",")[0])).startsWith("probe").contains("kview-demo:poll_queue",
                    "kview-demo:main");
            assertThat(own.output().lines().filter(line -> line.startsWith("kview-demo:poll_queue,")).findFirst().orElseThrow()
                    .split(",")[12]).as("what its probes add, in ns: %s", own.errors()).matches("[1-9][0-9]{2,}");
            Kview.Result everywhere = Kview.run(folder, "functions", "--pid", pid, "--json", "*poll*");
            JsonNode json = new ObjectMapper().readTree(everywhere.output());
            assertThat(json.findValuesAsText("probe")).contains("kview-demo:poll_queue", "libc.so.6:poll");
            assertThat(json.get("shown").intValue()).isEqualTo(json.get("functions").size());
            assertThat(everywhere.errors()).isEmpty();
            assertThat(json.get("binaries").findValuesAsText("bin")).containsExactly("kview-demo", "libc.so.6", "ld-linux-x86-64.so.2");
            assertThat(sumOf(json, "total")).isEqualTo(json.get("total").longValue());
            assertThat(sumOf(json, "examined")).isEqualTo(json.get("shown").longValue());
            assertThat(sumOf(json, "probeable")).isEqualTo(json.get("functions").findValues("probeable").stream()
                    .filter(JsonNode::booleanValue).count());
            Kview.Result few = Kview.run(folder, "functions", "--pid", pid, "--limit", "3", "*poll*");
            assertThat(few.errors()).containsPattern("3 of [0-9]+ shown").containsPattern("not shown are [0-9]+ of libc.so.6");
            Kview.Result one = Kview.run(folder, "functions", "--pid", pid, "libc:pol?");
            assertThat(one.output()).contains("libc.so.6:poll").doesNotContain("poll_queue");
        }
    }

    private static long sumOf(JsonNode json, String figure) {
        return json.get("binaries").findValues(figure).stream().mapToLong(JsonNode::longValue).sum();
    }

    @Test
    void ofACommandThatIsNotRun() throws Exception {
        Kview.Result result = Kview.run(folder, "functions", "to*ch", "--", "touch", "touched");
        assertThat(result.exitCode()).as("%s", result).isEqualTo(1);
        assertThat(result.errors()).contains("to*ch", "try '*to*ch*'").hasLineCount(1);
        result = Kview.run(folder, "functions", "*strlen*", "--", "touch", "touched");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output()).contains("libc.so.6:");
        assertThat(Files.exists(folder.resolve("touched"))).as("it ran").isFalse();
    }

    @Test
    void ofAFile() throws Exception {
        Kview.Result result = Kview.run(folder, "functions", Workload.DEMO.toString(), "*_queue");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output()).contains(Workload.DEMO + ":poll_queue").doesNotContain(":main");
        assertThat(Kview.run(folder, "functions", "no-such-file").exitCode()).isEqualTo(1);
    }

    @Test
    void moreThanFitAreCounted() throws Exception {
        Kview.Result result = Kview.run(folder, "functions", "libc:*", "--", "true");
        assertThat(result.output()).hasLineCount((int) (1001 + result.output().lines().filter(l -> l.startsWith("    also ")).count()));
        assertThat(result.errors()).containsPattern("1,000 of [0-9,]+ shown; --all shows more");
    }
}
