// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.LatencySnapshot;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;

/**
 * Which processes were recorded on the two sides of a comparison. Processes of the same program differ: in where their
 * memory lies, in how their heap has grown, in what their caches hold. Several recordings of one process do not show this
 * variation. If each side has recordings of one process only, a comparison shows how these two processes differ, and not
 * whether the program changed. If both sides are of the same processes, this variation is not between the sides.
 */
final class RecordedProcesses {
    private final List<Object> a;
    private final List<Object> b;
    private final boolean repeated;

    /** The host's kernel counts starts in such steps, and the agent takes the time of suspension off. */
    private static final long START_STEP_NANOS = 10_000_000;

    /**
     * What tells processes from others: a process number comes back, and in each container there is a 1.
     *
     * @param pids   all that were recorded together
     * @param starts when they began; where that is not known the command line, which programs rewrite as they run
     */
    private record Processes(String host, String boot, List<Long> pids, Object starts) {
    }

    RecordedProcesses(List<Comparison.Recorded> a, List<Comparison.Recorded> b) {
        boolean byStart = Stream.concat(a.stream(), b.stream()).allMatch(r -> hasStart(r.figures()));
        this.a = a.stream().map(r -> of(r.figures(), byStart)).toList();
        this.b = b.stream().map(r -> of(r.figures(), byStart)).toList();
        repeated = Stream.concat(a.stream(), b.stream()).map(r -> r.figures().info()).distinct().count()
                < a.size() + b.size();
    }

    private static boolean hasStart(LatencySnapshot figures) {
        return figures.hosts().isEmpty() ? figures.info().pids().isEmpty() || startsNanos(figures.info()).stream().allMatch(start -> start > 0)
                : figures.hosts().stream().allMatch(RecordedProcesses::hasStart);
    }

    /** Of each scope; 0 where it is not known. */
    private static List<Long> startsNanos(SessionInfo info) {
        return info.scopes().stream().map(scope -> switch (scope) {
            case Scope.Process process -> process.startNanos();
            case Scope.Tree tree -> tree.startNanos();
            case Scope.Cgroup _, Scope.Unknown _ -> 0L;
        }).toList();
    }

    /** Of several hosts, the processes of all. A process whose number is not known counts as one of its own. */
    private static Object of(LatencySnapshot figures, boolean byStart) {
        if (!figures.hosts().isEmpty()) {
            return figures.hosts().stream().map(host -> of(host, byStart)).toList();
        }
        SessionInfo info = figures.info();
        return info.pids().isEmpty() ? info : byStart ? new Processes(info.host(), info.provenance().bootId(), info.pids(),
                startsNanos(info).stream().map(start -> Math.round((double) start / START_STEP_NANOS)).toList())
                : new Processes(info.host(), "", info.pids(), info.command());
    }

    /** Whether no recording is given twice. */
    boolean areRecordedOnce() {
        return !repeated;
    }

    /** Whether both sides have the same processes, each as often. */
    private boolean areTheSame() {
        return counts(a).equals(counts(b));
    }

    private static Map<Object, Long> counts(List<Object> side) {
        return side.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** Whether each recording adds information to its side. */
    boolean areIndependent() {
        return !repeated && (areTheSame() || fewer(true) == 0 && fewer(false) == 0);
    }

    /**
     * How many processes a side's recordings are of, if fewer than the recordings; 0 if each recording has
     * a process of its own, or if both sides are of the same processes.
     */
    int fewer(boolean ofA) {
        List<Object> side = ofA ? a : b;
        int processes = new HashSet<>(side).size();
        return areTheSame() || processes == side.size() ? 0 : processes;
    }
}
