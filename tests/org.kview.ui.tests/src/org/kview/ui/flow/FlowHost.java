// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.EndFlowReply;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** A host whose agent answers what a guest's did. */
final class FlowHost implements Target {
    static final int CAT = 172;

    private final List<FlowRequest> asked = new CopyOnWriteArrayList<>();
    private volatile Supplier<FromAgent.Builder> answer;
    /** The number of the request that is not answered yet. */
    private volatile Optional<ToAgent> pending = Optional.empty();
    private volatile int endsTooEarly;
    private volatile FlowReply ended = FlowReply.getDefaultInstance();

    /** Answers at once. */
    FlowHost answers(FlowReply reply) {
        answer = () -> FromAgent.newBuilder().setFlow(reply);
        return this;
    }

    FlowHost refuses(Error.Code code, String sentence) {
        answer = () -> error(code, sentence);
        return this;
    }

    /**
     * Answers when it is ended.
     *
     * @param early so many requests to end it come before it has begun
     */
    FlowHost waits(FlowReply reply, int early) {
        answer = () -> null;
        ended = reply;
        endsTooEarly = early;
        return this;
    }

    private static FromAgent.Builder error(Error.Code code, String sentence) {
        return FromAgent.newBuilder().setError(Error.newBuilder().setCode(code).setMessage(sentence));
    }

    /** What it was asked to follow. */
    List<FlowRequest> asked() {
        return asked;
    }

    @Override
    public String name() {
        return "guest";
    }

    @Override
    public Agent connect() throws TargetException, InterruptedException {
        FakeAgent agent = new FakeAgent();
        agent.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(CAT).setName("cat").addArguments("cat").setThreads(1))));
        agent.on(BodyCase.FLOW, request -> {
            asked.add(request.getFlow());
            pending = Optional.of(request);
            return answer.get();
        });
        agent.on(BodyCase.END_FLOW, _ -> {
            if (endsTooEarly-- > 0) {
                return error(Error.Code.BAD_REQUEST, "No system call is followed.");
            }
            agent.send(FromAgent.newBuilder().setRequestId(pending.orElseThrow().getRequestId()).setFlow(ended));
            return FromAgent.newBuilder().setEndFlow(EndFlowReply.getDefaultInstance());
        });
        return Agent.connect(agent.start());
    }
}
