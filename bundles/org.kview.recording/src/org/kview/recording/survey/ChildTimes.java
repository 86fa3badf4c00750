// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.kview.targets.values.ProcessInfo;

/**
 * What a process below the surveyed one computed while that was surveyed: a server's workers, what a shell started. A
 * survey itself tells nothing of these.
 *
 * @param process  a child of the surveyed process, a child's child, and so on
 * @param cpuNanos what it ran between the two lists, user and system time
 */
public record ChildTimes(ProcessInfo process, long cpuNanos) {
    /**
     * Those that computed, the busiest first. Children that ended before the second list are not among them, nor is what
     * they ran.
     *
     * @param before the host's processes as the survey began
     * @param after  and as it ended
     */
    public static List<ChildTimes> between(ProcessInfo surveyed, List<ProcessInfo> before, List<ProcessInfo> after) {
        Map<Long, ProcessInfo> earlier = new HashMap<>();
        before.forEach(process -> earlier.put(process.pid(), process));
        return below(surveyed, after).stream()
                .map(process -> new ChildTimes(process, process.cpuTimeNanos() - cpuBefore(process, earlier)))
                .filter(child -> child.cpuNanos() > 0)
                .sorted(Comparator.comparingLong(ChildTimes::cpuNanos).reversed()).toList();
    }

    /** 0 for one that had not begun, though another one had its number. */
    private static long cpuBefore(ProcessInfo process, Map<Long, ProcessInfo> earlier) {
        ProcessInfo then = earlier.get(process.pid());
        return then == null || !process.isSameAs(then) ? 0 : then.cpuTimeNanos();
    }

    /** Each once, whatever the list says of who started whom. */
    private static List<ProcessInfo> below(ProcessInfo surveyed, List<ProcessInfo> processes) {
        Map<Long, List<ProcessInfo>> children = new HashMap<>();
        processes.forEach(process -> children.computeIfAbsent(process.parentPid(), _ -> new ArrayList<>()).add(process));
        List<ProcessInfo> below = new ArrayList<>();
        Set<Long> seen = new HashSet<>(Set.of(surveyed.pid()));
        Deque<Long> parents = new ArrayDeque<>(seen);
        while (!parents.isEmpty()) {
            for (ProcessInfo child : children.getOrDefault(parents.remove(), List.of())) {
                if (seen.add(child.pid())) {
                    below.add(child);
                    parents.add(child.pid());
                }
            }
        }
        return below;
    }
}
