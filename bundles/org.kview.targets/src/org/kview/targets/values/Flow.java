// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

import org.kview.model.Metric;

/**
 * The ways that the slowest calls of one system call took through the kernel.
 *
 * @param process   the process as it was at the beginning
 * @param stretch   when it was looked at
 * @param root      the kernel's function of the system call, such as "__x64_sys_read"
 * @param functions those that steps name; some have the same name
 * @param calls     the slowest of those that were seen, the slowest first
 * @param seen      what all calls that were seen have in common
 * @param view      what was hooked, and what that took
 * @param losses    what was not seen
 * @param note      one sentence if it ended before its time; otherwise empty
 * @param notes     sentences about what may be wrong in the figures
 */
public record Flow(ProcessInfo process, Stretch stretch, String root, List<String> functions, List<Call> calls, Seen seen, View view,
        Losses losses, String note, List<String> notes) {

    public Flow {
        functions = List.copyOf(functions);
        calls = List.copyOf(calls);
        notes = List.copyOf(notes);
    }

    /**
     * Calls of the system call that began and ended meanwhile.
     *
     * @param wallNanos the sum of their times
     */
    public record Seen(long calls, long wallNanos) {
    }

    /**
     * The process's own view of the kernel, in which functions were hooked.
     *
     * @param hooked      functions
     * @param notHooked   functions that the kernel lists as traceable and that were left out
     * @param attachNanos until the process ran in the view
     * @param detachNanos from when it left until the view was gone
     * @param memoryBytes what the view took, with what steps were kept in
     */
    public record View(long hooked, long notHooked, long attachNanos, long detachNanos, long memoryBytes) {
    }

    /**
     * Each 0 where nothing is missing.
     *
     * @param calls         of the system call that could not be followed, for want of memory, or whose return was not seen
     * @param functions     calls of functions, also outside of the system call, that were not seen, as an eBPF program was running
     *                      on that CPU, or was what called them
     * @param switches      context switches within calls of the system call: a wait may stand as time on the CPU
     * @param missedReturns functions in the calls that are told that were not seen to return
     * @param unendedCalls  of the system call that had not ended at the end, or have no end
     * @param earlierCalls  of the system call that threads waited in as it began; there may have been more
     * @param interrupts    calls of functions in interrupts and softirqs, also outside of the system call: they stand as time of the
     *                      function that they came in
     */
    public record Losses(long calls, long functions, long switches, long missedReturns, long unendedCalls, long earlierCalls,
            long interrupts) {
    }

    /**
     * A call of the system call.
     *
     * @param beginNanos     on the host's monotonic clock
     * @param onCpuNanos     its wall-clock time less all its waits, also those that no step tells
     * @param result         what it returned, or the negative number of the error
     * @param steps          in order; the first enters the root. Together they have no more waits than the call
     * @param cutSteps       those after the last of the steps, which found no room; if 0, the last step leaves the root at the call's end
     * @param unseenSwitches context switches that were not seen, or seen at one end alone; of the latter, what is not known stands
     *                       as waiting
     */
    public record Call(long tid, String thread, long beginNanos, long wallNanos, long onCpuNanos, long result, List<Step> steps,
            long cutSteps, long unseenSwitches) {
        public Call {
            steps = List.copyOf(steps);
        }
    }

    /** What a thread did next. */
    public sealed interface Step {
        /** When, since the begin of the call. */
        long nanos();
    }

    /**
     * It called a function.
     *
     * @param function index in the flow's functions
     */
    public record Enter(long nanos, int function) implements Step {
    }

    /**
     * The innermost function that had been entered and not left returned.
     *
     * @param seen whether it was seen to: otherwise it did so at some time before
     */
    public record Leave(long nanos, boolean seen) implements Step {
    }

    /**
     * It left its CPU, and the next that it did was when it had one again.
     *
     * @param nanos         when it left
     * @param wallNanos     how long it was away, as far as it is told
     * @param cause         why, before it waited for a CPU as well
     * @param runQueueNanos of it, how long it could run and had no CPU
     * @param ended         whether it is told that it came back; if not, nothing more is told of the call
     */
    public record Wait(long nanos, long wallNanos, Metric cause, long runQueueNanos, boolean ended) implements Step {
    }
}
