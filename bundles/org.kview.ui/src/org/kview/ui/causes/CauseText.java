// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import org.kview.model.Metric;

/** What the parts of a call's time mean, and what to look at next. */
public final class CauseText {
    private CauseText() {
    }

    /** The end of a sentence that begins with "the call's thread …". */
    static String meaning(Metric metric) {
        return switch (metric) {
            case WALL -> "was within the call";
            case ON_CPU -> "ran on a CPU";
            case RUN_QUEUE -> "had been woken and waited for a CPU";
            case PREEMPTED -> "could run on, and was taken off its CPU";
            case BLOCK_IO -> "waited for a disk or another block device";
            case LOCK -> "waited for a futex: a mutex, condition or semaphore";
            case SLEEP -> "waited for a timer it had set";
            case NETWORK -> "waited for a socket or pipe, or in poll, select or epoll";
            case PAGE_FAULT -> "waited for memory, and not for a disk";
            case STEAL -> "had its CPU taken by the hypervisor";
            case THROTTLED -> "had used up its control group's CPU quota";
            case STOPPED -> "was stopped: by the freezer, a signal or a debugger";
            case OTHER -> "waited for something the kernel does not name";
            case BETWEEN -> "came to the point, and then to it again";
        };
    }

    /** What to look at where it is the largest part, as the end of a sentence that begins with "Look next at …". */
    public static String next(Metric metric) {
        return switch (metric) {
            case ON_CPU -> "what it computes, in a profile";
            case RUN_QUEUE -> "what else wants the CPUs: too many threads, a CPU limit, pinning";
            case PREEMPTED -> "what else wants the CPUs, and with which priority";
            case BLOCK_IO -> "fsync, reads that miss the page cache, and the disk itself";
            case LOCK -> "who holds it: Waits names the holder where it is known, Waker in Calls who ended the wait";
            case SLEEP -> "polling loops, back-off and rate limits";
            case NETWORK -> "the other side of the socket or pipe; an idle worker waits here, too";
            case PAGE_FAULT -> "first touches of memory, huge pages and memory pressure";
            case STEAL -> "the host below, and its other guests";
            case THROTTLED -> "the container's CPU limit, and bursts that use it up at once";
            case STOPPED -> "who froze or stopped it, and why";
            case WALL, OTHER -> "its switch_out events, which have the number of the system call";
            case BETWEEN -> "how often it is hit, which is counted and has no cause";
        };
    }
}
