// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.Filter;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Scope;
import org.kview.model.ValueFigures;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.ConditionTest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.Split;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.ValueDelta;

import com.google.protobuf.ByteString;

/** Figures by a value, as agents are asked for them and tell them. */
class WireSplitsTest {
    private static final FunctionInfo PAY = new FunctionInfo("pay", new ProbePoint.UserFunction("/bin/shop", "pay", 1, 1, 1),
            FunctionInfo.Language.CPP, true, "", new FunctionInfo.Ends(ExitKind.URETPROBE, 0, List.of()),
            new FunctionInfo.Price(InstructionCost.UNKNOWN, InstructionCost.UNKNOWN, 0), List.of(), 0);
    private static final FunctionInfo READ = FunctionInfo.of(new ProbePoint.SystemCall("read"));

    private static RecordingSpec spec(String by) throws Exception {
        return new RecordingSpec(List.of(new Scope.Process(5, 0)), List.of(PAY, READ), false, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false, ProbeWay.AUTO, false, false, CallConditions.NONE, Map.of(), CallSplits.parse(by));
    }

    @Test
    void areAskedForAsTheyAreWritten() throws Exception {
        var request = WireRecording.request(spec("pay: (int8) arg2 & 15; syscall:read: retval"), Duration.ZERO);
        assertThat(request.getProbes(0).getSplit()).isEqualTo(Split.newBuilder().setField(ConditionTest.Field.ARGUMENT).setArgument(2).setBits(8)
                .setSign(ConditionTest.Sign.SIGNED).setMask(15).build());
        assertThat(request.getProbes(1).getSplit().getSign()).as("the kernel returns a long").isEqualTo(ConditionTest.Sign.SIGNED);
        assertThat(WireRecording.request(spec("pay: retval"), Duration.ZERO).getProbes(0).getSplit().getSign()).isEqualTo(ConditionTest.Sign.SIGNED_INT);
        assertThat(WireRecording.request(spec("pay: retval"), Duration.ZERO).getProbes(1).hasSplit()).isFalse();
    }

    /** Else it would seem that no value occurred. */
    @Test
    void anAgentThatDoesNotKnowThemIsRefused() throws Exception {
        var reply = StartRecordingReply.newBuilder().addProbes(AttachedProbe.newBuilder().setSplit(true))
                .addProbes(AttachedProbe.newBuilder().setFunctionId(1).setMeasured(3));
        assertThat(WireRecording.started(FromAgent.newBuilder().setStartRecording(reply).build(), spec("pay: comm")).functions())
                .extracting(f -> f.by()).containsExactly("comm", "");
        reply.getProbesBuilder(0).setSplit(false);
        assertThatThrownBy(() -> WireRecording.started(FromAgent.newBuilder().setStartRecording(reply).build(), spec("pay: comm")))
                .isInstanceOf(TargetException.class).hasMessageContaining("does not split the figures of pay");
    }

    private static ValueDelta.Builder value(ValueDelta.Which which) {
        return ValueDelta.newBuilder().setWhich(which).setUncertainNs(3).addMetrics(MetricDelta.newBuilder().setMetric(org.kview.wire.proto.Metric.WALL)
                .setCount(1).setTotalNs(7).setMaxNs(7).addBucketIndex(7).addBucketCount(1));
    }

    private static List<ValueFigures> told(ValueDelta.Builder... values) {
        FunctionDelta.Builder function = FunctionDelta.newBuilder();
        for (ValueDelta.Builder value : values) {
            function.addValues(value);
        }
        return WireFigures.interval(HistogramDelta.newBuilder().addFunctions(function).build()).functions().getFirst().values();
    }

    @Test
    void areWhatTheAgentTells() {
        Distribution seven = new Distribution.Builder().add(7).build();
        assertThat(told(value(ValueDelta.Which.NUMBER).setNumber(-5), value(ValueDelta.Which.OTHERS), value(ValueDelta.Which.UNKNOWN),
                value(ValueDelta.Which.THREAD_NAME).setThreadName(ByteString.copyFromUtf8("w-1")))).containsExactlyInAnyOrderElementsOf(
                        List.of(CallValue.of(-5), CallValue.of(CallValue.Kind.OTHERS), CallValue.of(CallValue.Kind.UNKNOWN), CallValue.ofThread("w-1")).stream()
                                .map(value -> new ValueFigures(value, Map.of(Metric.WALL, seven), 3)).toList());
    }

    /** Bytes that are no text, of two threads; and what can't be. */
    @Test
    void aHostMaySendAnything() {
        List<ValueFigures> one = told(value(ValueDelta.Which.THREAD_NAME).setThreadName(ByteString.copyFrom(new byte[] {'a', (byte) 0xff})),
                value(ValueDelta.Which.THREAD_NAME).setThreadName(ByteString.copyFrom(new byte[] {'a', (byte) 0xfe})));
        assertThat(one).singleElement().satisfies(sum -> assertThat(sum.distribution(Metric.WALL).count()).isEqualTo(2));
        assertThatThrownBy(() -> told(value(ValueDelta.Which.NUMBER).setUncertainNs(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> told(value(ValueDelta.Which.NUMBER).addMetrics(MetricDelta.newBuilder().setCount(3))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
