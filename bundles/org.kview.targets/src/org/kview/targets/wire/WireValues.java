// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.util.List;

import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.LaunchedProcess;
import org.kview.targets.values.PointNames;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.wire.proto.CleanRequest;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.LaunchRequest;
import org.kview.wire.proto.ToAgent;

/**
 * Converts between messages and this bundle's values: hosts, processes, functions. Replies come from another program,
 * mostly on another host, and are not trusted: a reply that can't be right leads to a {@link TargetException}.
 */
public final class WireValues {
    /** The protocol's version that this client speaks. */
    public static final int PROTOCOL_VERSION = 1;

    private WireValues() {
    }

    public static TargetException exception(Error error) {
        Kind kind = switch (error.getCode()) {
            case BAD_REQUEST -> Kind.BAD_REQUEST;
            case NO_SUCH_PROCESS -> Kind.NO_SUCH_PROCESS;
            case PROCESS_ENDED -> Kind.PROCESS_ENDED;
            case NO_SUCH_BINARY -> Kind.NO_SUCH_BINARY;
            case STRIPPED -> Kind.STRIPPED;
            case NO_SUCH_FUNCTION -> Kind.NO_SUCH_FUNCTION;
            case NOT_PROBEABLE -> Kind.NOT_PROBEABLE;
            case NO_PERMISSION -> Kind.NO_PERMISSION;
            case UNSUPPORTED -> Kind.UNSUPPORTED;
            case BUSY -> Kind.BUSY;
            case TOO_MANY -> Kind.TOO_MANY;
            case NOTHING_TO_REJOIN -> Kind.CONNECTION_LOST;
            case FAILED, CODE_UNSPECIFIED, UNRECOGNIZED -> Kind.FAILED;
        };
        return new TargetException(kind, error.getMessage().isBlank()
                ? "The agent refused without saying why (" + error.getCode() + ")" : error.getMessage(),
                error.getSuggestionsList());
    }

