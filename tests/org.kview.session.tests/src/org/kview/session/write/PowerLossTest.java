// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.files.Disk;
import org.kview.session.read.SessionReader;
import org.kview.testing.Recorded;

/** The power may fail at any moment: there is a session then, with the figures of one of its checkpoints. */
class PowerLossTest {
    @TempDir
    Path temp;

    private final List<List<FunctionLatency>> figures = new ArrayList<>();
    private int failures;

    /** Keeps of a file what was there when it was synced last, and of names those that their folder had when it was. */
    private final class Volatile implements Disk {
        private final Path folder;
        private final Map<Path, Content> current = new HashMap<>();
        private final Map<Path, Content> kept = new HashMap<>();
        private boolean fails;

        private static final class Content {
            private byte[] synced = {};
        }

        Volatile(Path folder) {
            this.folder = folder;
        }

        @Override
        public SeekableByteChannel create(Path path) throws IOException {
            current.put(path, new Content());
            return Disk.REAL.create(path);
        }

        @Override
        public void sync(Path file) throws IOException {
            failNow();
            current.get(file).synced = Files.readAllBytes(file);
            failNow();
        }

        @Override
        public void syncFolder(Path synced) throws IOException {
            kept.keySet().removeIf(path -> path.getParent().equals(synced));
            current.forEach((path, content) -> {
                if (path.getParent().equals(synced)) {
                    kept.put(path, content);
                }
            });
            failNow();
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Disk.REAL.rename(from, to);
            current.put(to, current.remove(from));
            failNow();
        }

        /** Renames that no sync of the folder followed may have reached the disk, or not. */
        private void failNow() throws IOException {
            if (fails) {
                check(kept);
                check(current);
            }
        }

        private void check(Map<Path, Content> left) throws IOException {
            Path copy = temp.resolve("after-" + failures++ + ".kview");
            for (var file : left.entrySet()) {
                Path to = copy.resolve(folder.relativize(file.getKey()).toString());
                Files.createDirectories(to.getParent());
                Files.write(to, file.getValue().synced);
            }
            try (SessionReader reader = SessionReader.open(copy)) {
                assertThat(figures).contains(reader.snapshot().functions());
                assertThat(reader.snapshot().problems()).allMatch(
                        p -> p.startsWith("trace/") || p.startsWith("packets.crc32"));
            }
        }
    }

    @Test
    void aPowerFailureAtAnyMomentLeavesACheckpoint() throws Exception {
        Path folder = temp.resolve("a.kview");
        Volatile disk = new Volatile(folder);
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        try (SessionWriter writer = SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA), disk)) {
            figures.add(writer.snapshot().functions());
            disk.fails = true;
            disk.failNow();
            for (int i = 0; i < 4; i++) {
                var interval = recording.interval(10);
                // The last interval is the one that is written at once, whatever the time.
                var now = Recorded.interval(interval.beginNanos(), interval.endNanos(),
                        interval.functions(), interval.losses(), true);
                figures.add(after(interval));
                writer.appendPacket(i % 2, SampleRecording.packet(i % 2, 3, 0), 3);
                writer.append(now);
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        assertThat(failures).isGreaterThan(20);
        int atTheEnd = failures;
        disk.failNow();
        try (SessionReader reader = SessionReader.open(temp.resolve("after-" + atTheEnd + ".kview"))) {
            assertThat(reader.snapshot().info().state()).isEqualTo(SessionInfo.State.STOPPED);
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().functions()).isEqualTo(figures.getLast());
        }
    }

    private final org.kview.model.LatencyAccumulator sum = new org.kview.model.LatencyAccumulator(
            SampleRecording.functions());

    private List<FunctionLatency> after(org.kview.model.LatencyInterval interval) {
        sum.add(interval);
        return sum.functions();
    }
}
