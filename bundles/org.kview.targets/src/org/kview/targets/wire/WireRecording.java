// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.kview.model.CallCondition;
import org.kview.model.CallSplit;
import org.kview.model.Filter;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction;
import org.kview.model.Provenance;
import org.kview.model.Quantity;
import org.kview.model.Scope;
import org.kview.model.Waits;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.CgroupScope;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelFunction;
import org.kview.wire.proto.Probe;
import org.kview.wire.proto.ProcessScope;
import org.kview.wire.proto.ProcessTreeScope;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.StaticPair;
import org.kview.wire.proto.StaticProbe;
import org.kview.wire.proto.SystemCall;
import org.kview.wire.proto.Tracepoint;
import org.kview.wire.proto.UserFunction;

/** Converts between messages and values: how a recording starts and ends. */
public final class WireRecording {
    private WireRecording() {
    }

    public static StartRecordingRequest request(RecordingSpec spec, Duration grace) {
        var request = StartRecordingRequest.newBuilder().setEvents(spec.events())
                .setFilter(filter(spec.filter())).setIntervalMs((int) spec.interval().toMillis())
                .setGraceMs((int) grace.toMillis()).setBudgetPpm(spec.budget().ppm())
                .setForceReturnProbes(spec.forceReturnProbes()).setProbeWay(way(spec.way()))
                .setWaits(spec.waits()).setCostToOthers(spec.costToOthers())
                .addAllMeasures(spec.measures());
        spec.scopes().forEach(scope -> request.addScopes(scope(scope)));
        if (spec.scopes().size() == 1) {
            request.setPid((int) lookedUpIn(spec.scopes().getFirst())); // the only way that older agents know
        }
        int id = 0;
        for (FunctionInfo function : spec.functions()) {
            Probe.Builder probe = probe(function).setFunctionId(id++);
            if (function.point() instanceof ProbePoint.UserFunction f) {
                probe.setPid(spec.owners().getOrDefault(f.binary(), 0L).intValue());
            }
            spec.conditions().of(function.name()).ifPresent(condition -> probe.setCondition(
                    function.point() instanceof ProbePoint.SystemCall ? WireConditions.ofSystemCall(condition) : WireConditions.message(condition)));
            spec.splits().of(function.name()).ifPresent(split -> probe.setSplit(
                    function.point() instanceof ProbePoint.SystemCall ? WireConditions.ofSystemCall(split) : WireConditions.message(split)));
            request.addProbes(probe);
        }
        return request.build();
    }

    private static org.kview.wire.proto.Scope scope(Scope scope) {
        return switch (scope) {
            case Scope.Process process -> org.kview.wire.proto.Scope.newBuilder().setProcess(ProcessScope.newBuilder()
                    .setPid((int) process.pid()).setStartTimeNs(process.startNanos())).build();
            case Scope.Cgroup cgroup -> org.kview.wire.proto.Scope.newBuilder()
                    .setCgroup(CgroupScope.newBuilder().setPath(cgroup.path())).build();
            case Scope.Tree tree -> org.kview.wire.proto.Scope.newBuilder().setProcessTree(ProcessTreeScope.newBuilder()
                    .setPid((int) tree.pid()).setStartTimeNs(tree.startNanos())).build();
            case Scope.Unknown _ ->
                throw new IllegalArgumentException("No agent measures a scope of this kind so far: " + scope.kind());
        };
    }

    private static long lookedUpIn(Scope scope) {
        return scope instanceof Scope.Cgroup cgroup ? cgroup.leader() : scope.pid();
    }

    private static Probe.Builder probe(FunctionInfo function) {
        return switch (function.point()) {
            case ProbePoint.UserFunction f -> Probe.newBuilder().setBinary(f.binary()).setSymbol(f.symbol())
                    .setFileOffset(f.fileOffset()).setUserFunction(UserFunction.getDefaultInstance());
            case ProbePoint.SystemCall call -> Probe.newBuilder()
                    .setSystemCall(SystemCall.newBuilder().setName(call.name()));
            case ProbePoint.KernelFunction f -> Probe.newBuilder()
                    .setKernelFunction(KernelFunction.newBuilder().setName(f.symbol()));
            case ProbePoint.Tracepoint point -> Probe.newBuilder()
                    .setTracepoint(Tracepoint.newBuilder().setCategory(point.category()).setName(point.name()));
            case ProbePoint.Usdt pair when pair.isPair() -> Probe.newBuilder().setBinary(pair.binary()).setStaticPair(StaticPair.newBuilder()
                    .setProvider(pair.provider()).setBegins(pair.begins()).setEnds(pair.ends()));
            case ProbePoint.Usdt usdt -> Probe.newBuilder().setBinary(usdt.binary())
                    .setStaticProbe(StaticProbe.newBuilder().setProvider(usdt.provider()).setName(usdt.name()));
            case ProbePoint.Unknown _ ->
                throw new IllegalArgumentException("No agent measures a point of this kind so far: " + function.name());
        };
    }

