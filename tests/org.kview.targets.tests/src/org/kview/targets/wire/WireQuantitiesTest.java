// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Distribution;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Quantity;
import org.kview.model.Scope;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.QuantityDelta;
import org.kview.wire.proto.StartRecordingReply;

/** What calls take beside time, as agents are asked for it and tell it. */
class WireQuantitiesTest {
    private static final FunctionInfo PAY = new FunctionInfo("pay", new ProbePoint.UserFunction("/bin/shop", "pay", 1, 1, 1),
            FunctionInfo.Language.CPP, true, "", new FunctionInfo.Ends(ExitKind.URETPROBE, 0, List.of()),
            new FunctionInfo.Price(InstructionCost.UNKNOWN, InstructionCost.UNKNOWN, 0), List.of(), 0);

    private static RecordingSpec spec(String... measures) {
        return new RecordingSpec(List.of(new Scope.Process(5, 0)), List.of(PAY), false, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false, ProbeWay.AUTO, false, false, CallConditions.NONE, Map.of(), CallSplits.NONE, List.of(measures));
    }

    private static org.kview.wire.proto.Quantity quantity(String id) {
        return org.kview.wire.proto.Quantity.newBuilder().setId(id).setTitle("of " + id).setUnit(org.kview.wire.proto.Quantity.Unit.BYTES).setOf("requests").build();
    }

    private static List<Quantity> told(RecordingSpec spec, String... ids) throws TargetException {
        var reply = StartRecordingReply.newBuilder().addProbes(AttachedProbe.newBuilder().addAllQuantities(
                Stream.of(ids).map(WireQuantitiesTest::quantity).toList()));
        return WireRecording.started(FromAgent.newBuilder().setStartRecording(reply).build(), spec).functions().getFirst().quantities();
    }

    @Test
    void areAskedForByName() {
        assertThat(WireRecording.request(spec("alloc", "io"), Duration.ZERO).getMeasuresList()).containsExactly("alloc", "io");
        assertThat(WireRecording.request(spec(), Duration.ZERO).getMeasuresList()).isEmpty();
    }

    @Test
    void theAgentSaysWhatItCounts() throws Exception {
        assertThat(told(spec("io"), "read", "written")).containsExactly(new Quantity("read", "of read", Quantity.Unit.BYTES, "requests"),
                new Quantity("written", "of written", Quantity.Unit.BYTES, "requests"));
        assertThat(told(spec())).isEmpty();
    }

    /** Else it would seem that no call took any. */
    @Test
    void anAgentThatDoesNotKnowThemIsRefused() {
        assertThatThrownBy(() -> told(spec("io"))).isInstanceOf(TargetException.class).hasMessageContaining("does not count what calls of pay take");
        assertThatThrownBy(() -> told(spec(), "read")).isInstanceOf(TargetException.class);
        assertThatThrownBy(() -> told(spec("io"), "read", "read")).isInstanceOf(TargetException.class).hasMessageContaining("twice");
        assertThatThrownBy(() -> told(spec("io"), "../read")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHostSaysWhatItHas() {
        HostInfo host = new HostInfo("h", "6.18", "x86_64", 2, 0, "1", 0, List.of(new HostInfo.Capability("measure-alloc", true, "It does.", false),
                new HostInfo.Capability("measure-counters", false, "This host has no hardware counters.", false)), "", "");
        assertThat(host.whyNoMeasure("alloc")).isEmpty();
        assertThat(host.whyNoMeasure("counters")).contains("This host has no hardware counters");
        assertThat(host.whyNoMeasure("moons")).contains("The agent there measures no 'moons' within calls: it has alloc, counters");
        assertThat(new HostInfo("h", "6.18", "x86_64", 2, 0, "1", 0, List.of(), "", "").whyNoMeasure("alloc").orElseThrow()).contains("install the agent");
    }

    private static QuantityDelta.Builder delta(String id) {
        return QuantityDelta.newBuilder().setId(id).setFigures(MetricDelta.newBuilder().setCount(1).setTotalNs(7).setMaxNs(7)
                .addBucketIndex(7).addBucketCount(1));
    }

    private static Map<String, Distribution> interval(QuantityDelta.Builder... deltas) {
        FunctionDelta.Builder function = FunctionDelta.newBuilder();
        Stream.of(deltas).forEach(function::addQuantities);
        return WireFigures.interval(HistogramDelta.newBuilder().addFunctions(function).build()).functions().getFirst().quantities();
    }

    @Test
    void areWhatTheAgentTells() {
        assertThat(interval(delta("read"), delta("written"))).isEqualTo(Map.of("read", new Distribution.Builder().add(7).build(),
                "written", new Distribution.Builder().add(7).build()));
        assertThatThrownBy(() -> interval(delta("read"), delta("read"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> interval(delta("read").setFigures(MetricDelta.newBuilder().setCount(3)))).isInstanceOf(IllegalArgumentException.class);
    }
}
