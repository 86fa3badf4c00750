// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.kview.model.ProbePoint;
import org.kview.recording.template.RecordingTemplate.Probe;
import org.kview.targets.Agent;
import org.kview.targets.KernelPoints;
import org.kview.targets.StaticProbes;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.PointNames;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Finds a template's functions in another process, and its system calls and the like in that host's kernel; says which there are none of. */
public final class TemplateLookup {

    /** A function that can't be probed there. @param reason one sentence */
    public record Missing(Probe probe, String reason) {
    }

    /**
     * What was found.
     *
     * @param functions that can be probed, each once
     * @param missing   the template's others
     */
    public record Result(List<FunctionInfo> functions, List<Missing> missing) {
        public Result {
            functions = List.copyOf(functions);
            missing = List.copyOf(missing);
        }
    }

    private final Agent agent;
    private final long pid;
    private final String program;

    /**
     * @param pid     the process; 0 for one that is still to be started
     * @param program the path of its program, used wherever a template means the process's own program; may be empty with
     *                a pid
     */
    public TemplateLookup(Agent agent, long pid, String program) {
        this.agent = agent;
        this.pid = pid;
        this.program = program;
    }

    /** @throws TargetException if the target can't be asked; what it lacks is in the result */
    public Result find(RecordingTemplate template) throws TargetException, InterruptedException {
        Set<FunctionInfo> found = new LinkedHashSet<>();
        List<Missing> missing = new ArrayList<>();
        for (Probe probe : template.probes()) {
            try {
                List<FunctionInfo> functions = matches(probe.point());
                List<FunctionInfo> probeable = functions.stream().filter(FunctionInfo::probeable).toList();
                if (functions.isEmpty()) {
                    missing.add(new Missing(probe, "There is no such function."));
                } else if (probeable.isEmpty()) {
                    missing.add(new Missing(probe, "It can't be probed: " + functions.getFirst().reason()));
                }
                found.addAll(probeable);
            } catch (TargetException e) {
                if (!isAboutThePoint(e.kind(), probe.point())) {
                    throw e;
                }
                missing.add(new Missing(probe, e.getMessage()));
            }
        }
        return new Result(List.copyOf(found), missing);
    }

    /** Of a kernel it is also about the point that this host, or its agent, offers none of its kind. */
    private static boolean isAboutThePoint(Kind kind, ProbePoint point) {
        return switch (kind) {
            case NO_SUCH_BINARY, NO_SUCH_FUNCTION, NOT_PROBEABLE, STRIPPED, TOO_MANY -> true;
            case UNSUPPORTED, NO_PERMISSION -> !(point instanceof ProbePoint.UserFunction);
            default -> false;
        };
    }

    private List<FunctionInfo> matches(ProbePoint point) throws TargetException, InterruptedException {
        return switch (point) {
            case ProbePoint.UserFunction function -> inFile(function.binary(),
                    binary -> agent.findFunctions(new FunctionQuery(pid, binary, function.symbol(), 0))).functions();
            case ProbePoint.SystemCall call -> KernelPoints.systemCalls(agent, call.name()).names().stream()
                    .map(name -> FunctionInfo.of(new ProbePoint.SystemCall(name))).toList();
            case ProbePoint.KernelFunction function -> KernelPoints.functions(agent, function.symbol()).names().stream()
                    .map(name -> FunctionInfo.of(new ProbePoint.KernelFunction("", name))).toList();
            case ProbePoint.Tracepoint tracepoint -> tracepoints(KernelPoints.tracepoints(agent, tracepoint.category() + ":" + tracepoint.name()));
            case ProbePoint.Usdt pair when pair.isPair() -> {
                inFile(pair.binary(), binary -> StaticProbes.find(agent, pid, binary, pair.provider() + ":" + pair.begins(), 0));
                PointNames ends = inFile(pair.binary(), binary -> StaticProbes.find(agent, pid, binary, pair.provider() + ":" + pair.ends(), 0));
                yield List.of(FunctionInfo.of(new ProbePoint.Usdt(ends.binary(), pair.provider(), pair.name())));
            }
            case ProbePoint.Usdt usdt -> staticProbes(inFile(usdt.binary(),
                    binary -> StaticProbes.find(agent, pid, binary, usdt.provider() + ":" + usdt.name(), 0)));
            case ProbePoint.Unknown _ -> throw new TargetException(Kind.UNSUPPORTED,
                    "It is no function, but a point of the kind \"" + point.kind() + "\", which is not looked up in templates.");
        };
    }

    private static List<FunctionInfo> tracepoints(PointNames names) {
        return Stream.concat(names.names().stream().map(name -> FunctionInfo.of(ProbePoint.Tracepoint.of(name))),
                names.refused().stream().map(refused -> FunctionInfo.refused(ProbePoint.Tracepoint.of(refused.name()), refused.reason()))).toList();
    }

    private static List<FunctionInfo> staticProbes(PointNames found) {
        return Stream.concat(found.names().stream().map(name -> FunctionInfo.of(ProbePoint.Usdt.of(found.binary(), name))),
                found.refused().stream().map(refused -> FunctionInfo.refused(ProbePoint.Usdt.of(found.binary(), refused.name()), refused.reason())))
                .toList();
    }

    /** Asks for what is in one file. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(String binary) throws TargetException, InterruptedException;
    }

    private <T> T inFile(String file, Question<T> question) throws TargetException, InterruptedException {
        if (file.isEmpty() || pid == 0) {
            return question.ask(file.isEmpty() && pid == 0 ? program : file);
        }
        TargetException first = null;
        for (String name : LibraryName.candidates(file)) {
            try {
                return question.ask(name);
            } catch (TargetException e) {
                first = first == null ? e : first;
                if (e.kind() != Kind.NO_SUCH_BINARY) {
                    throw e;
                }
            }
        }
        throw first;
    }
}
