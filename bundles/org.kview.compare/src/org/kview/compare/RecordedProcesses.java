/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;

/**
 * Of which processes the recordings of two sides are. Processes of the same program differ: in where
 * their memory lies, in how their heap has grown, in what their caches hold. Several recordings of one
 * process show nothing of that, so they tell of two processes how these differ, and not whether the
 * program did. Where both sides are of the same processes, nothing of it is between the sides.
 */
final class RecordedProcesses {
    private final List<Object> a;
    private final List<Object> b;
    private final boolean repeated;

    /** What tells one process from another; a process number comes back after the host has been restarted. */
    private record Process(String host, long pid, String command) {
    }

    RecordedProcesses(List<Comparison.Recorded> a, List<Comparison.Recorded> b) {
        this.a = a.stream().map(r -> of(r.figures())).toList();
        this.b = b.stream().map(r -> of(r.figures())).toList();
        repeated = Stream.concat(a.stream(), b.stream()).map(r -> r.figures().info()).distinct().count()
                < a.size() + b.size();
    }

    /** Of several hosts, those of all. One whose number is not known passes for one of its own. */
    private static Object of(LatencySnapshot figures) {
        if (!figures.hosts().isEmpty()) {
            return figures.hosts().stream().map(RecordedProcesses::of).toList();
        }
        SessionInfo info = figures.info();
        return info.pid() == 0 ? info : new Process(info.host(), info.pid(), info.command());
    }

    /** Whether no recording is given twice. */
    boolean areRecordedOnce() {
        return !repeated;
    }

    private boolean areTheSame() {
        return new HashSet<>(a).equals(new HashSet<>(b));
    }

    /** Whether each recording tells something that the others of its side do not. */
    boolean areIndependent() {
        return !repeated && (areTheSame() || fewer(true) == 0 && fewer(false) == 0);
    }

    /**
     * How many processes stand for more recordings than that; 0 if each recording has a process of its
     * own, or if both sides are of the same processes.
     */
    int fewer(boolean ofA) {
        List<Object> side = ofA ? a : b;
        int processes = new HashSet<>(side).size();
        return areTheSame() || processes == side.size() ? 0 : processes;
    }
}
