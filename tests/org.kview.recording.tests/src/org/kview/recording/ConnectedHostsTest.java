// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.ProbeSpec;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

@Timeout(300)
class ConnectedHostsTest {
    private static final ScopeSpec SHOP = new ScopeSpec.Attach(7);

    @TempDir
    private Path folder;

    private final List<Agent> connected = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private ConnectedHosts.Host host(String name, FakeAgent fake) {
        return new ConnectedHosts.Host(new Target() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Agent connect() throws TargetException, InterruptedException {
                connected.add(Agent.connect(fake.start()));
                return connected.getLast();
            }
        }, SHOP);
    }

    private static ConnectedHosts.Host unreachable(String name) {
        return new ConnectedHosts.Host(new Target() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Agent connect() throws TargetException {
                throw new TargetException(TargetException.Kind.NOT_REACHED, "Nobody answers");
            }
        }, SHOP);
    }

    private void assertNobodyIsConnected() {
        assertThat(connected).allSatisfy(agent -> assertThatThrownBy(agent::processes).hasMessageContaining("disconnected"));
    }

    @Test
    void oneThatIsNotReachedLeavesNoneConnected() {
        assertThatThrownBy(() -> ConnectedHosts.connect(List.of(host("web-1", new FakeAgent()), unreachable("web-2"),
                host("web-3", new FakeAgent())), target -> told.add(target.name()))).hasMessage("web-2: Nobody answers");
        assertThat(told).containsExactly("web-1", "web-2");
        assertThat(connected).hasSize(1);
        assertNobodyIsConnected();
        assertThatThrownBy(() -> ConnectedHosts.connect(List.of(unreachable("web-2")), _ -> { })).hasMessage("Nobody answers");
    }

    @Test
    void whoBreaksOffBetweenTwoLeavesNoneConnected() {
        assertThatThrownBy(() -> ConnectedHosts.connect(List.of(host("web-1", new FakeAgent()),
                host("web-2", new FakeAgent())), target -> {
                    if (target.name().equals("web-2")) {
                        throw new CancellationException();
                    }
                })).isInstanceOf(CancellationException.class);
        assertThat(connected).hasSize(1);
        assertNobodyIsConnected();
    }

    @Test
    void aStartThatIsInterruptedLeavesNothing() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        FakeAgent fake = new FakeAgent().on(BodyCase.LIST_PROCESSES, _ -> {
            asked.countDown();
            return null; // It leaves that unanswered.
        });
        Path session = folder.resolve("s.kview");
        RecordingRequest request = new RecordingRequest(List.of(ProbeSpec.parse("shop:pay").orElseThrow()), List.of(),
                session, RecordingOptions.DEFAULT);
        try (ConnectedHosts hosts = ConnectedHosts.connect(List.of(host("web-1", fake)), _ -> { })) {
            FutureTask<RunningRecording> start = new FutureTask<>(() -> hosts.start(request, new RecordingObserver() { }));
            Thread thread = Thread.ofPlatform().start(start);
            asked.await();
            thread.interrupt();
            assertThatThrownBy(start::get).hasCauseInstanceOf(InterruptedException.class);
            assertNobodyIsConnected();
            assertThat(session).doesNotExist();
        }
    }
}
