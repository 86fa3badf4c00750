// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbeWay;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** What is refused before anything is measured, where only some calls are to be. */
@Timeout(300)
class ConditionRecordingTest {
    private static final int PID = 42;

    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final RecordingObserver observer = new RecordingObserver() {};
    private Agent agent;

    @AfterEach
    void disconnect() {
        agent.close();
    }

    private RecordingRequest request(String conditions, RecordingOptions.Builder options) throws Exception {
        return new RecordingRequest(List.of(ProbeSpec.parse("shop:price_total").orElseThrow()), List.of(), folder.resolve("s.kview"),
                options.conditions(CallConditions.parse(conditions)).build());
    }

    private void connect(boolean hasConditions, String... more) throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).addArguments("/bin/shop"))));
        fake.on(BodyCase.FIND_FUNCTIONS, RecorderTest::functions);
        if (hasConditions) {
            fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                    .addAllCapabilities(Stream.concat(Stream.of("conditions"), Stream.of(more))
                            .map(name -> Capability.newBuilder().setName(name).setAvailable(true).build()).toList())));
        }
        agent = Agent.connect(fake.start());
    }

    private void isRefused(RecordingRequest request, String why) {
        assertThatThrownBy(() -> new Recorder(agent, "local").start(new ScopeSpec.Attach(PID), request, observer))
                .isInstanceOf(TargetException.class).hasMessageContaining(why);
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }

    /** It would measure all calls. */
    @Test
    void anAgentThatDoesNotKnowConditionsIsNotAsked() throws Exception {
        connect(false);
        isRefused(request("arg0 > 1", new RecordingOptions.Builder()), "measures all calls");
    }

    @Test
    void oneForAFunctionThatIsNotMeasuredWasMeantForAnother() throws Exception {
        connect(true);
        isRefused(request("price: arg0 > 1", new RecordingOptions.Builder()), "A condition is for price, and no function of that name");
    }

    @Test
    void thereAreNoneByJumps() throws Exception {
        connect(true);
        isRefused(request("arg0 > 1", new RecordingOptions.Builder().way(ProbeWay.JUMP)), "Jumps count every call");
    }

    @Test
    void whatCallsReturnIsNotKnownToEvents() throws Exception {
        connect(true);
        isRefused(request("retval < 0", new RecordingOptions.Builder().events(true)), "without events");
    }

    private RecordingRequest splitting(String by, RecordingOptions.Builder options) throws Exception {
        return request("", options.splits(CallSplits.parse(by)));
    }

    @Test
    void figuresAreSplitWhereTheAgentKnowsHow() throws Exception {
        connect(true);
        isRefused(splitting("arg1", new RecordingOptions.Builder()), "The agent there splits no figures by values");
    }

    @Test
    void splitsAreOfFunctionsThatAreMeasuredByTraps() throws Exception {
        connect(true, "splits");
        isRefused(splitting("price: arg1", new RecordingOptions.Builder()), "A value is for price, and no function of that name");
        isRefused(splitting("arg1", new RecordingOptions.Builder().way(ProbeWay.JUMP)), "Jumps count calls whatever their values");
    }
}
