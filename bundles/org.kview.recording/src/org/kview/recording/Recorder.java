// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import org.kview.model.Filter;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbeWay;
import org.kview.model.Scope;
import org.kview.recording.RecordingObserver.Step;
import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.write.SessionClaim;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.Listening;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.TargetException;

/** Starts recordings. */
public final class Recorder {
    private final Agent agent;
    private final String target;

    /**
     * @param agent  serves one recording at a time; not closed
     * @param target its target's name
     */
    public Recorder(Agent agent, String target) {
        this.agent = agent;
        this.target = target;
    }

    /**
     * Finds the functions, attaches probes and starts to write the session; a program that is to be launched runs when this
     * returns. Blocks for a second or so. When it throws, nothing is left behind except a launched program that never ran,
     * which ends with the agent's connection.
     *
     * @param scope of whom
     * @throws TargetException  if the target can't do what was asked
     * @throws SessionException if the session's folder exists or can't be written
     */
    public Recording start(ScopeSpec scope, RecordingRequest request, RecordingObserver observer)
            throws TargetException, SessionException, InterruptedException {
        Path folder = request.folder();
        request.check();
        try (SessionClaim _ = claim(folder)) {
            boolean started = false;
            try {
                Recording recording = startIn(scope, request, observer);
                started = true;
                return recording;
            } finally {
                if (!started) {
                    release(folder);
                }
            }
        }
    }

