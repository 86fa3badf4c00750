// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Kind;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.MeasureWayReply;
import org.kview.wire.proto.OperationRounds;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;
import org.kview.wire.proto.Way;

@Timeout(300)
class WaysComparisonTest {
    private static final int ROUNDS = 12;
    private static final int EACH = 10;

    private final FakeAgent fake = new FakeAgent();
    private Agent agent;

    @BeforeEach
    void connect() throws Exception {
        fake.on(BodyCase.MEASURE_WAY, request -> FromAgent.newBuilder().setMeasureWay(reply(request.getMeasureWay().getWay())));
        agent = Agent.connect(fake.start());
    }

    @AfterEach
    void disconnect() {
        agent.close();
    }

    private static MeasureWayReply.Builder reply(Way way) {
        return switch (way) {
            case WAY_CALL_IN -> found(440, 140).setAttachedNs(20_000_000).setCallsMade(720).setCallsSeen(800);
            case WAY_CALL_POST -> found(260, 261).setAttachedNs(30_000_000).setCallsMade(720).setCallsSeen(700).setTold(5000).setNotTold(40);
            case WAY_FUNCTION_MULTI -> found(0, 0).setCallsMade(720).setCallsSeen(3);
            default -> MeasureWayReply.newBuilder().setMissing("There is no module: load it.");
        };
    }

    /** Ten times the call in a batch; nothing varies, but for one batch in which something else came. */
    private static MeasureWayReply.Builder found(long traced, long others) {
        return MeasureWayReply.newBuilder().addTraced(rounds(200, traced)).addOthers(rounds(200, others));
    }

    private static OperationRounds.Builder rounds(long untouched, long more) {
        List<Long> around = Collections.nCopies(ROUNDS, untouched * EACH);
        List<Long> during = new ArrayList<>(Collections.nCopies(ROUNDS, (untouched + more) * EACH));
        during.set(3, 9_000_000L);
        return OperationRounds.newBuilder().setName("read()").setOperations(EACH).addAllBeforeNs(around).addAllDuringNs(during)
                .addAllAfterNs(around);
    }

    private Optional<ComparedWays> compare(EnumSet<Kind> kinds, WaysComparison.Progress progress) throws Exception {
        return WaysComparison.run(agent, "web-3", kinds, progress);
    }

    private List<Way> tried() {
        return fake.received().stream().filter(ToAgent::hasMeasureWay).map(request -> request.getMeasureWay().getWay()).toList();
    }

    @Test
    void waysAreTriedInTurnAndJudgedTogether() throws Exception {
        List<String> told = new ArrayList<>();
        ComparedWays ways = compare(EnumSet.of(Kind.CALL_VIEW, Kind.CALL_IN, Kind.CALL_POST), (kind, done, trials) -> {
            told.add(kind + " " + done + "/" + trials);
            return true;
        }).orElseThrow();
        assertThat(tried()).startsWith(Way.WAY_CALL_VIEW, Way.WAY_CALL_IN, Way.WAY_CALL_POST, Way.WAY_CALL_IN, Way.WAY_CALL_POST).hasSize(11);
        assertThat(told).first().isEqualTo("CALL_VIEW 0/15");
        assertThat(told).last().isEqualTo("CALL_POST 10/11");
        assertThat(ways.kernel()).isEqualTo("6.18.0");
        assertThat(ways.ways()).extracting(ComparedWays.Way::kind).containsExactly(Kind.CALL_VIEW, Kind.CALL_IN, Kind.CALL_POST);
        assertThat(ways.ways().get(0).missing()).isEqualTo("There is no module: load it.");
        ComparedWays.Way in = ways.ways().get(1);
        ComparedWays.Cost cost = in.costs().getFirst();
        assertThat(in.attachedNanos()).isEqualTo(100_000_000);
        assertThat(cost.rounds()).isEqualTo(60);
        assertThat(cost.untouchedNanos()).isEqualTo(200);
        assertThat(cost.traced().orElseThrow().nanos()).isEqualTo(440);
        assertThat(cost.others().orElseThrow().nanos()).isEqualTo(140);
        assertThat(cost.others().orElseThrow().isToldApart()).isTrue();
        assertThat(ways.ways().get(2).note()).contains("25,000 beginnings and ends", "For 200 more there was no room");
    }

    /** It would seem to cost nothing. */
    @Test
    void aWayThatDoesNotSeeTheCallsHasNoCosts() throws Exception {
        ComparedWays.Way way = compare(EnumSet.of(Kind.FUNCTION_MULTI), (_, _, _) -> true).orElseThrow().ways().getFirst();
        assertThat(way.costs()).isEmpty();
        assertThat(way.missing()).contains("saw 15 of 3,600 calls");
    }

    @Test
    void whoEndsItEarlyHasNothingMoreTried() throws Exception {
        assertThat(compare(EnumSet.of(Kind.CALL_IN), (_, done, _) -> done < 2)).isEmpty();
        assertThat(tried()).hasSize(2);
    }

    @Test
    void anAgentThatIsTooOldIsSaidToBe() {
        fake.refuse(BodyCase.MEASURE_WAY, Error.Code.BAD_REQUEST, "This agent does not know the request: use the agent that came with it.");
        assertThatThrownBy(() -> compare(EnumSet.of(Kind.CALL_IN), (_, _, _) -> true)).isInstanceOf(TargetException.class)
                .hasMessageContaining("too old to compare ways");
    }

    @Test
    void whatCantBeRightIsRefused() {
        fake.on(BodyCase.MEASURE_WAY, _ -> FromAgent.newBuilder().setMeasureWay(found(1, 1).addTraced(rounds(1, 1)).setCallsMade(1)));
        assertThatThrownBy(() -> compare(EnumSet.of(Kind.CALL_IN), (_, _, _) -> true)).isInstanceOf(TargetException.class)
                .hasMessageContaining("can't be right");
    }

    /** All pairs of rounds are compared: of many of them, that takes all memory. */
    @Test
    void roundsThatNoAgentMakesAreRefused() {
        List<Long> many = Collections.nCopies(65, 2000L);
        OperationRounds.Builder rounds = rounds(200, 1).clearBeforeNs().addAllBeforeNs(many);
        fake.on(BodyCase.MEASURE_WAY, _ -> FromAgent.newBuilder().setMeasureWay(MeasureWayReply.newBuilder().addTraced(rounds)
                .addOthers(rounds).setCallsMade(1).setCallsSeen(1)));
        assertThatThrownBy(() -> compare(EnumSet.of(Kind.CALL_IN), (_, _, _) -> true)).isInstanceOf(TargetException.class)
                .hasMessageContaining("can't be right");
    }

    @Test
    void operationsThatNoAgentTriesAreRefused() {
        MeasureWayReply.Builder reply = MeasureWayReply.newBuilder().setCallsMade(1).setCallsSeen(1);
        for (int i = 0; i < 9; i++) {
            reply.addTraced(rounds(200, 1)).addOthers(rounds(200, 1));
        }
        fake.on(BodyCase.MEASURE_WAY, _ -> FromAgent.newBuilder().setMeasureWay(reply));
        assertThatThrownBy(() -> compare(EnumSet.of(Kind.CALL_IN), (_, _, _) -> true)).isInstanceOf(TargetException.class)
                .hasMessageContaining("can't be right");
    }
}
