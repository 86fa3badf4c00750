// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.PacketHeader;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.read.TraceFiles;

/** No byte of a recorded trace changes unnoticed, and what has not changed is kept. */
class PacketSumsTest {
    private static final int PACKETS = 4;

    @TempDir
    Path temp;

    private Path session;

    @BeforeEach
    void record() throws Exception {
        session = temp.resolve("a.kview");
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA))) {
            writer.append(new SampleRecording(SampleRecording.functions()).interval(5));
            for (int i = 0; i < 2 * PACKETS; i++) {
                writer.appendPacket(i % 2, SampleRecording.packet(i % 2, 3 + i, 8), 3 + i);
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
    }

    private Path stream(int cpu) {
        return session.resolve("trace/cpu_" + cpu);
    }

    private static List<String> problems(Path session) throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot().problems();
        }
    }

    @Test
    void aWholeTraceIsTakenAsItIs() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.trace()).hasValue(session.resolve("trace"));
        }
    }

    @Tag("slow")
    @Test
    void everyFlippedBitIsNoticed() throws Exception {
        byte[] bytes = Files.readAllBytes(stream(0));
        Random random = new Random(11);
        for (int i = 0; i < 400; i++) {
            byte[] flipped = bytes.clone();
            int at = random.nextInt(bytes.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(stream(0), flipped);
            assertThat(problems(session)).as("byte " + at).singleElement().asString()
                    .startsWith("trace/cpu_0 is damaged: 1 of its 4 packets are lost; the bytes of packet ");
        }
    }

    /** Wherever the flip is, and be it in the length: the other packets are read. */
    @Test
    void aDamagedPacketCostsNoOther() throws Exception {
        byte[] bytes = Files.readAllBytes(stream(1));
        int first = PacketHeader.HEADER_BYTES + 4 * 16 + 8;
        for (int at : new int[] {first, first + 48, first + 80}) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            Files.write(stream(1), damaged);
            try (SessionReader reader = SessionReader.open(session)) {
                assertThat(reader.snapshot().problems()).singleElement().asString().contains("packet 1 have changed");
                Path repaired = reader.trace().orElseThrow();
                assertThat(repaired).isNotEqualTo(session.resolve("trace"));
                assertThat(repaired.resolve("cpu_1")).hasSize(bytes.length - (PacketHeader.HEADER_BYTES + 6 * 16 + 8));
                assertThat(TraceFiles.scan(repaired).isWhole()).isTrue();
                Path exported = temp.resolve("exported-" + at);
                reader.exportCtf(exported, Assertions::fail);
                assertThat(exported.resolve("cpu_1")).hasSameBinaryContentAs(repaired.resolve("cpu_1"));
                assertThat(exported.resolve("cpu_0")).hasSameBinaryContentAs(stream(0));
            }
        }
    }

    @Test
    void damagedChecksumsCostNoPacket() throws Exception {
        Path sums = session.resolve("packets.crc32");
        String text = Files.readString(sums);
        Files.writeString(sums, text.replaceFirst("0 132 ", "0 133 "));
        assertThat(problems(session)).singleElement().asString().startsWith("packets.crc32 is damaged");
        Files.delete(sums);
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).singleElement().asString().startsWith("packets.crc32 is missing");
            assertThat(reader.trace()).hasValue(session.resolve("trace"));
        }
    }

    /** As before there were checksums. */
    @Test
    void aSessionWithoutChecksumsOpens() throws Exception {
        Files.delete(session.resolve("packets.crc32"));
        Path json = session.resolve("session.json");
        String old = Pattern.compile("\"packets\" : \\{[^}]*},").matcher(Files.readString(json)).replaceFirst("");
        Files.writeString(json, old);
        assertThat(problems(session)).singleElement().asString().startsWith("session.json was changed");
    }

    /** What was written after the last checkpoint has none yet. */
    @Test
    void packetsBeyondTheChecksumsAreRead() throws Exception {
        byte[] more = SampleRecording.packet(0, 9, 0).array();
        Files.write(stream(0), more, java.nio.file.StandardOpenOption.APPEND);
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.trace()).hasValue(session.resolve("trace"));
        }
    }

    @Test
    void eventsThatNobodyCountedAreNotMadeUp() throws Exception {
        Path other = temp.resolve("b.kview");
        SmallDisk disk = new SmallDisk(other, 2 * SpaceReserve.BYTES);
        try (SessionWriter writer = SessionWriter.create(other, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA), disk)) {
            disk.grow(-2 * SpaceReserve.BYTES);
            for (int events : new int[] {0, 40}) {
                assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> writer.appendPacket(0, SampleRecording.packet(0, 40, 0), events)))
                        .isInstanceOf(SessionException.class);
            }
            disk.grow(3 * SpaceReserve.BYTES);
            assertThat(writer.snapshot().losses().eventsDropped()).isEqualTo(40);
            assertThat(writer.snapshot().problems()).singleElement().asString()
                    .contains("2 packets with 40 events").endsWith("How many events 1 of these packets held is not known.");
        }
    }
}
