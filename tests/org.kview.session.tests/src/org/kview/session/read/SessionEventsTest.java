// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventCursor;
import org.kview.ctf.EventTrace;
import org.kview.ctf.PacketHeader;
import org.kview.ctf.TraceEvent;
import org.kview.ctf.TraceEvent.Damage;
import org.kview.ctf.TraceEvent.LostEvents;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.write.SessionWriter;

/** The events of a session, as it was recorded and after somebody damaged it. */
class SessionEventsTest {
    @TempDir
    Path temp;

    private Path session;
    private final List<Integer> packetBytes = new ArrayList<>();

    /** A real trace, in a session with checksums. */
    @BeforeEach
    void record() throws Exception {
        session = temp.resolve("a.kview");
        record(session, SessionInfo.State.STOPPED);
    }

    private void record(Path folder, SessionInfo.State end) throws Exception {
        Path zip = temp.resolve("demo.kview.zip");
        try (InputStream in = SampleRecording.class.getResourceAsStream("report/data/demo.kview.zip")) {
            Files.copy(in, zip, StandardCopyOption.REPLACE_EXISTING);
        }
        try (SessionReader demo = SessionReader.open(zip)) {
            Path trace = demo.trace().orElseThrow();
            try (SessionWriter writer = SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(),
                    Optional.of(Files.readString(trace.resolve(EventTrace.METADATA))))) {
                for (int cpu = 0; cpu < 2; cpu++) {
                    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(trace.resolve(EventTrace.STREAM_PREFIX + cpu)));
                    while (in.hasRemaining()) {
                        int bytes = (int) PacketHeader.parse(in).orElseThrow().packetBytes();
                        writer.appendPacket(cpu, in.slice(in.position(), bytes), 1);
                        in.position(in.position() + bytes);
                        if (cpu == 0) {
                            packetBytes.add(bytes);
                        }
                    }
                }
                writer.finish(end, "", Optional.empty());
            }
        }
    }

    /** What came last on each CPU may not have been written, and no packet tells that. */
    @Test
    void ofARecordingThatWasBrokenOffTheEndMayBeMissing() throws Exception {
        Path broken = temp.resolve("broken.kview");
        record(broken, SessionInfo.State.FAILED);
        try (SessionReader whole = SessionReader.open(session); SessionReader part = SessionReader.open(broken)) {
            assertThat(whole.events().getFirst().trace().isEnded()).isTrue();
            assertThat(part.events().getFirst().trace().isEnded()).isFalse();
            assertThat(part.events().getFirst().whole()).isTrue();
            assertThat(part.events().getFirst().identity()).isNotEqualTo(whole.events().getFirst().identity());
        }
    }

    private List<TraceEvent> events() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.events()).hasSize(1);
            assertThat(reader.events().getFirst().target()).isEqualTo(SampleRecording.INFO.target());
            try (EventCursor cursor = reader.events().getFirst().trace().events()) {
                for (Optional<TraceEvent> event = cursor.next(); event.isPresent(); event = cursor.next()) {
                    events.add(event.get());
                }
            }
        }
        return events;
    }

    /** Wherever the damage is, be it in a length: the events of one packet are missing, and that is told in their place. */
    @Test
    void aDamagedPacketIsToldWhereItWas() throws Exception {
        List<TraceEvent> whole = events();
        assertThat(whole).hasSizeGreaterThan(8000).noneMatch(event -> event instanceof Damage || event instanceof LostEvents);
        Path stream = session.resolve("trace/cpu_0");
        byte[] bytes = Files.readAllBytes(stream);
        for (int at : new int[] {1, 48, 80, packetBytes.get(2) - 1}) {
            byte[] changed = bytes.clone();
            changed[packetBytes.get(0) + packetBytes.get(1) + at] ^= 0x20;
            Files.write(stream, changed);
            List<TraceEvent> events = events();
            assertThat(events).filteredOn(Damage.class::isInstance).singleElement().isInstanceOfSatisfying(Damage.class, damage -> {
                assertThat(damage.problem()).isEqualTo("packet 2 of cpu_0 is left out: its bytes have changed");
                assertThat(damage.cpu()).isZero();
            });
            long from = events.stream().filter(Damage.class::isInstance).findFirst().orElseThrow().nanos();
            List<TraceEvent> missing = new ArrayList<>(whole);
            missing.removeAll(new HashSet<>(events));
            assertThat(missing).hasSizeGreaterThan(500).allMatch(event -> event.cpu() == 0 && event.nanos() >= from);
            assertThat(events).hasSize(whole.size() - missing.size() + 1);
        }
    }

    @Test
    void withoutEventsThereAreNone() throws Exception {
        Path other = temp.resolve("b.kview");
        try (SessionWriter writer = SessionWriter.create(other, SampleRecording.INFO, SampleRecording.functions(), Optional.empty())) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(other)) {
            assertThat(reader.events()).isEmpty();
        }
    }

    /** Its figures open all the same. */
    @Test
    void aTraceThatThisVersionCanNotReadIsRefusedWithASentence() throws Exception {
        Path other = temp.resolve("b.kview");
        SampleRecording.record(other);
        try (SessionReader reader = SessionReader.open(other)) {
            assertThatThrownBy(reader::events).isInstanceOf(SessionException.class).hasMessageStartingWith("The trace in ")
                    .hasMessageEndingWith("it is not a trace that Kview recorded");
        }
    }
}
