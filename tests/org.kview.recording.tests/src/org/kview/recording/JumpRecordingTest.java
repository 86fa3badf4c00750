// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbeWay;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.ToAgent;

/** What is refused before anything is changed, where functions are to be measured by jumps. */
@Timeout(300)
class JumpRecordingTest {
    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final RecordingObserver observer = new RecordingObserver() {};
    private Agent agent;

    @AfterEach
    void disconnect() {
        agent.close();
    }

    private RecordingRequest request() {
        return new RecordingRequest(List.of(ProbeSpec.parse("shop:pay").orElseThrow()), List.of(), folder.resolve("s.kview"),
                new RecordingOptions.Builder().way(ProbeWay.JUMP).build());
    }

    /** It would measure by traps, which cost the process a hundred times as much. */
    @Test
    void anAgentThatDoesNotKnowJumpsIsNotAsked() throws Exception {
        agent = Agent.connect(fake.start());
        assertThatThrownBy(() -> new Recorder(agent, "local").start(new ScopeSpec.Attach(42), request(), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining("does not measure by jumps");
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }
}
