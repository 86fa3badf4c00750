// SPDX-License-Identifier: EPL-2.0
package org.kview.session.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo.State;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.json.ValuesJson;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionSummary;
import org.kview.session.write.HostsFolder;
import org.kview.session.write.SessionWriter;

import com.fasterxml.jackson.databind.node.ObjectNode;

class SessionRepairTest {
    @TempDir
    Path temp;

    private static LatencySnapshot open(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void aSessionThatWasCutOffIsFinishedWithItsFigures() throws Exception {
        Path session = SampleRecording.cutOff(temp.resolve("a.kview"));
        LatencySnapshot before = open(session);
        SessionRepair.finish(session);
        LatencySnapshot after = open(session);
        assertThat(after.info().state()).isEqualTo(State.FAILED);
        assertThat(after.info().stateNote()).isEqualTo(SessionRepair.CUT_OFF_NOTE);
        assertThat(after.problems()).isEmpty();
        assertThat(after.functions()).isEqualTo(before.functions());
        assertThat(session.resolve(".reserve")).doesNotExist();
        assertThat(session.resolve(".lock")).doesNotExist();
        assertThat(SessionSummary.read(session).state()).isEqualTo(SessionSummary.State.WHOLE);
    }

    @Test
    void membersOfALaterVersionAreKept() throws Exception {
        Path session = SampleRecording.cutOff(temp.resolve("a.kview"));
        Path json = session.resolve("session.json");
        ObjectNode root = (ObjectNode) ValuesJson.MAPPER.readTree(json.toFile());
        root.putObject("sources").put("web-3", 1);
        ((ObjectNode) root.get("session")).put("clock_offset_ns", -12);
        Files.write(json, SessionJsonWriter.sign(root));
        SessionRepair.finish(session);
        ObjectNode after = (ObjectNode) ValuesJson.MAPPER.readTree(json.toFile());
        assertThat(after.at("/sources/web-3").asInt()).isEqualTo(1);
        assertThat(after.at("/session/clock_offset_ns").asInt()).isEqualTo(-12);
        assertThat(open(session).problems()).isEmpty();
    }

    /** A new checksum over changed figures would make them look true. */
    @Test
    void figuresThatSomeoneChangedAreNotSigned() throws Exception {
        Path session = SampleRecording.cutOff(temp.resolve("a.kview"));
        Path json = session.resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\"calls\" : [0-9]+", "\"calls\" : 7"));
        SessionRepair.finish(session);
        assertThat(open(session).problems()).anyMatch(p -> p.contains("can't be trusted"));
        assertThat(session.resolve(".reserve")).doesNotExist();
    }

    @Test
    void whileItIsRecordedItIsLeftAlone() throws Exception {
        Path session = temp.resolve("a.kview");
        try (SessionWriter writer = SampleRecording.begin(session)) {
            assertThatThrownBy(() -> SessionRepair.finish(session)).isInstanceOf(SessionException.class)
                    .hasMessage(session + " is being recorded: stop the recording first");
            assertThat(session.resolve(".reserve")).exists();
        }
    }

    @Test
    void ofSeveralHostsThoseThatWereCutOffAreFinished() throws Exception {
        Path session = Files.createDirectory(temp.resolve("hosts.kview"));
        List<Path> parts = List.copyOf(HostsFolder.create(session, List.of("web-1", "web-2")).values());
        SampleRecording.record(parts.get(0));
        try (SessionWriter writer = SampleRecording.begin(parts.get(1))) {
            assertThatThrownBy(() -> SessionRepair.finish(session)).hasMessageContaining("is being recorded");
        }
        byte[] list = Files.readAllBytes(session.resolve("session.json"));
        assertThat(SessionSummary.read(session).salvageable()).isTrue();
        SessionRepair.finish(session);
        assertThat(open(parts.get(0)).info().state()).isEqualTo(State.STOPPED);
        assertThat(open(parts.get(1)).info().state()).isEqualTo(State.FAILED);
        assertThat(session.resolve("session.json")).hasBinaryContent(list);
        assertThat(open(session).functions()).allMatch(f -> f.wall().count() == 2 * 60);
    }

    @Test
    void withoutSessionJsonItIsMadeAnewFromTheLog() throws Exception {
        Path damaged = temp.resolve("a.kview");
        LatencySnapshot whole = SampleRecording.record(damaged);
        Files.writeString(damaged.resolve("session.json"), "{");
        Path log = damaged.resolve("latency.hlog");
        Files.writeString(log, Files.readString(log) + "Tag=0:price_basket:wall,1.0,0.5,1.0,HIST");
        byte[] logBytes = Files.readAllBytes(log);

        Path salvaged = Files.createDirectory(temp.resolve("b.kview"));
        SessionSalvage.salvage(damaged, salvaged, Progress.NONE);

        assertThat(damaged.resolve("session.json")).hasContent("{");
        assertThat(log).hasBinaryContent(logBytes);
        LatencySnapshot found = open(salvaged);
        assertThat(found.problems()).containsExactly(SessionSalvage.PROBLEM);
        assertThat(found.info().state()).isEqualTo(State.FAILED);
        assertThat(found.info().duration()).isEqualTo(Duration.ofMillis(1500));
        assertThat(found.info().start().toEpochMilli()).isEqualTo(SampleRecording.INFO.start().toEpochMilli());
        assertThat(found.functions()).hasSameSizeAs(whole.functions());
        for (int i = 0; i < whole.functions().size(); i++) {
            FunctionLatency was = whole.functions().get(i);
            FunctionLatency is = found.functions().get(i);
            assertThat(is.function()).isEqualTo(was.function());
            for (Metric metric : Metric.values()) {
                for (int b = 0; b < LatencyBuckets.COUNT; b++) {
                    assertThat(is.distribution(metric).bucket(b)).isEqualTo(was.distribution(metric).bucket(b));
                }
                assertThat((double) is.distribution(metric).totalNanos()).isCloseTo(
                        was.distribution(metric).totalNanos(), org.assertj.core.data.Percentage.withPercentage(6.25));
            }
        }
        try (SessionReader reader = SessionReader.open(salvaged)) {
            assertThat(reader.trace()).isPresent();
        }
    }

    @Test
    void whatIsNewerOrEmptyIsNotSalvaged() throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        Path json = session.resolve("session.json");
        Files.writeString(json, Files.readString(json).replace("kview-session/1", "kview-session/9"));
        Path target = Files.createDirectory(temp.resolve("t"));
        assertThatThrownBy(() -> SessionSalvage.salvage(session, target, Progress.NONE))
                .hasMessageContaining("newer Kview Workbench");
        Files.writeString(json, "{");
        Files.delete(session.resolve("latency.hlog"));
        assertThatThrownBy(() -> SessionSalvage.salvage(session, target, Progress.NONE))
                .hasMessage("latency.hlog is missing: there is nothing to salvage");
    }
}
