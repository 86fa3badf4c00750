// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.kview.model.Filter;
import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.targets.values.LaunchSpec;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.EventPacket;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.LaunchReply;
import org.kview.wire.proto.Losses;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.ProcessExited;
import org.kview.wire.proto.ProcessOutput;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.ResumeReply;
import org.kview.wire.proto.StartRecordingReply;

import com.google.protobuf.ByteString;

/**
 * All that an honest agent says in a recording of a launched program, in the order of the requests
 * that it answers: the seed of all mutations.
 */
final class Conversation {
    private static final int PID = 42;

    private Conversation() {
    }

    /** What is said after the first, second, … request. */
    static List<List<FromAgent>> honest() {
        List<List<FromAgent>> said = new ArrayList<>();
        said.add(List.of(reply(1).setHello(HelloReply.newBuilder().setProtocolVersion(1).setAgentVersion("1.0")
                .setHostname("web-3").setKernelRelease("6.18.0").setMachine("x86_64").setCpus(2)
                .addCapabilities(Capability.newBuilder().setName("uprobe").setAvailable(true).setRequired(true)
                        .setDetail("Probes can be set."))).build()));
        said.add(List.of(reply(2).setLaunch(LaunchReply.newBuilder().setPid(PID).setExecutable("/bin/shop")).build()));
        said.add(List.of(reply(3).setFindFunctions(FindFunctionsReply.newBuilder().setBinary("/bin/shop")
                .setTotalMatches(2).setBuildId("abcd").addFunctions(function("pay", 4096))
                .addFunctions(function("ship", 8192))).build()));
        said.add(List.of(reply(4).setStartRecording(StartRecordingReply.newBuilder().setStartNs(1000)
                .setFilter(org.kview.wire.proto.Filter.FILTER_IN).setFilterNote("Others pay little.")
                .setCtfMetadata("/* CTF 1.8 */\ntrace { major = 1; minor = 8; };\n").addProbes(probe(0))
                .addProbes(probe(1))).build()));
        List<FromAgent> last = new ArrayList<>();
        last.add(reply(5).setResume(ResumeReply.getDefaultInstance()).build());
        last.add(own().setProcessOutput(ProcessOutput.newBuilder().setPid(PID)
                .setData(ByteString.copyFromUtf8("hello\n"))).build());
        for (int i = 0; i < 3; i++) {
            last.add(own().setEventPacket(EventPacket.newBuilder().setCpu(i & 1).setPacket(packet(i & 1))).build());
            last.add(delta(i, i == 2));
        }
        last.add(own().setRecordingEnded(RecordingEnded.newBuilder()
                .setReason(RecordingEnded.Reason.PROCESS_ENDED).setEndNs(4_000_000).setAgentCpuNs(5000)).build());
        last.add(own().setProcessExited(ProcessExited.newBuilder().setPid(PID)).build());
        said.add(last);
        return said;
    }

    /** Of whom. */
    static ScopeSpec scope() {
        return new ScopeSpec.Launch(new LaunchSpec(List.of("shop"), Map.of(), ""));
    }

    /** What makes a client ask just so. */
    static RecordingRequest request(Path session) {
        return new RecordingRequest(List.of(ProbeSpec.parse("shop:*").orElseThrow()), List.of(), session,
                new RecordingOptions.Builder().events(true).build());
    }

    private static FromAgent.Builder reply(int id) {
        return FromAgent.newBuilder().setRequestId(id);
    }

    private static FromAgent.Builder own() {
        return FromAgent.newBuilder();
    }

    private static Function function(String name, long offset) {
        return Function.newBuilder().setName(name).setSymbol(name).setBinary("/bin/shop").setFileOffset(offset)
                .setAddress(offset).setSizeBytes(100).setProbeable(true).setPredictedCostNs(1500).build();
    }

    private static AttachedProbe probe(int id) {
        return AttachedProbe.newBuilder().setFunctionId(id).setInnerCostNs(20).setCallCostNs(1500).build();
    }

    private static FromAgent delta(int number, boolean last) {
        HistogramDelta.Builder delta = HistogramDelta.newBuilder().setBeginNs(1000 + number * 1_000_000L)
                .setEndNs(1_001_000 + number * 1_000_000L).setLast(last).setLosses(Losses.newBuilder());
        for (int id = 0; id < 2; id++) {
            delta.addFunctions(FunctionDelta.newBuilder().setFunctionId(id).setCalls(2L * (number + 1))
                    .addMetrics(metric(Metric.WALL)).addMetrics(metric(Metric.ON_CPU)));
        }
        return own().setHistogramDelta(delta).build();
    }

    private static MetricDelta metric(Metric metric) {
        return MetricDelta.newBuilder().setMetric(metric).setCount(2).setTotalNs(70).setMaxNs(35).addBucketIndex(33)
                .addBucketCount(2).build();
    }

    /** The frame of a CTF packet without events; see trace.tsdl. */
    private static ByteString packet(int cpu) {
        ByteBuffer bytes = ByteBuffer.allocate(76).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0, 0xC1FC1FC1).putInt(20, 0).putLong(24, 2000).putLong(32, 3000).putLong(40, 76 * 8)
                .putLong(48, 76 * 8).putInt(72, cpu);
        return ByteString.copyFrom(bytes.array());
    }
}