    private static org.kview.wire.proto.ProbeWay way(ProbeWay way) {
        return switch (way) {
            case AUTO -> org.kview.wire.proto.ProbeWay.PROBE_WAY_AUTO;
            case TRAP -> org.kview.wire.proto.ProbeWay.PROBE_WAY_TRAP;
            case JUMP -> org.kview.wire.proto.ProbeWay.PROBE_WAY_JUMP;
        };
    }

    public static RecordingStart started(FromAgent reply, RecordingSpec spec) throws TargetException {
        WireValues.expect(reply, FromAgent.BodyCase.START_RECORDING);
        var start = reply.getStartRecording();
        Map<Integer, AttachedProbe> attached = start.getProbesList().stream()
                .collect(Collectors.toMap(AttachedProbe::getFunctionId, Function.identity(), (a, b) -> b));
        if (spec.waits() && attached.values().stream().noneMatch(AttachedProbe::getWaits)) {
            throw new TargetException(Kind.UNSUPPORTED, "For what these functions wait can't be told: it takes functions that are"
                    + " measured by traps, and the agent that came with this workbench; record without waits");
        }
        List<ProbedFunction> functions = new ArrayList<>();
        for (FunctionInfo f : spec.functions()) {
            AttachedProbe probe = attached.get(functions.size());
            if (probe == null) {
                throw new TargetException(Kind.FAILED, "The agent did not say how it probes " + f.name()
                        + "; install the agent that came with this workbench");
            }
            if (spec.events() && f.point() instanceof ProbePoint.SystemCall && probe.getMeasured() == 0) {
                throw new TargetException(Kind.UNSUPPORTED, "This agent records no events of system calls;"
                        + " install the agent that came with this workbench, or record them without events");
            }
            functions.add(new ProbedFunction(functions.size(), f.name(), f.point(), mechanism(probe, f.point()), measured(probe, f.point()),
                    new ProbedFunction.Ends(WireValues.exit(probe.getExitKind()), probe.getGoesOnToList(), probe.getForced()),
                    new ProbedFunction.Cost(probe.getInnerCostNs(), probe.getCallCostNs()), f.inlinedPlaces(),
                    probe.getWaits() ? Waits.Told.YES : Waits.Told.NO, condition(spec, f, probe), split(spec, f, probe),
                    quantities(spec, f, probe)));
        }
        return new RecordingStart(start.getStartNs(), start.getRealtimeOffsetNs(), filter(start.getFilter()),
                start.getFilterNote(), start.getAttachNs(), functions, start.getCtfMetadata(),
                start.getCalibrationNote(), start.getWaitsNote(), start.hasProcess() ? Optional.of(WireValues.process(start.getProcess()))
                        : Optional.empty(), start.getBinariesList().stream()
                                .map(b -> new Provenance.Binary(b.getPath(), b.getBuildId())).toList());
    }

    /** An agent that does not know conditions would measure all calls, and nothing would tell these from the others. */
    private static String condition(RecordingSpec spec, FunctionInfo function, AttachedProbe probe) throws TargetException {
        Optional<CallCondition> condition = spec.conditions().of(function.name());
        if (condition.isPresent() != probe.getConditional()) {
            throw new TargetException(Kind.UNSUPPORTED, condition.isPresent() ? "This agent measures all calls of " + function.name()
                    + ", whatever the condition; install the agent that came with this workbench"
                    : "The agent says that it measures " + function.name() + " by a condition, which it was not asked for");
        }
        return condition.map(CallCondition::text).orElse("");
    }

    /** An agent that does not know splits would tell of no values. */
    private static String split(RecordingSpec spec, FunctionInfo function, AttachedProbe probe) throws TargetException {
        Optional<CallSplit> split = spec.splits().of(function.name());
        if (split.isPresent() && !probe.getSplit()) {
            throw new TargetException(Kind.UNSUPPORTED, "This agent does not split the figures of " + function.name()
                    + " by a value; install the agent that came with this workbench");
        }
        return split.map(CallSplit::text).orElse("");
    }

