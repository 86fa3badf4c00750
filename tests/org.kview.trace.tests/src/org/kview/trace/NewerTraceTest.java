// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventKind;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

/** A session whose trace has events, fields and a cause that this version does not know. */
class NewerTraceTest {
    private static final String CONTENTS = "Contents";
    private static final String TYPE = "Event type";

    @TempDir
    Path temp;

    private Path known;
    private Path session;
    private int events;
    private int newEvents;

    /** Makes two sessions: a real recording, and the same recording as a later version would have written it. */
    @BeforeEach
    void record() throws Exception {
        known = Files.createDirectories(temp.resolve("known"));
        session = temp.resolve("newer.kview");
        Files.write(known.resolve("metadata"), recorded("metadata"));
        SessionInfo info = Recorded.info("local", "vm", "6.18.0", 17532, "kview-demo", "in", "",
                Instant.parse("2026-11-20T14:00:00Z"), Duration.ZERO, SessionInfo.State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(session, info, List.of(),
                Optional.of(NewerTrace.metadata(Files.readString(known.resolve("metadata")))))) {
            for (int cpu = 0; cpu < 2; cpu++) {
                byte[] stream = recorded("cpu_" + cpu);
                Files.write(known.resolve("cpu_" + cpu), stream);
                for (NewerTrace.Packet packet : NewerTrace.packets(stream)) {
                    writer.appendPacket(cpu, packet.bytes(), packet.events());
                    events += packet.events();
                    newEvents += packet.newEvents();
                }
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
    }

    private static byte[] recorded(String file) throws IOException {
        try (InputStream in = NewerTraceTest.class.getResourceAsStream("data/recorded/" + file)) {
            return in.readAllBytes();
        }
    }

    private static boolean isNew(Map<String, String> event) {
        return event.get(TYPE).equals(NewerTrace.EVENT);
    }

    private static List<Map<String, String>> withoutContents(List<Map<String, String>> all) {
        return all.stream().filter(event -> !isNew(event)).map(event -> {
            Map<String, String> columns = new LinkedHashMap<>(event);
            columns.remove(CONTENTS);
            return columns;
        }).toList();
    }

    @Test
    void whatIsKnownIsReadAsEverAndTheRestHasItsOwnName() throws Exception {
        List<Map<String, String>> before = ShownEvents.of(known);
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().losses().eventsDropped()).isZero();
            List<Map<String, String>> read = ShownEvents.of(reader.traces().getFirst().folder());
            assertThat(read).hasSize(events).hasSize(before.size() + newEvents);
            // Events of different CPUs at the same time may come in any order.
            assertThat(withoutContents(read)).containsExactlyInAnyOrderElementsOf(withoutContents(before));
            assertThat(read).filteredOn(NewerTraceTest::isNew).hasSize(newEvents).allSatisfy(event -> assertThat(event)
                    .containsKey("TID").containsEntry("Cause", NewerTrace.CAUSE).doesNotContainKeys("Function", "Wall-clock"));
            assertThat(read).filteredOn(event -> event.get(TYPE).equals(EventKind.CALL_EXIT.text())).isNotEmpty()
                    .allMatch(event -> event.get(CONTENTS).contains("instructions=0x1122334455667788")
                            || event.get(CONTENTS).contains("instructions=" + 0x1122334455667788L));
        }
    }

    /** The longest wait of a call may have a cause that only a later version knows. */
    @Test
    void aCauseThatIsNotKnownIsNotPassedOverForASmallerOne() throws Exception {
        Path folder = Files.createDirectories(temp.resolve("cause"));
        TraceFixture.write(folder, "kview", 1);
        Path metadata = folder.resolve("metadata");
        Files.writeString(metadata, Files.readString(metadata).replace("lock = 5,", "gpu = 40,"));
        byte[] stream = Files.readAllBytes(folder.resolve("cpu_0"));
        for (int at : new int[] {TraceFixture.SWITCH_CAUSE_AT, stream.length - 2 * 9}) {
            assertThat(stream[at]).isEqualTo((byte) 5);
            stream[at] = 40;
        }
        Files.write(folder.resolve("cpu_0"), stream);
        List<Map<String, String>> events = ShownEvents.of(folder);
        assertThat(events.get(1)).containsEntry("Cause", "gpu");
        assertThat(events.get(4)).containsEntry("Cause", "gpu 4.80 ms");
    }

    /** Trace Compass looks each of them up. */
    @Test
    void twoThousandKindsOfEventsChangeNothing() throws Exception {
        List<Map<String, String>> before = ShownEvents.of(known);
        Path metadata = known.resolve("metadata");
        StringBuilder more = new StringBuilder(Files.readString(metadata));
        for (int i = 0; i < 2_000; i++) {
            more.append("event { name = \"other:").append(i).append("\"; id = ").append(1_000 + i)
                    .append("; stream_id = 0; fields := struct { u32 value; }; };\n");
        }
        Files.writeString(metadata, more);
        assertThat(ShownEvents.of(known)).isNotEmpty().isEqualTo(before);
    }

    static boolean isBabeltraceInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream().anyMatch(f -> Files.isExecutable(Path.of(f, "babeltrace2")));
    }

    @Test
    @EnabledIf("isBabeltraceInstalled")
    void anotherReaderReadsAsMany() throws Exception {
        Path exported = temp.resolve("exported");
        try (SessionReader reader = SessionReader.open(session)) {
            reader.exportCtf(exported, _ -> { });
        }
        Process process = new ProcessBuilder("babeltrace2", exported.toString()).redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        assertThat(lines).hasSize(events);
        assertThat(lines).filteredOn(line -> line.contains(NewerTrace.EVENT)).hasSize(newEvents)
                .allMatch(line -> line.contains("\"" + NewerTrace.CAUSE + "\"") && line.contains("render"));
    }
}
