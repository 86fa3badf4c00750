// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * A process of the target.
 *
 * @param pid           its number
 * @param parentPid     0 if none
 * @param user          its effective user
 * @param name          the kernel's short name of it
 * @param program       what it executes
 * @param threads       how many
 * @param cpuTimeNanos  user and system time since its start
 * @param startNanos    the host's CLOCK_MONOTONIC
 * @param cgroup        path; may be empty
 * @param kernelThread  whether it is a thread of the kernel, which can't be probed
 */
public record ProcessInfo(long pid, long parentPid, User user, String name, Program program, int threads, long cpuTimeNanos,
        long startNanos, String cgroup, boolean kernelThread) {
    private static final long SAME_START_NANOS = 10_000_000;

    /**
     * A user of the host.
     *
     * @param name the number as text where that user has none
     */
    public record User(int uid, String name) {
    }

    /**
     * A program that was executed.
     *
     * @param executable path; empty for kernel threads and where it can't be read
     * @param arguments  the command line; empty for kernel threads
     */
    public record Program(String executable, List<String> arguments) {
        public Program {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * Whether this is that process, of an earlier list. A number is given again; the start that is told has steps of 10 ms,
     * and the time that the host was suspended, which is not in it, is read anew for each list.
     */
    public boolean isSameAs(ProcessInfo earlier) {
        return pid == earlier.pid && Math.abs(startNanos - earlier.startNanos) < SAME_START_NANOS
                && cpuTimeNanos >= earlier.cpuTimeNanos;
    }

    /** The command line as one text; a kernel thread's name in brackets. */
    public String command() {
        return !program.arguments().isEmpty() ? String.join(" ", program.arguments()) : kernelThread ? "[" + name + "]" : name;
    }
}
