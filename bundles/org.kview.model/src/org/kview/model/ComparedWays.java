// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the ways to record something in the kernel cost on one host, side by side: the process that is recorded, and others. Two
 * processes of the agent's own made the same calls in turn, before a way was attached to one of them, while it was, and after that;
 * all ways in turn, several times.
 *
 * @param target  the host
 * @param kernel  its kernel's release
 * @param machine as {@code uname -m}
 * @param cpus    how many it has
 * @param begun   when they began to be compared
 * @param ways    in the order of {@link Kind}; those that nobody asked for are left out
 */
public record ComparedWays(String target, String kernel, String machine, int cpus, Instant begun, List<Way> ways) {
    public ComparedWays {
        ways = List.copyOf(ways);
    }

    /** Where it is decided whose calls are recorded, and what it is that is recorded. */
    public enum Kind {
        CALL_VIEW("call-view", "View: the system call", false),
        FUNCTION_VIEW("function-view", "View: a function of the kernel", false),
        CALL_IN("call-in", "In eBPF: the system call, by tracepoints", true),
        FUNCTION_MULTI("function-multi", "In eBPF: a function, by kprobe.multi", true),
        FUNCTION_SINGLE("function-single", "In eBPF: a function, by a kprobe", true),
        CALL_POST("call-post", "Afterwards: all system calls of all", true);

        private final String id;
        private final String label;
        private final boolean concernsAll;

        Kind(String id, String label, boolean concernsAll) {
            this.id = id;
            this.label = label;
            this.concernsAll = concernsAll;
        }

        /** What an id stands for; empty for those of newer versions. */
        public static Optional<Kind> of(String id) {
            return Stream.of(values()).filter(kind -> kind.id.equals(id)).findFirst();
        }

        /** The name for programs; never changes. */
        public String id() {
            return id;
        }

        public String label() {
            return label;
        }

        /** Whether all processes of the host pass it while it is attached. */
        public boolean concernsAll() {
            return concernsAll;
        }

        /** Whether nobody records so, and it is there to be compared with: nothing is filtered in the kernel. */
        public boolean isForComparisonOnly() {
            return this == CALL_POST;
        }
    }

    /**
     * One way.
     *
     * @param missing       why there are no costs, as a sentence; otherwise empty
     * @param costs         by operation, the recorded one first
     * @param attachedNanos how long all processes of the host passed it, in all
     * @param note          what the costs leave out, in sentences; otherwise empty
     */
    public record Way(Kind kind, String missing, List<Cost> costs, long attachedNanos, String note) {
        public Way {
            costs = List.copyOf(costs);
            if (costs.isEmpty() == missing.isEmpty()) {
                throw new IllegalArgumentException("a way has costs, or a reason why it has none");
            }
        }
    }

    /**
     * How much longer an operation takes.
     *
     * @param operation      "read() of /dev/zero"
     * @param rounds         how many there were while the way was attached
     * @param untouchedNanos what it takes where nothing is recorded
     * @param traced         the process that is recorded; empty with too few rounds
     * @param others         likewise, one that is not
     */
    public record Cost(String operation, int rounds, double untouchedNanos, Optional<CostToOthers.Interval> traced,
            Optional<CostToOthers.Interval> others) {
        public Cost {
            if (!(untouchedNanos >= 0) || Double.isInfinite(untouchedNanos)) {
                throw new IllegalArgumentException("an operation took less than nothing");
            }
        }
    }

    /** Of how many CPUs a machine would be short that makes so many of the recorded call a second, none of them the recorded process's. */
    public static double cpus(double nanosEach, long callsEachSecond) {
        return nanosEach * callsEachSecond / 1e9;
    }
}
