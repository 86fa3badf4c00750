// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kview.model.LatencySnapshot;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.targets.Agent;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.ProcessOutput;

import com.google.protobuf.ByteString;

/** A host that never stops sending: what nobody has dealt with yet is left with the host. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("slow")
class EndlessHostTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The most that all lanes hold together, and a frame on its way. */
    private static final long MOST_BYTES = 100L << 20;
    private static final int PID = 42;

    enum Kind {
        /** Few functions with much text: to take in many functions takes seconds and shows nothing more. */
        FIGURES(FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().addAllFunctions(
                Collections.nCopies(25, FunctionDelta.newBuilder().setCalls(1L << 40).setProbesOff("x".repeat(4000)).build())))
                .build()),
        OUTPUT(FromAgent.newBuilder().setProcessOutput(ProcessOutput.newBuilder().setPid(PID)
                .setData(ByteString.copyFrom(new byte[1 << 16]))).build());

        private final byte[] frame;

        Kind(FromAgent message) {
            frame = Mutator.unchanged(List.of(List.of(message))).getFirst();
        }
    }

    @TempDir
    private Path folder;

    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final RecordingObserver slow = new RecordingObserver() {
        @Override
        public void output(boolean errorStream, byte[] bytes) {
            block();
        }

        @Override
        public void snapshot(LatencySnapshot figures) {
            block();
        }
    };

    private void block() {
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource
    void endlessMessagesFillNoMemory(Kind kind) throws Exception {
        List<List<FromAgent>> begun = new ArrayList<>(Conversation.honest());
        begun.set(begun.size() - 1, begun.getLast().subList(0, 1));
        var endless = new ReplayedAgent(Mutator.unchanged(begun), PATIENCE, kind.frame);
        try (Agent agent = Agent.connect(endless)) {
            Recording recording = new Recorder(agent, "host").start(Conversation.scope(),
                    Conversation.request(folder.resolve("s.kview")), slow);
            assertThat(endless.sentUntilStuck(MOST_BYTES)).isLessThan(MOST_BYTES);
            recording.stop();
            assertThat(endless.sentUntilStuck(MOST_BYTES)).isLessThan(MOST_BYTES);
            mayGoOn.countDown();
            endless.close();
            recording.await();
        }
    }
}
