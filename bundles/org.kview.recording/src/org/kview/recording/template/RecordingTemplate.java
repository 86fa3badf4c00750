// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.Waits;
import org.kview.recording.RecordingOptions;
import org.kview.targets.values.FunctionInfo;

/**
 * Functions and options of a recording, for any process that has them.
 *
 * @param name     for the user; not blank
 * @param probes   at least one
 * @param events   whether each call and each switch is kept as an event too
 * @param filter   how other processes are told apart
 * @param duration after which the recording ends by itself; empty: when it is stopped
 * @param budget   how much of the process's CPU time the probes may take
 * @param way      how functions are measured
 * @param waits    whether it is told for what calls waited, and who woke them
 * @param conditions which calls of which functions are measured
 * @param splits   by which values the figures of which functions are split
 * @param children whether the processes are measured as well that the process forks
 * @param measures what is counted within calls beside their time: names such as {@code alloc}
 */
public record RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter,
        Optional<Duration> duration, Budget budget, ProbeWay way, boolean waits, CallConditions conditions, CallSplits splits, boolean children,
        List<String> measures) {
    /** By the quantities that a session tells of, which does not name them. Others are of newer agents. */
    private static final Map<String, String> MEASURES = Map.of("minor_faults", "alloc", "io_requests", "io", "cycles", "counters");

    /** One that counts nothing beside time. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration, Budget budget,
            ProbeWay way, boolean waits, CallConditions conditions, CallSplits splits, boolean children) {
        this(name, probes, events, filter, duration, budget, way, waits, conditions, splits, children, List.of());
    }

    /** One of the process alone. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration, Budget budget,
            ProbeWay way, boolean waits, CallConditions conditions, CallSplits splits) {
        this(name, probes, events, filter, duration, budget, way, waits, conditions, splits, false);
    }

    /** One that splits no figures. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration, Budget budget,
            ProbeWay way, boolean waits, CallConditions conditions) {
        this(name, probes, events, filter, duration, budget, way, waits, conditions, CallSplits.NONE);
    }

    /** One that measures all calls. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration, Budget budget,
            ProbeWay way, boolean waits) {
        this(name, probes, events, filter, duration, budget, way, waits, CallConditions.NONE);
    }

    /** One whose functions the agent measures as it chooses, and that tells of no waits. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration, Budget budget) {
        this(name, probes, events, filter, duration, budget, ProbeWay.AUTO, false);
    }

    /** Likewise, with the default budget. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration) {
        this(name, probes, events, filter, duration, Budget.DEFAULT);
    }

    /**
     * A function, wherever it is found, or another probe point.
     *
     * @param point    its binary is the base name of a library or program; empty for the process's own program. Points
     *                 of kinds that only newer versions know are kept, but not looked up
     * @param function the name as people read it
     * @param json     if its kind is known only to newer versions, all that the template's file says of it; else empty
     */
    public record Probe(ProbePoint point, String function, String json) {
        public Probe {
            Objects.requireNonNull(point);
            Objects.requireNonNull(function);
            if (name(point).isBlank() || json.isEmpty() == point instanceof ProbePoint.Unknown) {
                throw new IllegalArgumentException("A probe needs the symbol of its function, or the name of its point");
            }
        }

        /** A function of a program or library. */
        public Probe(String binary, String symbol, String function) {
            this(new ProbePoint.UserFunction(binary, symbol, 0, 0, 0), function);
        }

        /** A point of a kind that is known. */
        public Probe(ProbePoint point, String function) {
            this(point, function, "");
        }

        /** @param executable the path of the process's own program, whose name on other hosts does not matter */
        static Probe of(FunctionInfo function, String executable) {
            return new Probe(anywhere(function.point(), executable::equals), function.name());
        }

        /** Its name, whatever kind of point it is; not blank. */
        String name() {
            return name(point);
        }

        private static String name(ProbePoint point) {
            return switch (point) {
                case ProbePoint.UserFunction f -> f.symbol();
                case ProbePoint.KernelFunction f -> f.symbol();
                case ProbePoint.SystemCall call -> call.name();
                case ProbePoint.Tracepoint tracepoint -> tracepoint.name();
                case ProbePoint.Usdt usdt -> usdt.name();
                case ProbePoint.Unknown unknown -> unknown.kind();
            };
        }

        /** "libz.so.1: deflate"; only the function's name if it is one of the program itself. */
        @Override
        public String toString() {
            return point.binary().isEmpty() ? function : point.binary() + ": " + function;
        }
    }

    public RecordingTemplate {
        probes = List.copyOf(probes);
        Objects.requireNonNull(filter);
        Objects.requireNonNull(budget);
        Objects.requireNonNull(way);
        Objects.requireNonNull(conditions);
        Objects.requireNonNull(splits);
        measures = List.copyOf(measures);
        if (name.isBlank() || probes.isEmpty() || duration.filter(d -> !d.isPositive()).isPresent()) {
            throw new IllegalArgumentException("A template needs a name, a function, and a duration above zero if any");
        }
    }

    /**
     * Makes a template of what a session measured: its functions, and the options that it tells of. It ends when it is stopped. That return
     * addresses were replaced without a proof that it is harmless is not kept: that is decided for each program anew. Nor is the filter: a
     * session tells which one was in use, not whether it was asked for, and the next process may be where there is no view.
     *
     * @param events whether the session has events
     * @return empty where it has no functions that could be probed again, as one of several hosts or of a trace of another tool
     */
    public static Optional<RecordingTemplate> of(String name, LatencySnapshot session, boolean events) {
        Set<String> executables = session.info().provenance().processes().stream().map(Provenance.TracedProcess::executable)
                .collect(Collectors.toSet());
        List<ProbedFunction> functions = session.functions().stream().map(FunctionLatency::function)
                .filter(f -> !f.mechanism().equals(Mechanism.IMPORTED) && !(f.point() instanceof ProbePoint.Unknown)).toList();
        if (functions.isEmpty() || session.info().scopes().size() > 1) {
            return Optional.empty();
        }
        List<Probe> probes = functions.stream().map(f -> new Probe(anywhere(f.point(), executables::contains), f.name())).distinct().toList();
        ProbeWay way = functions.stream().anyMatch(f -> f.mechanism().equals(Mechanism.JUMP)) ? ProbeWay.JUMP : ProbeWay.AUTO;
        boolean waits = session.functions().stream().anyMatch(f -> f.function().waits() == Waits.Told.YES);
        return Optional.of(new RecordingTemplate(name, probes, events, Filter.AUTO, Optional.empty(),
                session.overhead().budget().orElse(Budget.DEFAULT), way, waits, CallConditions.ofFunctions(functions), CallSplits.ofFunctions(functions),
                session.info().scopes().stream().anyMatch(Scope.Tree.class::isInstance),
                functions.stream().flatMap(f -> f.quantities().stream()).map(quantity -> MEASURES.getOrDefault(quantity.id(), ""))
                        .filter(measure -> !measure.isEmpty()).distinct().toList()));
    }

    /** A point without the places that only one file, or one process, has it at. */
    private static ProbePoint anywhere(ProbePoint point, Predicate<String> isExecutable) {
        return switch (point) {
            case ProbePoint.UserFunction f -> new ProbePoint.UserFunction(anywhere(f.binary(), isExecutable), f.symbol(), 0, 0, 0);
            case ProbePoint.Usdt usdt -> new ProbePoint.Usdt(anywhere(usdt.binary(), isExecutable), usdt.provider(), usdt.name());
            case ProbePoint other -> other;
        };
    }

    private static String anywhere(String binary, Predicate<String> isExecutable) {
        return isExecutable.test(binary) ? "" : binary.substring(binary.lastIndexOf('/') + 1);
    }

    /**
     * Makes a template for other processes from what was chosen for one process.
     *
     * @param executable the path of that process's program
     * @param options    of which the template keeps those that it has
     */
    public static RecordingTemplate of(String name, List<FunctionInfo> functions, String executable, RecordingOptions options) {
        return new RecordingTemplate(name, functions.stream().map(f -> Probe.of(f, executable)).distinct().toList(),
                options.events(), options.filter(), options.duration(), options.budget(), options.functions().way(), options.waits(), options.conditions(), options.splits(),
                options.children(), options.measures());
    }
}
