// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.MeasureWayReply;
import org.kview.wire.proto.OperationRounds;
import org.kview.wire.proto.ToAgent.BodyCase;
import org.kview.wire.proto.Way;

/** A host on which ways to record cost what a test says. */
final class WaysHost implements Target {
    private static final int ROUNDS = 12;
    private static final int EACH = 10;
    private static final long UNTOUCHED_NS = 200;

    private final List<Way> asked = new CopyOnWriteArrayList<>();
    private final Function<Way, FromAgent.Builder> answer;

    WaysHost(Function<Way, FromAgent.Builder> answer) {
        this.answer = answer;
    }

    /** Each call took so much longer. */
    static FromAgent.Builder costs(long traced, long others) {
        return FromAgent.newBuilder().setMeasureWay(MeasureWayReply.newBuilder().setCallsMade(1).setCallsSeen(1)
                .addTraced(rounds("read()", traced)).addTraced(rounds("switch", 2 * traced))
                .addOthers(rounds("read()", others)).addOthers(rounds("switch", 2 * others)));
    }

    static FromAgent.Builder missing(String sentence) {
        return FromAgent.newBuilder().setMeasureWay(MeasureWayReply.newBuilder().setMissing(sentence));
    }

    private static OperationRounds.Builder rounds(String name, long more) {
        List<Long> around = Collections.nCopies(ROUNDS, UNTOUCHED_NS * EACH);
        return OperationRounds.newBuilder().setName(name).setOperations(EACH).addAllBeforeNs(around)
                .addAllDuringNs(Collections.nCopies(ROUNDS, (UNTOUCHED_NS + more) * EACH)).addAllAfterNs(around);
    }

    List<Way> asked() {
        return asked;
    }

    @Override
    public String name() {
        return "web-3";
    }

    @Override
    public Agent connect() throws TargetException, InterruptedException {
        FakeAgent agent = new FakeAgent();
        agent.on(BodyCase.MEASURE_WAY, request -> {
            asked.add(request.getMeasureWay().getWay());
            return answer.apply(request.getMeasureWay().getWay());
        });
        return Agent.connect(agent.start());
    }
}
