// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * A process of the target.
 *
 * @param pid           its number
 * @param parentPid     0 if none
 * @param uid           its effective user
 * @param user          that user's name, or its number as text
 * @param name          the kernel's short name of it
 * @param arguments     its command line; empty for kernel threads
 * @param executable    path; empty for kernel threads and where it can't be read
 * @param threads       how many
 * @param cpuTimeNanos  user and system time since its start
 * @param startNanos    the host's CLOCK_MONOTONIC
 * @param cgroup        path; may be empty
 * @param kernelThread  whether it is a thread of the kernel, which can't be probed
 */
public record ProcessInfo(long pid, long parentPid, int uid, String user, String name, List<String> arguments,
        String executable, int threads, long cpuTimeNanos, long startNanos, String cgroup, boolean kernelThread) {
    private static final long SAME_START_NANOS = 10_000_000;

    public ProcessInfo {
        arguments = List.copyOf(arguments);
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
        return !arguments.isEmpty() ? String.join(" ", arguments) : kernelThread ? "[" + name + "]" : name;
    }
}