    /** An agent that does not know measures would count nothing. */
    private static List<Quantity> quantities(RecordingSpec spec, FunctionInfo function, AttachedProbe probe) throws TargetException {
        if (spec.measures().isEmpty() != (probe.getQuantitiesCount() == 0)) {
            throw new TargetException(Kind.UNSUPPORTED, "This agent does not count what calls of " + function.name()
                    + " take beside time as it was asked to; install the agent that came with this workbench");
        }
        List<Quantity> quantities = probe.getQuantitiesList().stream().map(WireRecording::quantity).toList();
        if (quantities.size() > Quantity.MOST || quantities.stream().map(Quantity::id).distinct().count() < quantities.size()) {
            throw new TargetException(Kind.FAILED, "The agent tells of the same thing twice, or of too many, beside the time of " + function.name());
        }
        return quantities;
    }

    private static Quantity quantity(org.kview.wire.proto.Quantity quantity) {
        return new Quantity(quantity.getId(), quantity.getTitle(), switch (quantity.getUnit()) {
            case BYTES -> Quantity.Unit.BYTES;
            case NANOSECONDS -> Quantity.Unit.NANOSECONDS;
            case COUNT, UNRECOGNIZED -> Quantity.Unit.COUNT;
        }, quantity.getOf());
    }

    public static RecordingEnd end(RecordingEnded ended) {
        RecordingEnd.Reason reason = switch (ended.getReason()) {
            case REQUESTED -> RecordingEnd.Reason.REQUESTED;
            case PROCESS_ENDED -> RecordingEnd.Reason.PROCESS_ENDED;
            case OVER_BUDGET -> RecordingEnd.Reason.OVER_BUDGET;
            case FAILED, REASON_UNSPECIFIED, UNRECOGNIZED -> RecordingEnd.Reason.FAILED;
        };
        String message = reason == RecordingEnd.Reason.FAILED && ended.getMessage().isBlank()
                ? "The agent ended the recording without saying why" : ended.getMessage();
        return new RecordingEnd(reason, message, ended.getEndNs(), ended.getDetachNs(), ended.getAgentCpuNs(),
                ended.getAgentPeakRssBytes(), ended.getCalibrationNote(), ended.getProcessesList().stream()
                        .map(p -> new Scope.Member(Integer.toUnsignedLong(p.getPid()), p.getName())).toList(), ended.getMoreProcesses(),
                ended.hasCostToOthers() ? Optional.of(WireOthers.rounds(ended.getCostToOthers())) : Optional.empty());
    }

    /** The agent's word; an older one does not say it, and has one mechanism for each kind of point. */
    private static Mechanism mechanism(AttachedProbe probe, ProbePoint point) {
        return switch (probe.getMechanism()) {
            case MECHANISM_TRAP -> Mechanism.TRAP;
            case MECHANISM_TRACEPOINT -> Mechanism.TRACEPOINT;
            case MECHANISM_JUMP -> Mechanism.JUMP;
            case MECHANISM_KERNEL_PROBE -> Mechanism.KERNEL_PROBE;
            case MECHANISM_UNSPECIFIED -> mechanismOfOlderAgents(point);
            case UNRECOGNIZED -> Mechanism.UNKNOWN;
        };
    }

    private static Mechanism mechanismOfOlderAgents(ProbePoint point) {
        return switch (point) {
            case ProbePoint.UserFunction _ -> Mechanism.TRAP;
            case ProbePoint.SystemCall _ -> Mechanism.TRACEPOINT;
            case ProbePoint.KernelFunction _, ProbePoint.Tracepoint _, ProbePoint.Usdt _, ProbePoint.Unknown _ ->
                Mechanism.UNKNOWN;
        };
    }

    /** The agent's word; an older one does not say it. A newer one may measure what is not known here. */
    private static Set<Metric> measured(AttachedProbe probe, ProbePoint point) {
        if (probe.getMeasured() == 0) {
            return point instanceof ProbePoint.SystemCall ? Set.of(Metric.WALL) : ProbedFunction.ALL_METRICS;
        }
        return Arrays.stream(Metric.values()).filter(metric -> (probe.getMeasured() >> metric.value() & 1) != 0)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static org.kview.wire.proto.Filter filter(Filter filter) {
        return switch (filter) {
            case AUTO -> org.kview.wire.proto.Filter.FILTER_AUTO;
            case VIEW -> org.kview.wire.proto.Filter.FILTER_VIEW;
            case IN -> org.kview.wire.proto.Filter.FILTER_IN;
            case POST -> org.kview.wire.proto.Filter.FILTER_POST;
        };
    }

    private static Filter filter(org.kview.wire.proto.Filter filter) {
        return switch (filter) {
            case FILTER_VIEW -> Filter.VIEW;
            case FILTER_IN -> Filter.IN;
            case FILTER_POST -> Filter.POST;
            case FILTER_AUTO, UNRECOGNIZED -> Filter.AUTO;
        };
    }
}
