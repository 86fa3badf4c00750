// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.targets.Agent;
import org.kview.targets.KernelPoints;
import org.kview.targets.StaticProbes;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.PointNames;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Finds the functions, system calls, tracepoints and static probes, of programs and of the kernel, that probe specifications name. */
public final class ProbeLookup {

    /**
     * What was found.
     *
     * @param functions to be probed, each once, in the order of the specifications
     * @param skipped   matched by a glob only, and not to be probed safely
     * @param unmatched a sentence for each glob that matched nothing while others did
     * @param awaited   paths of files with functions to be probed that the process has not loaded so far
     * @param owners    in which process the functions of a file were found, by its path
     */
    public record Found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched,
            List<String> awaited, Map<String, Long> owners) {
        public Found {
            owners = Map.copyOf(owners);
            functions = List.copyOf(functions);
            skipped = List.copyOf(skipped);
            unmatched = List.copyOf(unmatched);
            awaited = List.copyOf(awaited);
        }
    }

    /** In which processes a specification is looked up, one after the other until one has that file. */
    interface Candidates {
        List<Long> of(ProbeSpec spec);
    }

    private record Place(String binary, long fileOffset) {
    }

    /** Failures that only mean that a glob matched nothing. */
    private static final Set<Kind> NOTHING = Set.of(Kind.NO_SUCH_FUNCTION, Kind.NOT_PROBEABLE, Kind.STRIPPED);

    /** Failures of one process, which another one need not have. */
    private static final Set<Kind> ELSEWHERE = Set.of(Kind.NO_SUCH_BINARY, Kind.NO_SUCH_PROCESS, Kind.PROCESS_ENDED);

    private final Agent agent;
    private final Candidates candidates;
    private final List<FunctionInfo> functions = new ArrayList<>();
    private final List<FunctionInfo> skipped = new ArrayList<>();
    private final List<String> unmatched = new ArrayList<>();
    private final Set<String> awaited = new LinkedHashSet<>();
    private final Map<String, Long> owners = new HashMap<>();
    private final Set<Place> seen = new HashSet<>();

    private ProbeLookup(Agent agent, Candidates candidates) {
        this.agent = agent;
        this.candidates = candidates;
    }

    /**
     * Looks up all specifications in what a process maps.
     *
     * @throws TargetException if a specification matches too many functions, if an exact name finds nothing that can be
     *                         probed, or if all of them together find nothing
     */
    public static Found find(Agent agent, long pid, List<ProbeSpec> specs)
            throws TargetException, InterruptedException {
        return find(agent, _ -> List.of(pid), specs);
    }

    /** Likewise in what any of several processes map. */
    static Found find(Agent agent, Candidates candidates, List<ProbeSpec> specs) throws TargetException, InterruptedException {
        ProbeLookup lookup = new ProbeLookup(agent, candidates);
        Optional<TargetException> first = Optional.empty();
        for (ProbeSpec spec : specs) {
            try {
                lookup.add(spec);
            } catch (TargetException e) {
                if (!spec.isGlob() || !NOTHING.contains(e.kind())) {
                    throw e;
                }
                lookup.unmatched.add(spec + ": " + e.getMessage());
                first = first.or(() -> Optional.of(e));
            }
        }
        if (lookup.functions.isEmpty() && first.isPresent()) {
            throw first.get();
        }
        return new Found(lookup.functions, lookup.skipped, lookup.unmatched, List.copyOf(lookup.awaited), lookup.owners);
    }

    private void add(ProbeSpec spec) throws TargetException, InterruptedException {
        switch (spec.kind()) {
            case SYSTEM_CALL -> addSystemCalls(spec);
            case KERNEL_FUNCTION -> addKernelFunctions(spec);
            case TRACEPOINT -> addTracepoints(spec);
            case USDT -> addStaticProbes(spec);
            case USDT_PAIR -> addStaticPair(spec);
            case USER_FUNCTION -> addFunctions(spec);
        }
    }

    private void addFunctions(ProbeSpec spec) throws TargetException, InterruptedException {
        FunctionMatches matches = matches(spec);
        if (matches.total() > matches.functions().size()) {
            throw tooMany(spec, "functions", matches.total(), matches.functions().size());
        }
        if (matches.notLoaded()) {
            awaited.add(matches.binary());
        }
        boolean any = false;
        for (FunctionInfo function : matches.functions()) {
            any |= function.probeable();
            if (seen.add(new Place(function.point().binary(), function.point().fileOffset()))) {
                (function.probeable() ? functions : skipped).add(function);
            }
        }
        if (!any) {
            throw matches.functions().isEmpty()
                    ? new TargetException(Kind.NO_SUCH_FUNCTION, "No function of " + matches.binary() + " matches "
                            + spec.pattern() + "; look for its name with a glob such as '*name*'")
                    : new TargetException(Kind.NOT_PROBEABLE, "No function that matches " + spec
                            + " can be probed: " + matches.functions().getFirst().reason());
        }
    }

    /** The agent checks an exact name only when the recording starts. */
    private void addSystemCalls(ProbeSpec spec) throws TargetException, InterruptedException {
        for (String name : spec.isGlob() ? KernelPoints.systemCalls(agent, spec.pattern()).names() : List.of(spec.pattern())) {
            FunctionInfo call = FunctionInfo.of(new ProbePoint.SystemCall(name));
            if (!functions.contains(call)) {
                functions.add(call);
            }
        }
    }

    private void addKernelFunctions(ProbeSpec spec) throws TargetException, InterruptedException {
        PointNames found;
        try {
            found = KernelPoints.functions(agent, spec.pattern());
        } catch (TargetException e) {
            throw withSuggestions(e);
        }
        if (found.total() > found.names().size()) {
            throw tooMany(spec, "functions", found.total(), found.names().size());
        }
        for (String name : found.names()) {
            FunctionInfo function = FunctionInfo.of(new ProbePoint.KernelFunction("", name));
            if (!functions.contains(function)) {
                functions.add(function);
            }
        }
    }

    private void addTracepoints(ProbeSpec spec) throws TargetException, InterruptedException {
        PointNames found;
        try {
            found = KernelPoints.tracepoints(agent, spec.pattern());
        } catch (TargetException e) {
            throw withSuggestions(e);
        }
        if (found.total() > Math.min(found.names().size(), KernelPoints.MOST_TRACEPOINTS)) {
            throw tooMany(spec, "tracepoints", found.total(), KernelPoints.MOST_TRACEPOINTS);
        }
        for (String name : found.names()) {
            FunctionInfo point = FunctionInfo.of(ProbePoint.Tracepoint.of(name));
            if (!functions.contains(point)) {
                functions.add(point);
            }
        }
        for (PointNames.Refused refused : found.refused()) {
            FunctionInfo point = FunctionInfo.refused(ProbePoint.Tracepoint.of(refused.name()), refused.reason());
            if (!skipped.contains(point)) {
                skipped.add(point);
            }
        }
    }

    private void addStaticProbes(ProbeSpec spec) throws TargetException, InterruptedException {
        PointNames found = inFirst(spec, pid -> StaticProbes.find(agent, pid, spec.binary(), spec.pattern(), 0),
                PointNames::binary, PointNames::notLoaded);
        if (found.total() > Math.min(found.names().size(), StaticProbes.MOST)) {
            throw tooMany(spec, "static probes", found.total(), StaticProbes.MOST);
        }
        if (found.notLoaded()) {
            awaited.add(found.binary());
        }
        for (String name : found.names()) {
            FunctionInfo probe = FunctionInfo.of(ProbePoint.Usdt.of(found.binary(), name));
            if (!functions.contains(probe)) {
                functions.add(probe);
            }
        }
        for (PointNames.Refused refused : found.refused()) {
            FunctionInfo probe = FunctionInfo.refused(ProbePoint.Usdt.of(found.binary(), refused.name()), refused.reason());
            if (!skipped.contains(probe)) {
                skipped.add(probe);
            }
        }
    }

    private void addStaticPair(ProbeSpec spec) throws TargetException, InterruptedException {
        ProbePoint.Usdt asked = ProbePoint.Usdt.of(spec.binary(), spec.pattern());
        String file = "";
        for (String name : List.of(asked.begins(), asked.ends())) {
            PointNames found = inFirst(spec, pid -> StaticProbes.find(agent, pid, spec.binary(), asked.provider() + ":" + name, 0),
                    PointNames::binary, PointNames::notLoaded);
            file = found.binary();
            if (found.notLoaded()) {
                awaited.add(file);
            }
        }
        FunctionInfo pair = FunctionInfo.of(ProbePoint.Usdt.of(file, spec.pattern()));
        if (!functions.contains(pair)) {
            functions.add(pair);
        }
    }

    private static TargetException tooMany(ProbeSpec spec, String what, int total, int most) {
        return new TargetException(Kind.TOO_MANY, "The pattern " + spec + " matches " + total + " " + what + ", and " + most
                + " are the most at once; narrow it down");
    }

    /** Asks for what is in the files of one process. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(long pid) throws TargetException, InterruptedException;
    }

    private FunctionMatches matches(ProbeSpec spec) throws TargetException, InterruptedException {
        return inFirst(spec, pid -> agent.findFunctions(new FunctionQuery(pid, spec.binary(), spec.pattern(), 0)),
                FunctionMatches::binary, FunctionMatches::notLoaded);
    }

    /** In the first process that has loaded that file, else in the first one that may load it. */
    private <T> T inFirst(ProbeSpec spec, Question<T> question, Function<T, String> binary, Predicate<T> isNotLoaded)
            throws TargetException, InterruptedException {
        Optional<T> mayLoad = Optional.empty();
        Optional<TargetException> first = Optional.empty();
        for (long pid : candidates.of(spec)) {
            try {
                T matches = question.ask(pid);
                owners.putIfAbsent(binary.apply(matches), pid);
                if (!isNotLoaded.test(matches)) {
                    owners.put(binary.apply(matches), pid);
                    return matches;
                }
                mayLoad = mayLoad.or(() -> Optional.of(matches));
            } catch (TargetException e) {
                if (!ELSEWHERE.contains(e.kind())) {
                    throw withSuggestions(e);
                }
                first = first.or(() -> Optional.of(e));
            }
        }
        if (mayLoad.isEmpty()) {
            throw withSuggestions(first.orElseThrow());
        }
        return mayLoad.get();
    }

    private static TargetException withSuggestions(TargetException e) {
        return e.suggestions().isEmpty() || e.suggestions().stream().anyMatch(e.getMessage()::contains) ? e
                : new TargetException(e.kind(), e.getMessage().replaceFirst("[.?]$", "") + ": "
                        + String.join(", ", e.suggestions()), e.suggestions());
    }
}
