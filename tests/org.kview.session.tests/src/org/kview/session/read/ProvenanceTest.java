// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.format.ProvenanceReader;
import org.kview.session.json.ValuesJson;
import org.kview.session.report.JsonReport;
import org.kview.session.report.SessionText;
import org.kview.session.write.SessionWriter;

import com.fasterxml.jackson.databind.JsonNode;

/** Later on nobody can find out any more what a recording was made with and on. */
class ProvenanceTest {
    private static final long STARTED = 81_000_000_000L;
    private static final Provenance KNOWN = new Provenance("1.0.0", "1.1", "x86_64", 8, "Xeon \"Gold\"",
            "2f8a6c1e-0000-4000-8000-000000000001", List.of(new Provenance.TracedProcess(0, Provenance.TracedProcess.PROCESS, 4711,
                    "checkout", "/usr/bin/checkout", STARTED, "/system.slice/checkout.service")),
            List.of(new Provenance.Binary("/usr/bin/checkout", "0123abcd"), new Provenance.Binary("/lib/libpay.so", "")));

    @TempDir
    Path temp;

    @Test
    void aSessionAndItsReportKeepIt() throws Exception {
        Path session = temp.resolve("a.kview");
        try (SessionWriter writer = SessionWriter.create(session, info(List.of(new Scope.Process(4711, STARTED))),
                SampleRecording.functions(), Optional.empty())) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().info().provenance()).isEqualTo(KNOWN);
            assertThat(reader.snapshot().info().scopes()).containsExactly(new Scope.Process(4711, STARTED));
            JsonNode report = ValuesJson.MAPPER.readTree(JsonReport.of(reader.snapshot()));
            assertThat(report.at("/provenance/machine/boot_id").asText()).isEqualTo(KNOWN.bootId());
            assertThat(report.at("/session/scopes/0/kind").asText()).isEqualTo("process");
            assertThat(report.at("/session/scopes/0/pid").asLong()).isEqualTo(report.at("/session/pid").asLong()).isEqualTo(4711);
            assertThat(report.at("/session/scopes/0/start_ns").asLong()).isEqualTo(STARTED);
            assertThat(report.at("/subjects/0/cgroup").asText()).isEqualTo("/system.slice/checkout.service");
        }
        JsonNode json = ValuesJson.MAPPER.readTree(Files.readAllBytes(session.resolve("session.json")));
        assertThat(json.at("/kind").asText()).isEqualTo("recording");
        assertThat(json.at("/functions/2/subject").asInt(-1)).isEqualTo(json.at("/subjects/0/id").asInt(-2)).isZero();
        assertThat(json.at("/functions/2/kind").asText()).isEqualTo("native");
    }

    /** No agent measures more than one process so far; what a later one does is kept, and none is left out. */
    @Test
    void aSessionOfSeveralScopesNamesThemAll() throws Exception {
        Path session = temp.resolve("a.kview");
        List<Scope> two = List.of(new Scope.Process(4711, STARTED), new Scope.Process(4712, STARTED + 1));
        try (SessionWriter writer = SessionWriter.create(session, info(two), SampleRecording.functions(), Optional.empty())) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(session)) {
            LatencySnapshot read = reader.snapshot();
            assertThat(read.problems()).isEmpty();
            assertThat(read.info().scopes()).isEqualTo(two);
            assertThat(new SessionText(read).title()).contains(" (pids 4711, 4712) on ");
            JsonNode report = ValuesJson.MAPPER.readTree(JsonReport.of(read));
            assertThat(report.at("/session/scopes")).extracting(scope -> scope.at("/pid").asLong()).containsExactly(4711L, 4712L);
            assertThat(report.at("/session/pid").asLong()).isZero();
        }
    }

    private static SessionInfo info(List<Scope> scopes) {
        SessionInfo i = SampleRecording.INFO;
        return new SessionInfo(i.measured(), scopes, i.command(),
                i.filtering(), i.start(), i.duration(),
                i.ending(), KNOWN);
    }

    /** It holds no figures, so nothing that is wrong with it costs one. */
    @Test
    void whatIsOfAnotherKindIsNotKnown() throws Exception {
        JsonNode odd = ValuesJson.MAPPER.readTree("""
                {"provenance":{"workbench":7,"machine":[],"binaries":[{"path":{}},3]},"subjects":[{"id":-4,"pid":1e40},null]}""");
        Provenance read = ProvenanceReader.read(odd);
        assertThat(read.workbench()).isEmpty();
        assertThat(read.cpus()).isZero();
        assertThat(read.binaries()).containsOnly(new Provenance.Binary("", ""));
        assertThat(read.processes()).containsOnly(new Provenance.TracedProcess(0, "", 0, "", "", 0, ""));
        assertThat(ProvenanceReader.read(ValuesJson.MAPPER.readTree("{}"))).isEqualTo(Provenance.UNKNOWN);
    }
}