    private Recording startIn(ScopeSpec scope, RecordingRequest request, RecordingObserver observer)
            throws TargetException, SessionException, InterruptedException {
        checkChildren(request.options());
        if (request.options().functions().way() == ProbeWay.JUMP && agent.host().whyNoJumps().isPresent()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, agent.host().whyNoJumps().get());
        }
        if (request.options().preparation().survey().isPresent() && scope instanceof ScopeSpec.Launch) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "A survey is of a process that runs already: start the"
                    + " program, then record it by its number");
        }
        if (!request.options().conditions().isEmpty() && !agent.host().hasConditions()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "The agent there measures all calls, whatever the condition;"
                    + " install the agent that came with this workbench, or record without conditions");
        }
        if (!request.options().splits().isEmpty() && !agent.host().hasSplits()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "The agent there splits no figures by values;"
                    + " install the agent that came with this workbench, or record without --by");
        }
        for (String measure : request.options().measures()) {
            Optional<String> missing = agent.host().whyNoMeasure(measure);
            if (missing.isPresent()) {
                throw new TargetException(TargetException.Kind.UNSUPPORTED, missing.get());
            }
        }
        LaunchedProgram program = new LaunchedProgram(observer);
        Chosen process = switch (scope) {
            case ScopeSpec.Attach(long pid) -> Chosen.of(lookup().byNumber(pid));
            case ScopeSpec.Named(String name) -> Chosen.of(lookup().byName(name));
            case ScopeSpec.Cgroup(String name) -> Chosen.of(cgroup(name, request.options()));
            case ScopeSpec.Launch(var spec) -> Chosen.of(agent.launch(spec, program).pid(), 0,
                    String.join(" ", spec.arguments()));
        };
        RecordingOptions options = request.options();
        Scope measured = options.children() ? new Scope.Tree(process.single().pid(), process.single().startNanos(), List.of(), false)
                : process.scope;
        Optional<SurveyChoice> choice = Optional.empty();
        if (options.preparation().survey().isPresent()) {
            choice = Optional.of(new SurveyChooser(agent, process.single(), new SurveyChooser.Purpose(options.preparation().trial()
                    && options.functions().way() != ProbeWay.JUMP, options.budget(), options.functions().forceReturns()), observer)
                    .chooseSome(options.preparation().survey().get()));
        }
        Map<String, Long> owners = new HashMap<>();
        List<FunctionInfo> functions = choice.isPresent() ? choice.get().functions()
                : named(process, measured, owners, request, scope instanceof ScopeSpec.Launch, observer);
        checkConditions(options, functions);
        var session = new SessionFeed(request, new SessionFeed.Origin(target, agent.host(), measured,
                process.command, agent::clockOffset), program, observer);
        choice.map(SurveyChoice::survey).ifPresent(session::surveyed);
        if (process.cgroup.isEmpty() && !(scope instanceof ScopeSpec.Launch)) {
            program.attached();
            agent.listenToEnd(process.scope.pid(), program);
        }
        observer.step(Step.ATTACHING);
        agent.startRecording(new RecordingSpec(List.of(measured), functions, options.events(), options.filter(),
                Duration.ZERO, options.grace(), options.budget(), options.functions().forceReturns(), options.functions().way(),
                options.waits(), options.costToOthers(), options.conditions(), owners, options.splits(), options.measures()), session);
        Listening link = agent.listen(observer::link);
        session.result().whenComplete((_, _) -> link.close());
        Recording recording = new Recording(agent, session, program);
        LatencySnapshot empty = created(session);
        observer.started(empty);
        if (scope instanceof ScopeSpec.Launch) {
            try {
                program.resumed(process.scope.pid());
                agent.resume(process.scope.pid());
            } catch (TargetException e) {
                recording.fail(e.getMessage());
            }
        }
        options.duration().ifPresent(recording::stopAfter);
        return recording;
    }

    private void checkChildren(RecordingOptions options) throws TargetException {
        if (!options.children()) {
            return;
        }
        if (!agent.host().hasProcessTrees()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "The agent there measures no children together with their process;"
                    + " install the agent that came with this workbench, or record without --follow");
        }
        Optional<String> asked = ofOneProcess(options);
        if (asked.isPresent()) {
            throw ofOneProcess(asked.get(), options);
        }
    }

    /** A condition that is of no function was meant for some other, and of two for one function it is not known which was. */
    private static void checkConditions(RecordingOptions options, List<FunctionInfo> functions) throws TargetException {
        List<String> names = functions.stream().map(FunctionInfo::name).toList();
        Optional<String> problem = options.conditions().problem(names).or(() -> options.splits().problem(names));
        if (problem.isPresent()) {
            throw new TargetException(TargetException.Kind.NO_SUCH_FUNCTION, problem.get());
        }
    }

    /** The functions that the request names; tried if that is asked for. */
    private List<FunctionInfo> named(Chosen process, Scope measured, Map<String, Long> owners, RecordingRequest request, boolean isLaunched,
            RecordingObserver observer) throws TargetException, InterruptedException {
        observer.step(Step.LOOKING_UP);
        ProbeLookup.Found found = ProbeLookup.find(agent, process::candidates, request.probes());
        if (process.cgroup.isPresent()) {
            owners.putAll(found.owners());
            for (String file : request.functions().stream().map(function -> function.point().binary()).distinct().filter(f -> !owners.containsKey(f)).toList()) {
                process.cgroup.get().having(agent, file).ifPresent(pid -> owners.put(file, pid));
            }
        }
        List<FunctionInfo> functions = Stream.concat(request.functions().stream(), found.functions().stream())
                .distinct().toList();
        observer.found(functions, found.skipped(), found.unmatched());
        if (!found.awaited().isEmpty()) {
            observer.awaits(found.awaited());
        }
        RecordingOptions options = request.options();
        if ((process.cgroup.isPresent() || options.children()) && options.filter() == Filter.VIEW && functions.stream().anyMatch(f -> f.point() instanceof ProbePoint.UserFunction)) {
            throw ofOneProcess("in a kernel view with functions of programs", options);
        }
        List<FunctionInfo> tried = CostTrial.tried(functions);
        if (options.preparation().trial() && options.functions().way() != ProbeWay.JUMP && !tried.isEmpty() && !isLaunched) {
            observer.step(Step.TRYING);
            tryIt(measured, tried, owners, options, observer);
        }
        return functions;
    }

    /** Throws at once what would make the recording fail as well. */
    private void tryIt(Scope scope, List<FunctionInfo> functions, Map<String, Long> owners, RecordingOptions options,
            RecordingObserver observer) throws TargetException, InterruptedException {
        try {
            observer.tried(Optional.of(new CostTrial().run(agent, scope, functions, options.budget(),
                    options.functions().forceReturns(), owners, options.splits())), "");
        } catch (TargetException e) {
            if (e.kind() != TargetException.Kind.FAILED) {
                throw e;
            }
            observer.tried(Optional.empty(), e.getMessage());
        }
    }

    private ProcessLookup lookup() {
        return new ProcessLookup(agent, target);
    }

    private CgroupLookup.Found cgroup(String name, RecordingOptions options) throws TargetException, InterruptedException {
        if (!agent.host().hasCgroups()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "The agent there measures single processes; install the agent that"
                    + " came with this workbench, or record a process");
        }
        if (options.preparation().survey().isPresent()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "A survey is of one process: survey one of the cgroup, then record"
                    + " the functions that it suggests of all");
        }
        Optional<String> asked = ofOneProcess(options);
        if (asked.isPresent()) {
            throw ofOneProcess(asked.get(), options);
        }
        return new CgroupLookup(agent, target).find(name);
    }

    /** What is asked for that can only be had of one process. */
    private static Optional<String> ofOneProcess(RecordingOptions options) {
        return Stream.of(options.functions().way() == ProbeWay.JUMP ? "by jumps" : "", options.functions().forceReturns() ? "with forced return probes" : "",
                options.waits() ? "with what calls waited for" : "").filter(text -> !text.isEmpty()).findFirst();
    }

    /** The agent would say so, too, but behind the lookup and the trial. */
    private static TargetException ofOneProcess(String asked, RecordingOptions options) {
        return new TargetException(TargetException.Kind.UNSUPPORTED, (options.children() ? "A process with its children" : "A whole cgroup") + " can't be recorded "
                + asked + ", which is of one process: record it without, or " + (options.children() ? "the process alone." : "a process of it."));
    }

    private record Chosen(Scope scope, String command, Optional<CgroupLookup.Found> cgroup) {
        static Chosen of(CgroupLookup.Found found) throws TargetException {
            Chosen leader = of(found.processes().getFirst());
            return new Chosen(new Scope.Cgroup(found.path(), leader.scope.pid(), List.of(), false), found.path(), Optional.of(found));
        }

        List<Long> candidates(ProbeSpec spec) {
            return cgroup.map(found -> found.candidates(spec)).orElseGet(() -> List.of(scope.pid()));
        }

        /** Where no cgroup is recorded. */
        Scope.Process single() {
            return (Scope.Process) scope;
        }

        static Chosen of(ProcessInfo info) throws TargetException {
            return of(info.pid(), Math.max(0, info.startNanos()), info.command());
        }

        /** The number is the host's word, which may be anything. */
        static Chosen of(long pid, long startNanos, String command) throws TargetException {
            if (pid <= 0) {
                throw new TargetException(TargetException.Kind.FAILED, "The agent named a process without a number"
                        + "; install the agent that came with this workbench");
            }
            return new Chosen(new Scope.Process(pid, startNanos), command, Optional.empty());
        }
    }

    /** Waits for the session to be created, which the recording's first message does. */
    private LatencySnapshot created(SessionFeed session) throws TargetException, SessionException,
            InterruptedException {
        try {
            return session.created().get().snapshot();
        } catch (ExecutionException e) {
            agent.stopRecording();
            throw e.getCause() instanceof SessionException s ? s
                    : new SessionException("The session can't be written: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Takes the folder's name before anything is attached: of two recordings into it one must fail. */
    public static SessionClaim claim(Path folder) throws SessionException {
        try {
            return SessionClaim.take(folder);
        } catch (SessionException e) {
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw new SessionException(e.getFile().equals(folder.toString())
                    ? folder + " exists already; name another folder, or remove it first"
                    : "The session " + folder + " can't be created: " + e.getFile() + " is no folder", e);
        } catch (AccessDeniedException e) {
            throw new SessionException("The session " + folder
                    + " can't be created: writing there is not permitted; name a folder of your own", e);
        } catch (FileSystemException e) {
            throw new SessionException("The session " + folder + " can't be created"
                    + (e.getReason() == null ? "; name another folder" : ": " + e.getReason()), e);
        } catch (IOException e) {
            throw new SessionException("The session " + folder + " can't be created: " + e.getMessage(), e);
        }
    }

    /** Removes what {@link #claim} and the session's creation left, and nothing that they did not make. */
    static void release(Path folder) {
        FileTree.delete(folder);
    }
}
