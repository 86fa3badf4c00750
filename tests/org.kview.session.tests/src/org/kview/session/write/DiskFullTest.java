// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.PacketHeader;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.read.TraceFiles;

class DiskFullTest {
    private static final long RESERVE = SpaceReserve.BYTES;

    @TempDir
    Path temp;

    private final SampleRecording recording = new SampleRecording(SampleRecording.functions());

    private SessionWriter writer(Path folder, SmallDisk disk) throws SessionException {
        return SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA), disk);
    }

    @Test
    void aDiskWithoutRoomToStartIsSaidAndLeftAsItWas() {
        for (long capacity : new long[] {0, 100, RESERVE - 1, RESERVE, RESERVE + 900, RESERVE + 2500}) {
            Path folder = temp.resolve("full-" + capacity + ".kview");
            assertThatThrownBy(() -> writer(folder, new SmallDisk(folder, capacity)))
                    .isInstanceOf(SessionException.class).hasMessageContaining(folder.toString())
                    .hasMessageEndingWith("the disk is full");
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void figuresThatDidNotFitAreWrittenOnceThereIsRoom() throws Exception {
        Path folder = temp.resolve("a.kview");
        SmallDisk disk = new SmallDisk(folder, RESERVE + 20_000);
        LatencySnapshot written;
        int failures = 0;
        try (SessionWriter writer = writer(folder, disk)) {
            disk.grow(-RESERVE - 20_000 + disk.usedBytes());
            // No room but the reserve, and soon not even that.
            for (int i = 0; i < 600; i++) {
                try {
                    writer.append(recording.interval(20));
                } catch (SessionException e) {
                    failures++;
                    assertThat(e.getMessage()).endsWith("the disk is full");
                    if (failures % 20 == 0) {
                        readable(folder);
                    }
                }
            }
            assertThat(failures).isGreaterThan(30);
            disk.grow(1 << 20);
            writer.append(recording.interval(20));
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
        assertThat(readable(folder)).isEqualTo(written);
    }

    @Test
    void aTraceThatFillsTheDiskLeavesTheFiguresTheirRoom() throws Exception {
        Path folder = temp.resolve("b.kview");
        SmallDisk disk = new SmallDisk(folder, RESERVE + 60_000);
        LatencySnapshot written;
        long lost = 0;
        long kept = 0;
        try (SessionWriter writer = writer(folder, disk)) {
            for (int i = 0; i < 200; i++) {
                try {
                    writer.appendPacket(i % 3, SampleRecording.packet(i % 3, 50, 100), 50);
                    kept++;
                } catch (SessionException e) {
                    assertThat(e.getMessage()).endsWith("the disk is full");
                    lost++;
                }
            }
            assertThat(lost).isGreaterThan(100);
            writer.append(recording.interval(20));
            written = writer.snapshot();
            assertThat(written.losses().eventsDropped()).isEqualTo(50 * lost);
            writer.finish(State.STOPPED, "", Optional.empty());
        }
        LatencySnapshot found = readable(folder);
        assertThat(found.functions()).isEqualTo(written.functions());
        assertThat(found.losses().eventsDropped()).isEqualTo(50 * lost);
        assertThat(found.problems()).singleElement().asString()
                .isEqualTo("The trace is incomplete: " + lost + " packets with " + 50 * lost
                        + " events could not be written while it was recorded.");
        assertThat(TraceFiles.scan(folder.resolve("trace")).streams().stream().mapToLong(s -> s.packets()).sum())
                .isEqualTo(kept);
    }

    @Test
    void packetsAfterAGapTellHowManyEventsAreMissing() throws Exception {
        Path folder = temp.resolve("c.kview");
        SmallDisk disk = new SmallDisk(folder, 2 * RESERVE);
        try (SessionWriter writer = writer(folder, disk)) {
            writer.appendPacket(0, SampleRecording.packet(0, 5, 0), 5);
            long more = 2 * RESERVE - disk.usedBytes();
            disk.grow(-more);
            assertThatThrownBy(() -> writer.appendPacket(0, SampleRecording.packet(0, 40, 0), 40))
                    .isInstanceOf(SessionException.class);
            disk.grow(more);
            writer.appendPacket(0, SampleRecording.packet(0, 5, 0), 5);
        }
        ByteBuffer stream = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("trace/cpu_0")))
                .order(ByteOrder.LITTLE_ENDIAN);
        int packetBytes = PacketHeader.HEADER_BYTES + 5 * 16;
        assertThat(stream.capacity()).isEqualTo(2 * packetBytes);
        assertThat(stream.getLong(64)).isEqualTo(7);
        assertThat(stream.getLong(packetBytes + 64)).isEqualTo(7 + 40);
    }

    @Tag("slow")
    @Test
    void atAnyCapacityTheSessionIsThatOfACheckpoint() throws Exception {
        for (long capacity = 0; capacity < 90_000; capacity += 2_111) {
            Path folder = temp.resolve("d" + capacity + ".kview");
            SampleRecording calls = new SampleRecording(SampleRecording.functions());
            List<List<FunctionLatency>> states = new ArrayList<>();
            SmallDisk disk = new SmallDisk(folder, RESERVE + capacity);
            boolean finished = false;
            try (SessionWriter writer = writer(folder, disk)) {
                disk.grow(-RESERVE);
                states.add(writer.snapshot().functions());
                for (int i = 0; i < 30; i++) {
                    attempt(() -> writer.append(calls.interval(10)));
                    attempt(() -> writer.appendPacket(0, SampleRecording.packet(0, 20, 0), 20));
                    states.add(writer.snapshot().functions());
                }
                writer.finish(State.STOPPED, "", Optional.empty());
                finished = true;
            } catch (SessionException e) {
                assertThat(e.getMessage()).endsWith("the disk is full");
            }
            if (Files.exists(folder)) {
                List<FunctionLatency> found = readable(folder).functions();
                assertThat(states).contains(found);
                assertThat(!finished || found.equals(states.getLast())).isTrue();
            } else {
                assertThat(states).isEmpty();
            }
        }
    }

    @Test
    void aRealDiskThatIsFull() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", mount.toString()), "needs root");
        try {
            Path folder = mount.resolve("e.kview");
            LatencySnapshot written;
            int lost = 0;
            try (SessionWriter writer = SessionWriter.create(folder, SampleRecording.INFO,
                    SampleRecording.functions(), Optional.of(SampleRecording.METADATA))) {
                for (int i = 0; i < 400; i++) {
                    try {
                        writer.appendPacket(i % 2, SampleRecording.packet(i % 2, 600, 0), 600);
                    } catch (SessionException e) {
                        assertThat(e.getMessage()).endsWith("the disk is full");
                        lost++;
                    }
                    if (i % 10 == 0) {
                        writer.append(recording.interval(20));
                    }
                }
                assertThat(lost).isGreaterThan(10);
                writer.finish(State.STOPPED, "", Optional.empty());
                written = writer.snapshot();
            }
            LatencySnapshot found = readable(folder);
            assertThat(found).isEqualTo(written);
            assertThat(found.losses().eventsDropped()).isEqualTo(600L * lost);
        } finally {
            run("umount", mount.toString());
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SessionException;
    }

    private static void attempt(Step step) {
        try {
            step.run();
        } catch (SessionException e) {
            assertThat(e.getMessage()).endsWith("the disk is full");
        }
    }

    /** Opens it and checks that percentiles are there and the trace is whole. */
    private static LatencySnapshot readable(Path folder) throws IOException {
        try (SessionReader reader = SessionReader.open(folder)) {
            LatencySnapshot snapshot = reader.snapshot();
            assertThat(snapshot.functions()).allMatch(f -> f.wall().hasBuckets());
            assertThat(snapshot.problems()).allMatch(p -> p.startsWith("The trace is incomplete"));
            assertThat(TraceFiles.scan(folder.resolve("trace")).streams())
                    .allMatch(s -> s.validBytes() == s.totalBytes());
            return snapshot;
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
