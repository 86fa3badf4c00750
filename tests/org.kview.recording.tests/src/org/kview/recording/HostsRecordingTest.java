// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbeSpec;
import org.kview.model.SessionInfo.State;
import org.kview.session.read.SessionReader;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent.BodyCase;

@Timeout(300)
class HostsRecordingTest {
    @TempDir
    private Path folder;

    private final List<FakeAgent> fakes = new ArrayList<>();
    private final List<HostsRecording.Host> hosts = new ArrayList<>();
    private final LinkedBlockingQueue<LatencySnapshot> snapshots = new LinkedBlockingQueue<>();
    private final RecordingObserver observer = new RecordingObserver() {
        @Override
        public void snapshot(LatencySnapshot figures) {
            snapshots.add(figures);
        }
    };

    private void host(String target, int pid) throws Exception {
        FakeAgent fake = new FakeAgent();
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(pid).setName("shop").addArguments("/bin/shop"))));
        fake.on(BodyCase.FIND_FUNCTIONS, RecorderTest::functions);
        fake.on(BodyCase.START_RECORDING, RecorderTest::started);
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            fake.send(RecorderTest.delta(5, true, 0));
            fake.send(RecorderTest.ended(RecordingEnded.Reason.REQUESTED, ""));
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
        fakes.add(fake);
        hosts.add(new HostsRecording.Host(Agent.connect(fake.start()), target, new ScopeSpec.Named("shop")));
    }

    @AfterEach
    void disconnect() {
        hosts.forEach(host -> host.agent().close());
    }

    private RecordingRequest request() {
        return new RecordingRequest(List.of(ProbeSpec.parse("shop:pay").orElseThrow()), List.of(),
                folder.resolve("s.kview"), RecordingOptions.DEFAULT);
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            return reader.snapshot();
        }
    }

    @Test
    void oneSessionHoldsAllHosts() throws Exception {
        host("web-1", 11);
        host("web-2", 12);
        HostsRecording recording = HostsRecording.start(hosts, request(), observer);
        fakes.get(0).send(RecorderTest.delta(3, false, 0));
        fakes.get(1).send(RecorderTest.delta(4, false, 0));
        while (snapshots.take().functions().getFirst().calls() < 7) {
            // The sum of both is about to come.
        }
        recording.stop();
        assertThat(recording.await().failure()).isEmpty();

        LatencySnapshot kept = read();
        assertThat(kept.functions().getFirst().calls()).isEqualTo(10);
        assertThat(kept.hosts()).extracting(h -> h.info().pid()).containsExactly(11L, 12L);
        assertThat(kept.info().state()).isEqualTo(State.STOPPED);
    }

    @Test
    void oneThatBreaksOffLeavesTheOthersGoingOn() throws Exception {
        host("web-1", 11);
        host("web-2", 12);
        HostsRecording recording = HostsRecording.start(hosts, request(), observer);
        fakes.get(0).send(RecorderTest.delta(3, false, 0));
        fakes.get(1).send(RecorderTest.delta(3, false, 0));
        while (snapshots.take().functions().getFirst().calls() < 6) {
            // Both have begun.
        }
        fakes.get(0).die(128 + 9, "");
        recording.recordings().getFirst().await();
        assertThat(recording.recordings().getLast().isDone()).isFalse();
        recording.stop();
        assertThat(recording.await().failure()).hasValueSatisfying(s -> assertThat(s).startsWith("web-1: "));
        assertThat(read().functions().getFirst().calls()).isEqualTo(3 + 5);
    }

    @Test
    void whereOneCantStartNoneDoes() throws Exception {
        host("web-1", 11);
        host("web-2", 12);
        fakes.get(1).refuse(BodyCase.START_RECORDING, Error.Code.NO_PERMISSION, "Be root.");
        assertThatThrownBy(() -> HostsRecording.start(hosts, request(), observer)).isInstanceOf(TargetException.class)
                .hasMessage("web-2: Be root.");
        assertThat(folder).isEmptyDirectory();
        assertThat(fakes.getFirst().received()).as("what had begun was ended").anyMatch(r -> r.hasStopRecording());
    }

    @Test
    void aCancelledRecordingLeavesNoFolder() throws Exception {
        host("web-1", 11);
        host("web-2", 12);
        HostsRecording recording = HostsRecording.start(hosts, request(), observer);
        recording.cancel();
        recording.await();
        assertThat(folder).isEmptyDirectory();
    }
}
