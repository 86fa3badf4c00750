// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.session.write.HostsFolder;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

/** Sessions of several hosts. */
class HostsSessionTest {
    private static final List<String> TARGETS = List.of("web-1", "root@[fe80::1]:22", "../../web-1");

    @TempDir
    Path temp;

    private Path session;
    private Map<String, Path> parts;

    @BeforeEach
    void record() throws Exception {
        session = Files.createDirectory(temp.resolve("shop.kview"));
        parts = HostsFolder.create(session, TARGETS);
        int calls = 10;
        for (var part : parts.entrySet()) {
            SessionInfo i = SampleRecording.INFO;
            SessionInfo info = Recorded.info(part.getKey(), "host", i.kernel(), i.pid(), i.command(), i.filter(),
                    i.filterNote(), i.start(), i.duration(), i.state(), "");
            try (SessionWriter writer = SessionWriter.create(part.getValue(), info, SampleRecording.functions(),
                    Optional.of(SampleRecording.METADATA))) {
                writer.append(new SampleRecording(SampleRecording.functions()).interval(calls));
                writer.appendPacket(0, SampleRecording.packet(0, 3, 0), 3);
                writer.finish(State.STOPPED, "", Optional.empty());
            }
            calls += 10;
        }
    }

    private static LatencySnapshot read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void opensAsTheSumOfItsHosts() throws Exception {
        LatencySnapshot all = read(session);
        assertThat(all.problems()).isEmpty();
        assertThat(all.hosts()).extracting(h -> h.info().target()).isEqualTo(TARGETS);
        assertThat(all.functions()).allMatch(f -> f.wall().count() == 10 + 20 + 30);
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.traces()).extracting(SessionReader.HostTrace::target).isEqualTo(TARGETS);
        }
    }

    /** As the fuzzer made them; 8 000 years are more than a long has nanoseconds. */
    @Test
    void hostsOfDifferentMillennia() throws Exception {
        Path json = parts.get("web-1").resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\"start\" : \"2026", "\"start\" : \"9990"));
        LatencySnapshot all = read(session);
        assertThat(all.info().duration().toNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(TableReport.of(all, TableStyle.PLAIN)).contains("price_basket");
    }

    @Test
    void eachPartStaysWithinTheSession() {
        assertThat(parts.values()).hasSize(3).allMatch(p -> p.normalize().equals(p) && p.startsWith(session));
    }

    @Test
    void eachPartIsASessionOfItsOwn() throws Exception {
        assertThat(read(parts.get("web-1")).functions()).allMatch(f -> f.wall().count() == 10);
    }

    @Test
    void oneDamagedPartCostsNoOther() throws Exception {
        Files.delete(parts.get("web-1").resolve("session.json"));
        LatencySnapshot rest = read(session);
        assertThat(rest.functions()).allMatch(f -> f.wall().count() == 20 + 30);
        assertThat(rest.problems()).singleElement().asString().contains("web-1").contains("session.json");
    }

    @Test
    void nothingLeftIsAnError() throws Exception {
        for (Path part : parts.values()) {
            Files.delete(part.resolve("session.json"));
        }
        assertThatThrownBy(() -> read(session)).isInstanceOf(SessionException.class).hasMessageContaining("session.json");
    }

    @Test
    void aPartThatLiesElsewhereIsNotOpened() throws Exception {
        Path json = session.resolve("session.json");
        for (String elsewhere : List.of("/etc", "../x", "hosts/../../x", "hosts/1-..", "hosts/1-a/b", "hosts")) {
            Files.writeString(json, """
                    {"schema":"kview-session/2","hosts":[{"target":"a","folder":"%s"}]}""".formatted(elsewhere));
            assertThatThrownBy(() -> read(session)).as(elsewhere).isInstanceOf(SessionException.class);
        }
        Path link = Files.createSymbolicLink(session.resolve("hosts/9-x"), parts.get("web-1"));
        Files.writeString(json, """
                {"schema":"kview-session/2","hosts":[{"target":"a","folder":"hosts/9-x"}]}""");
        assertThatThrownBy(() -> read(session)).as(link.toString()).isInstanceOf(SessionException.class);
    }

    @Test
    void aNewerFormatSaysSo() throws Exception {
        Files.writeString(session.resolve("session.json"), """
                {"schema":"kview-session/99","hosts":[{"target":"a","folder":"hosts/1-a"}]}""");
        assertThatThrownBy(() -> read(session)).hasMessageContaining("kview-session/99").hasMessageContaining("update");
    }

    @Test
    void opensZipped() throws Exception {
        Path zip = temp.resolve("shop.kview.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(session)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry("shop.kview/" + session.relativize(file)));
                Files.copy(file, out);
            }
        }
        assertThat(read(zip)).isEqualTo(read(session));
        assertThat(SessionSummary.read(zip).info()).contains(read(session).info());
    }

    @Test
    void aListTellsOfAllHosts() throws Exception {
        SessionSummary summary = SessionSummary.read(session);
        assertThat(summary.info()).contains(read(session).info());
        assertThat(summary.state()).isEqualTo(SessionSummary.State.WHOLE);
        assertThat(summary.functions()).hasSize(4);
        assertThat(summary.events()).isTrue();
        Files.delete(parts.get("web-1").resolve("session.json"));
        assertThat(SessionSummary.read(session).problems()).singleElement().asString().contains("web-1");
    }

    @Test
    void exportsATraceForEachHost() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            reader.exportCtf(temp.resolve("ctf"), Assertions::fail);
            for (Path part : parts.values()) {
                assertThat(temp.resolve("ctf").resolve(part.getFileName()).resolve("metadata")).exists();
            }
            assertThatThrownBy(() -> reader.exportHlog(temp.resolve("x.hlog"))).isInstanceOf(SessionException.class)
                    .hasMessageContaining("each of its hosts");
        }
    }

    @Test
    void reportsTellTheHostsApart() throws Exception {
        LatencySnapshot all = read(session);
        var json = org.kview.session.json.ValuesJson.MAPPER.readTree(JsonReport.of(all));
        assertThat(json.path("hosts")).hasSize(3);
        assertThat(json.at("/hosts/1/session/target").asText()).isEqualTo(TARGETS.get(1));
        assertThat(json.at("/hosts/1/functions/0/wall/count").asLong()).isEqualTo(20);
        assertThat(json.at("/functions/0/wall/count").asLong()).isEqualTo(60);
        assertThat(CsvReport.of(all).lines()).hasSize(1 + 4 * (1 + 3));
        for (String target : TARGETS) {
            assertThat(TableReport.of(all, TableStyle.PLAIN)).contains(target);
            assertThat(HtmlReport.of(all)).contains(target);
        }
    }
}