    public static HostInfo host(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.HELLO);
        var hello = reply.getHello();
        if (hello.getProtocolVersion() != PROTOCOL_VERSION) {
            throw new TargetException(Kind.NOT_REACHED, "The agent (" + hello.getAgentVersion()
                    + ") speaks version " + hello.getProtocolVersion() + " of the protocol and this workbench version "
                    + PROTOCOL_VERSION + "; install the agent that came with this workbench");
        }
        return new HostInfo(hello.getHostname(), hello.getKernelRelease(), hello.getMachine(), hello.getCpus(),
                hello.getUid(), hello.getAgentVersion(), hello.getRealtimeOffsetNs(),
                hello.getCapabilitiesList().stream().map(c -> new HostInfo.Capability(c.getName(), c.getAvailable(),
                        c.getDetail(), c.getRequired())).toList(), hello.getCpuModel(), hello.getBootId());
    }

    public static ProcessList processes(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.LIST_PROCESSES);
        return new ProcessList(reply.getListProcesses().getBeginNs(), reply.getListProcesses().getProcessesList().stream()
                .map(WireValues::process)
                .sorted(java.util.Comparator.comparingLong(ProcessInfo::pid)).toList());
    }

    static ProcessInfo process(org.kview.wire.proto.Process p) {
        return new ProcessInfo(Integer.toUnsignedLong(p.getPid()), Integer.toUnsignedLong(p.getParentPid()),
                new ProcessInfo.User(p.getUid(), p.getUser()), p.getName(),
                new ProcessInfo.Program(p.getExecutable(), p.getArgumentsList()), p.getThreads(), p.getCpuTimeNs(),
                p.getStartTimeNs(), p.getCgroup(), p.getKernelThread());
    }

    public static List<String> mappedFiles(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.LIST_MAPPED_FILES);
        return List.copyOf(reply.getListMappedFiles().getPathsList());
    }

    public static FindFunctionsRequest request(FunctionQuery query) {
        return FindFunctionsRequest.newBuilder().setPid((int) query.pid()).setBinary(query.binary())
                .setPattern(query.pattern()).setLimit(query.limit()).build();
    }

    public static FunctionMatches functions(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.FIND_FUNCTIONS);
        var found = reply.getFindFunctions();
        return new FunctionMatches(found.getFunctionsList().stream().map(WireValues::function).toList(),
                found.getTotalMatches(), found.getBinary(), found.getBuildId(), found.getNotLoaded());
    }

    public static PointNames points(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.FIND_POINTS);
        return new PointNames(reply.getFindPoints().getNamesList(), reply.getFindPoints().getTotalMatches(),
                reply.getFindPoints().getRefusedList().stream()
                        .map(refused -> new PointNames.Refused(refused.getName(), refused.getReason())).toList(),
                reply.getFindPoints().getBinary(), reply.getFindPoints().getNotLoaded());
    }

    private static FunctionInfo function(Function f) {
        FunctionInfo.Language language = switch (f.getLanguage()) {
            case LANGUAGE_C -> FunctionInfo.Language.C;
            case LANGUAGE_CPP -> FunctionInfo.Language.CPP;
            case LANGUAGE_RUST -> FunctionInfo.Language.RUST;
            case LANGUAGE_GO -> FunctionInfo.Language.GO;
            case LANGUAGE_UNKNOWN, UNRECOGNIZED -> FunctionInfo.Language.UNKNOWN;
        };
        return new FunctionInfo(f.getName(),
                new ProbePoint.UserFunction(f.getBinary(), f.getSymbol(), f.getAddress(), f.getFileOffset(), f.getSizeBytes()), language,
                f.getProbeable(), f.getReason(), new FunctionInfo.Ends(exit(f.getExitKind()), f.getExitSites(), f.getGoesOnToList()),
                new FunctionInfo.Price(instruction(f.getEntryCost()), instruction(f.getExitCost()), f.getPredictedCostNs()),
                f.getAliasesList(), Math.max(0, f.getInlinedPlaces()));
    }

    public static LaunchRequest request(LaunchSpec spec) {
        return LaunchRequest.newBuilder().addAllArguments(spec.arguments())
                .addAllEnvironment(spec.environment().entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue()).sorted().toList())
                .setWorkingDirectory(spec.workingDirectory()).build();
    }

    public static LaunchedProcess launched(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.LAUNCH);
        return new LaunchedProcess(Integer.toUnsignedLong(reply.getLaunch().getPid()),
                reply.getLaunch().getExecutable());
    }

    public static Void resumed(FromAgent reply) throws TargetException {
        return expect(reply, FromAgent.BodyCase.RESUME);
    }

    public static Void programEnded(FromAgent reply) throws TargetException {
        return expect(reply, FromAgent.BodyCase.END_PROGRAM);
    }

    public static Void stopped(FromAgent reply) throws TargetException {
        return expect(reply, FromAgent.BodyCase.STOP_RECORDING);
    }

    public static Calibration calibration(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.CALIBRATE);
        return new Calibration(reply.getCalibrate().getCostsList().stream()
                .map(c -> new Calibration.ProbeCost(instruction(c.getEntry()), exit(c.getExitKind()),
                        instruction(c.getExit()), c.getInnerCostNs(), c.getCallCostNs())).toList(),
                reply.getCalibrate().getSwitchCostNs(), reply.getCalibrate().getCalibrationNote(),
                reply.getCalibrate().getWaysList().stream().map(way -> new Calibration.WayCost(way.getName(), way.getCallCostNs(),
                        way.getOthers(), way.getMissing())).toList());
    }

    static ExitKind exit(org.kview.wire.proto.ExitKind kind) {
        return switch (kind) {
            case EXIT_URETPROBE -> ExitKind.URETPROBE;
            case EXIT_RETURN_SITES -> ExitKind.RETURN_SITES;
            case EXIT_KIND_UNSPECIFIED, UNRECOGNIZED -> ExitKind.UNKNOWN;
        };
    }

    private static InstructionCost instruction(org.kview.wire.proto.InstructionCost cost) {
        return switch (cost) {
            case INSTRUCTION_EMULATED -> InstructionCost.EMULATED;
            case INSTRUCTION_SINGLE_STEPPED -> InstructionCost.SINGLE_STEPPED;
            case INSTRUCTION_COST_UNSPECIFIED, UNRECOGNIZED -> InstructionCost.UNKNOWN;
        };
    }

    public static ToAgent.Builder clean(long pid) {
        return ToAgent.newBuilder().setClean(CleanRequest.newBuilder().setPid((int) pid));
    }

    /** How many places of a process's code were restored. */
    public static long cleaned(FromAgent reply) throws TargetException {
        expect(reply, FromAgent.BodyCase.CLEAN);
        return reply.getClean().getRestored();
    }

    static Void expect(FromAgent reply, FromAgent.BodyCase wanted) throws TargetException {
        if (reply.getBodyCase() != wanted) {
            throw new TargetException(Kind.FAILED, "The agent answered " + wanted + " with " + reply.getBodyCase()
                    + "; install the agent that came with this workbench");
        }
        return null;
    }
}
