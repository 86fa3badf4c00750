// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A session as {@code kview report --json} tells of it. */
record Session(JsonNode json) {
    private static final List<String> CAUSES = List.of("run_queue", "preempted", "block_io", "lock", "sleep", "network",
            "page_fault", "steal", "throttled", "stopped", "other");

    private static final Pattern CALLS = Pattern.compile("\"calls\"\\s*:\\s*[1-9]");

    static Session read(Path folder) throws IOException, InterruptedException {
        Kview.Result report = Kview.run(folder.toAbsolutePath().getParent(), "report", folder.toString(), "--json");
        assertThat(report.exitCode()).as(report.errors()).isZero();
        JsonNode json = new ObjectMapper().readTree(report.output());
        assertThat(json.path("schema").asText()).isEqualTo("kview-report/1");
        return new Session(json);
    }

    /** Waits until calls have reached the disk. */
    static void awaitCalls(Path folder) throws IOException, InterruptedException {
        Path figures = folder.resolve("session.json");
        Running.awaitFile(figures);
        while (!CALLS.matcher(Files.readString(figures)).find()) {
            Thread.sleep(20);
        }
    }

    Function function(String name) {
        return StreamSupport.stream(json.path("functions").spliterator(), false)
                .filter(f -> f.path("name").asText().equals(name)).map(Function::new).findFirst()
                .orElseThrow(() -> new AssertionError("The report has no " + name + ": " + json));
    }

    long loss(String name) {
        assertThat(json.path("losses").has(name)).as("losses.%s", name).isTrue();
        return json.path("losses").path(name).asLong();
    }

    record Function(JsonNode json) {
        long calls() {
            return json.path("calls").asLong();
        }

        long returned() {
            return json.path("wall").path("count").asLong();
        }

        double wallTotalNanos() {
            return json.path("wall").path("total_ns").asDouble();
        }

        double onCpuTotalNanos() {
            return json.path("on_cpu").path("total_ns").asDouble();
        }

        double causeTotalNanos(String cause) {
            assertThat(json.path("off_cpu").has(cause)).as("off_cpu.%s", cause).isTrue();
            return json.path("off_cpu").path(cause).path("total_ns").asDouble();
        }

        double offCpuTotalNanos() {
            return CAUSES.stream().mapToDouble(this::causeTotalNanos).sum();
        }

        /** Time off-CPU that the function itself brought about: without what a busy host adds. */
        double waitedNanos() {
            return offCpuTotalNanos() - contentionNanos() - causeTotalNanos("steal");
        }

        double contentionNanos() {
            return causeTotalNanos("run_queue") + causeTotalNanos("preempted");
        }

        String verdict() {
            return json.path("verdict").path("cause").asText();
        }
    }
}
