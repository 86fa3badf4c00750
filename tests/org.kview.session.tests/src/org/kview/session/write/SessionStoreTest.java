// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.AgentCost;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.LatencyLog;
import org.kview.session.read.SessionReader;
import org.kview.session.repair.SalvagedSession;

class SessionStoreTest {
    private static final AgentCost COST = new AgentCost(Duration.ofMillis(12), Duration.ofMillis(8),
            Duration.ofMillis(90), 7 << 20);

    @TempDir
    Path temp;

    private final SampleRecording recording = new SampleRecording(SampleRecording.functions());

    private Path folder() {
        return temp.resolve("checkout.kview");
    }

    private SessionWriter writer(Optional<String> metadata) throws SessionException {
        return SessionWriter.create(folder(), SampleRecording.INFO, SampleRecording.functions(), metadata);
    }

    @Test
    void whatWasWrittenIsReadBack() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer(Optional.of(SampleRecording.METADATA))) {
            for (int i = 0; i < 5; i++) {
                writer.append(recording.interval(200));
                writer.appendPacket(i % 2, SampleRecording.packet(i % 2, 10, 40), 10);
            }
            writer.finish(State.STOPPED, "", Optional.of(COST));
            written = writer.snapshot();
        }
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot()).isEqualTo(written);
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().info().state()).isEqualTo(State.STOPPED);
            assertThat(reader.snapshot().info().duration()).isEqualTo(Duration.ofMillis(2500));
            assertThat(reader.snapshot().overhead().agent()).contains(COST);
            assertThat(reader.snapshot().overhead().perCallNanos()).isEqualTo(2300);
            assertThat(reader.trace()).contains(folder().resolve("trace"));
        }
        assertThat(folder().resolve("trace/cpu_0")).hasSize(3 * (76 + 160 + 40));
        assertThat(temp.resolve("checkout.kview")).isDirectoryNotContaining("glob:**.{tmp,reserve}");
    }

    @Test
    void aCalibrationThatIsNotSureStaysSo() throws Exception {
        try (SessionWriter writer = writer(Optional.empty())) {
            writer.append(recording.interval(200));
            assertThat(writer.snapshot().overhead().calibrated()).isTrue();
            writer.setCalibrationNote("The costs did not settle.");
            writer.finish(State.STOPPED, "", Optional.of(COST));
        }
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot().overhead().calibrated()).isFalse();
            assertThat(reader.snapshot().overhead().note()).isEqualTo("The costs did not settle.");
            assertThat(reader.snapshot().overhead().perCallNanos()).isEqualTo(2300);
        }
    }

    @Test
    void aSessionWithoutAnyCallOpens() throws Exception {
        try (SessionWriter writer = writer(Optional.empty())) {
            writer.finish(State.PROCESS_ENDED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().functions()).extracting(FunctionLatency::calls).containsOnly(0L);
            assertThat(reader.trace()).isEmpty();
        }
    }

    @Test
    void closedWithoutAnEndItIsStillRecording() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer(Optional.empty())) {
            writer.append(recording.interval(10));
            writer.append(recording.interval(10));
            written = writer.snapshot();
        }
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot().info().state()).isEqualTo(State.RECORDING);
            assertThat(reader.snapshot()).isEqualTo(written);
        }
    }

    @Test
    void itCanBeReadWhileItIsRecorded() throws Exception {
        try (SessionWriter writer = writer(Optional.of(SampleRecording.METADATA))) {
            try (SessionReader reader = SessionReader.open(folder())) {
                assertThat(reader.snapshot().info().state()).isEqualTo(State.RECORDING);
                assertThat(reader.snapshot().problems()).isEmpty();
            }
            writer.appendPacket(0, SampleRecording.packet(0, 3, 0), 3);
            writer.append(recording.interval(10));
            try (SessionReader reader = SessionReader.open(folder())) {
                assertThat(reader.snapshot().problems()).isEmpty();
                assertThat(reader.trace()).isPresent();
            }
        }
    }

    @Test
    void aSecondRecordingIntoTheSameFolderIsRefused() throws Exception {
        writer(Optional.empty()).close();
        byte[] before = Files.readAllBytes(folder().resolve("session.json"));

        assertThatThrownBy(() -> writer(Optional.empty())).isInstanceOf(SessionException.class)
                .hasMessage(folder() + " exists already: choose another name for the recording");

        assertThat(folder().resolve("session.json")).hasBinaryContent(before);
    }

    @Test
    void aFileInTheWayIsLeftAlone() throws Exception {
        Files.writeString(folder(), "mine");
        assertThatThrownBy(() -> writer(Optional.empty())).isInstanceOf(SessionException.class)
                .hasMessageContaining("exists already");
        assertThat(folder()).hasContent("mine");
    }

    @Test
    void theIntervalLogIsReadByHdrHistogramsOwnReader() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer(Optional.empty())) {
            for (int i = 0; i < 3; i++) {
                writer.append(recording.interval(100));
            }
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
        Histogram sum = new Histogram(1, LatencyLog.HIGHEST_NANOS, 1);
        int lines = 0;
        try (HistogramLogReader reader = new HistogramLogReader(folder().resolve("latency.hlog").toFile())) {
            for (EncodableHistogram h = reader.nextIntervalHistogram(); h != null; h = reader.nextIntervalHistogram()) {
                lines++;
                if ("0:price_basket:wall".equals(h.getTag())) {
                    sum.add((Histogram) h);
                    assertThat(h.getEndTimeStamp() - h.getStartTimeStamp()).isEqualTo(500);
                    assertThat(h.getStartTimeStamp())
                            .isGreaterThanOrEqualTo(SampleRecording.INFO.start().toEpochMilli());
                }
            }
        }
        assertThat(lines).isEqualTo(3 * (4 * 3 + 2));
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            assertThat(sum.getCountAtValue(LatencyBuckets.lowNanos(i)))
                    .isEqualTo(written.functions().get(0).wall().bucket(i));
        }
    }

    @Test
    void aNewerFormatSaysSo() throws Exception {
        writer(Optional.empty()).close();
        Path json = folder().resolve("session.json");
        Files.writeString(json, Files.readString(json).replace("kview-session/1", "kview-session/9"));
        assertThatThrownBy(() -> SessionReader.open(folder())).isInstanceOf(SessionException.class)
                .hasMessageContaining("newer Kview Workbench").hasMessageContaining("kview-session/9");
    }

    @Test
    void aChangedFigureIsFlagged() throws Exception {
        try (SessionWriter writer = writer(Optional.empty())) {
            writer.append(recording.interval(10));
        }
        Path json = folder().resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\"calls\" : 11", "\"calls\" : 12"));
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot().problems()).singleElement().asString().contains("session.json was changed");
        }
    }

    @Test
    void noSessionSaysSo() throws IOException {
        assertThatThrownBy(() -> SessionReader.open(temp)).isInstanceOf(SessionException.class)
                .hasMessageContaining("session.json is missing");
        assertThatThrownBy(() -> SessionReader.open(temp.resolve("none.kview"))).isInstanceOf(SessionException.class)
                .hasMessageContaining("does not exist");
        Path file = Files.writeString(temp.resolve("x.kview.zip"), "no zip");
        assertThatThrownBy(() -> SessionReader.open(file)).isInstanceOf(SessionException.class)
                .hasMessageContaining("x.kview.zip");
    }

    @Test
    void eachDamagedPartIsNamedAndTheRestOpens() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer(Optional.of(SampleRecording.METADATA))) {
            writer.append(recording.interval(10));
            writer.appendPacket(0, SampleRecording.packet(0, 3, 0), 3);
            writer.appendPacket(1, SampleRecording.packet(1, 3, 0), 3);
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
        Files.delete(folder().resolve("symbols.json"));
        Files.delete(folder().resolve("latency.hlog"));
        Files.delete(folder().resolve("trace/cpu_1"));
        try (SessionReader reader = SessionReader.open(folder())) {
            LatencySnapshot snapshot = reader.snapshot();
            assertThat(snapshot.problems()).satisfiesExactlyInAnyOrder(p -> assertThat(p).startsWith("symbols.json"),
                    p -> assertThat(p).startsWith("latency.hlog"), p -> assertThat(p).startsWith("trace/cpu_1"),
                    p -> assertThat(p).startsWith("The percentiles and distributions of 4 of 4 functions are lost"));
            assertThat(reader.trace()).isPresent();
            FunctionLatency function = snapshot.functions().get(0);
            assertThat(function.wall().totalNanos()).isEqualTo(written.functions().get(0).wall().totalNanos());
            assertThat(function.wall().hasBuckets()).isFalse();
            assertThat(function.function().name()).isEqualTo("price_basket");
        }
        Files.delete(folder().resolve("trace/metadata"));
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.trace()).isEmpty();
            assertThat(reader.snapshot().problems()).anyMatch(p -> p.startsWith("trace/metadata is missing"));
        }
    }

    @Test
    void withoutSessionJsonTheLogStillTellsItsCounts() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer(Optional.empty())) {
            writer.append(recording.interval(10));
            written = writer.snapshot();
        }
        Files.delete(folder().resolve("session.json"));
        assertThatThrownBy(() -> SessionReader.open(folder())).isInstanceOf(SessionException.class);

        List<FunctionLatency> salvaged = SalvagedSession.read(folder()).functions();

        assertThat(salvaged).extracting(f -> f.function().name())
                .containsExactlyElementsOf(SampleRecording.functions().stream().map(f -> f.name()).toList());
        for (int i = 0; i < salvaged.size(); i++) {
            var original = written.functions().get(i).wall();
            assertThat(salvaged.get(i).wall().count()).isEqualTo(original.count());
            assertThat((double) salvaged.get(i).wall().totalNanos()).isCloseTo(original.totalNanos(),
                    org.assertj.core.data.Percentage.withPercentage(100 / 32.0));
        }
        assertThat(salvaged.get(0).distribution(Metric.LOCK).isEmpty()).isFalse();
    }

    @Test
    void packetsThatAreNoneAreRefused() throws Exception {
        try (SessionWriter writer = writer(Optional.of(SampleRecording.METADATA))) {
            var cut = SampleRecording.packet(0, 3, 0);
            cut.limit(cut.limit() - 1);
            assertThatThrownBy(() -> writer.appendPacket(0, cut, 0)).isInstanceOf(SessionException.class);
            assertThatThrownBy(() -> writer.appendPacket(-1, SampleRecording.packet(0, 3, 0), 3))
                    .isInstanceOf(SessionException.class);
            var magic = SampleRecording.packet(0, 3, 0);
            magic.put(0, (byte) 0);
            assertThatThrownBy(() -> writer.appendPacket(0, magic, 0)).isInstanceOf(SessionException.class);
        }
        assertThat(folder().resolve("trace")).isDirectoryNotContaining("glob:**cpu_*");
    }

    @Test
    void exportsAreCopiesThatOverwriteNothing() throws Exception {
        try (SessionWriter writer = writer(Optional.of(SampleRecording.METADATA))) {
            writer.append(recording.interval(10));
            writer.appendPacket(0, SampleRecording.packet(0, 3, 0), 3);
            writer.finish(State.STOPPED, "", Optional.empty());
        }
        Files.write(folder().resolve("trace/cpu_0"), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        try (SessionReader reader = SessionReader.open(folder())) {
            Path ctf = temp.resolve("out/ctf");
            reader.exportCtf(ctf, Assertions::fail);
            assertThat(ctf.resolve("cpu_0")).hasSize(76 + 48);
            assertThat(ctf.resolve("metadata")).hasContent(SampleRecording.METADATA);
            assertThatThrownBy(() -> reader.exportCtf(ctf, Assertions::fail)).isInstanceOf(SessionException.class)
                    .hasMessageContaining("is not empty");
            Path hlog = temp.resolve("l.hlog");
            reader.exportHlog(hlog);
            assertThat(hlog).hasSameBinaryContentAs(folder().resolve("latency.hlog"));
            assertThatThrownBy(() -> reader.exportHlog(hlog)).isInstanceOf(SessionException.class)
                    .hasMessageContaining("exists already");
            Path others = Files.writeString(temp.resolve("m.hlog.tmp"), "somebody's");
            assertThatThrownBy(() -> reader.exportHlog(temp.resolve("m.hlog"))).isInstanceOf(SessionException.class)
                    .hasMessageContaining("m.hlog.tmp is in the way");
            assertThat(others).hasContent("somebody's");
            assertThat(reader.trace().orElseThrow().resolve("cpu_0")).hasSize(76 + 48);
            assertThat(folder().resolve("trace/cpu_0")).hasSize(76 + 48 + 3);
            assertThat(reader.snapshot().problems()).containsExactly(
                    "trace/cpu_0 ends in a broken packet: its last 3 bytes are left out.");
        }
    }
}
