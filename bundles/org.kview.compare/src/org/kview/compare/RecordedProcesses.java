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
     * What tells one process from another: a process number comes back, and in each container there is a 1.
     *
     * @param start when it began; where that is not known its command line, which programs rewrite as they run
     */
    private record Process(String host, String boot, long pid, Object start) {
    }

    RecordedProcesses(List<Comparison.Recorded> a, List<Comparison.Recorded> b) {
        boolean byStart = Stream.concat(a.stream(), b.stream()).allMatch(r -> hasStart(r.figures()));
        this.a = a.stream().map(r -> of(r.figures(), byStart)).toList();
        this.b = b.stream().map(r -> of(r.figures(), byStart)).toList();
        repeated = Stream.concat(a.stream(), b.stream()).map(r -> r.figures().info()).distinct().count()
                < a.size() + b.size();
    }

    private static boolean hasStart(LatencySnapshot figures) {
        return figures.hosts().isEmpty() ? figures.info().pid() == 0 || startNanos(figures.info()) > 0
                : figures.hosts().stream().allMatch(RecordedProcesses::hasStart);
    }

    private static long startNanos(SessionInfo info) {
        return info.scopes().size() == 1 && info.scopes().getFirst() instanceof Scope.Process(_, long startNanos)
                ? startNanos : 0;
    }

    /** Of several hosts, the processes of all. A process whose number is not known counts as one of its own. */
    private static Object of(LatencySnapshot figures, boolean byStart) {
        if (!figures.hosts().isEmpty()) {
            return figures.hosts().stream().map(host -> of(host, byStart)).toList();
        }
        SessionInfo info = figures.info();
        return info.pid() == 0 ? info : byStart ? new Process(info.host(), info.provenance().bootId(), info.pid(),
                Math.round((double) startNanos(info) / START_STEP_NANOS))
                : new Process(info.host(), "", info.pid(), info.command());
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
