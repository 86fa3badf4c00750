// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.files.Disk;
import org.kview.session.format.SessionFiles;
import org.kview.session.read.SessionReader;
import org.kview.session.read.TraceFiles;
import org.kview.testing.Recorded;

class SlowDiskTest {
    @TempDir
    Path temp;

    private final SampleRecording recording = new SampleRecording(SampleRecording.functions());
    private final CountDownLatch packetWaits = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile boolean gaveUp;

    /** One that takes no events until it is told to. */
    private final Disk disk = path -> {
        if (path.getFileName().toString().startsWith(SessionFiles.STREAM_PREFIX)) {
            packetWaits.countDown();
            try {
                gaveUp = !go.await(2, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        return Disk.REAL.create(path);
    };

    @Test
    void anIntervalIsWrittenWhileAPacketWaitsForTheDisk() throws Exception {
        Path folder = temp.resolve("slow.kview");
        LatencySnapshot written;
        try (SessionWriter writer = SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA), disk)) {
            FutureTask<Void> packet = new FutureTask<>(() -> {
                writer.appendPacket(0, SampleRecording.packet(0, 5, 100), 5);
                return null;
            });
            Thread.ofVirtual().start(packet);
            packetWaits.await();
            writer.append(recording.interval(20));
            LatencyInterval last = recording.interval(20);
            writer.append(Recorded.interval(last.beginNanos(), last.endNanos(), last.functions(), last.losses(), true));
            assertThat(writer.snapshot().problems()).isEmpty();
            go.countDown();
            packet.get();
            assertThat(gaveUp).as("the intervals waited for the packet").isFalse();
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
        try (SessionReader reader = SessionReader.open(folder)) {
            assertThat(reader.snapshot()).isEqualTo(written);
            assertThat(TraceFiles.scan(reader.trace().orElseThrow()).streams()).singleElement()
                    .matches(stream -> stream.packets() == 1 && stream.isWhole());
        }
    }
}
