// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Binary;
import org.kview.wire.proto.EndSurveyReply;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.SurveyFunction;
import org.kview.wire.proto.SurveyQuality;
import org.kview.wire.proto.SurveyReply;
import org.kview.wire.proto.SurveyThread;
import org.kview.wire.proto.SurveyTime;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** What the agent of {@link FakeHost} finds by surveys: its shop waits for a lock in a function, and computes in another one. */
final class FakeSurvey {
    private static final long SECOND = 1_000_000_000L;
    /** The first two never return. */
    private static final List<String> NAMES = List.of("main", "serve", "price_basket", "flush_cache", "start_of_all");

    private volatile boolean held;
    private volatile boolean refused;
    private volatile int heldRequest;

    /** Answers no survey any more before its end is asked for. */
    void hold() {
        held = true;
    }

    void refuse() {
        refused = true;
    }

    void serve(FakeAgent fake) {
        fake.on(BodyCase.SURVEY, this::answer);
        fake.on(BodyCase.END_SURVEY, _ -> {
            if (heldRequest != 0) {
                fake.send(FromAgent.newBuilder().setRequestId(heldRequest).setSurvey(reply().setNote("It was ended early.")));
            }
            return FromAgent.newBuilder().setEndSurvey(EndSurveyReply.getDefaultInstance());
        });
    }

    private FromAgent.Builder answer(ToAgent request) {
        if (refused) {
            return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_PERMISSION)
                    .setMessage("It may not be surveyed."));
        }
        if (held) {
            heldRequest = request.getRequestId();
            return null;
        }
        return FromAgent.newBuilder().setSurvey(reply());
    }

    /** Ten seconds of two threads. */
    private static SurveyReply.Builder reply() {
        SurveyReply.Builder reply = SurveyReply.newBuilder().setBeginNs(SECOND).setEndNs(6 * SECOND)
                .setProcess(Process.newBuilder().setPid(FakeHost.SHOP_PID).addArguments("/srv/shop/checkout"))
                .addFiles(Binary.newBuilder().setPath("/srv/shop/checkout"))
                .addThreads(SurveyThread.newBuilder().setTid(1).setName("worker").setOnCpuNs(SECOND).addCauses(Metric.LOCK)
                        .addWaitedNs(4 * SECOND))
                .addThreads(SurveyThread.newBuilder().setTid(2).setName("disk").addCauses(Metric.BLOCK_IO).addWaitedNs(5 * SECOND))
                .setQuality(SurveyQuality.newBuilder().setStacks(1000).setCompleteStacks(1000));
        NAMES.forEach(name -> reply.addFunctions(SurveyFunction.newBuilder().setName(name).setSymbol(name).setFile(1)));
        // The start of all, main, serve and what it calls.
        reply.addParents(0).addNodeFunctions(0).addParents(0).addNodeFunctions(0).addParents(1).addNodeFunctions(1)
                .addParents(2).addNodeFunctions(2).addParents(2).addNodeFunctions(3).addParents(2).addNodeFunctions(4);
        return reply.addTimes(time(3, 1, Metric.LOCK, 4 * SECOND)).addTimes(time(4, 2, Metric.BLOCK_IO, 5 * SECOND / 2))
                .addTimes(time(5, 2, Metric.BLOCK_IO, 5 * SECOND / 2)).addTimes(time(2, 1, Metric.ON_CPU, SECOND));
    }

    private static SurveyTime time(int node, int tid, Metric metric, long nanos) {
        return SurveyTime.newBuilder().setNode(node).setTid(tid).setMetric(metric).setTimeNs(nanos).setStacks(9).build();
    }
}
