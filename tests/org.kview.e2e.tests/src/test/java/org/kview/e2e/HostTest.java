// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Doctor and demo, as a new user meets them. */
class HostTest {
    @TempDir
    private Path folder;

    @Test
    void doctorTellsWhatProbesCost() throws Exception {
        Kview.Result result = Kview.run(folder, "doctor", "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        JsonNode json = new ObjectMapper().readTree(result.output());
        assertThat(json.path("schema").asText()).isEqualTo("kview-doctor/1");
        assertThat(json.path("can_record").asBoolean()).isTrue();
        assertThat(json.path("costs").path("probes")).isNotEmpty();
        for (JsonNode probe : json.path("costs").path("probes")) {
            assertThat(probe.path("call_ns").asLong()).as(probe.toString()).isPositive()
                    .isGreaterThanOrEqualTo(probe.path("inner_ns").asLong());
        }
        for (JsonNode capability : json.path("capabilities")) {
            assertThat(capability.path("detail").asText()).as("what %s means", capability.path("name")).isNotBlank();
        }
        assertThat(Kview.run(folder, "doctor").output()).contains("Functions can be recorded here")
                .contains("context switch");
    }

    @Test
    void demoRecordsAndReports() throws Exception {
        ProcessBuilder builder = Kview.builder(folder, "demo", "--headless", "--seconds", "2");
        builder.environment().put("XDG_DATA_HOME", folder.toString());
        try (Running kview = Running.start(builder)) {
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(result.output()).contains("price_basket").contains("lock");
            Matcher paths = Pattern.compile("(?s)session (\\S+\\.kview).*report +(\\S+\\.html)").matcher(result.output());
            assertThat(paths.find()).as(result.output()).isTrue();
            assertThat(Path.of(paths.group(1))).startsWith(folder);
            assertThat(Session.read(Path.of(paths.group(1))).function("poll_queue").calls()).isPositive();
            assertThat(Files.readString(Path.of(paths.group(2)))).contains("price_basket");
        }
    }

    @Test
    void anotherTargetIsNotReached() throws Exception {
        Kview.Result result = Kview.run(folder, "doctor", "--target", "me@elsewhere.invalid");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.errors()).contains("elsewhere.invalid").hasLineCount(1);
    }

    @Test
    void aMissingAgentIsNamed() throws Exception {
        ProcessBuilder builder = Kview.builder(folder, "doctor");
        builder.environment().put("KVIEW_AGENT", "/nonexistent/kview-agent");
        try (Running kview = Running.start(builder)) {
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.errors()).contains("/nonexistent/kview-agent").hasLineCount(1);
        }
    }
}
