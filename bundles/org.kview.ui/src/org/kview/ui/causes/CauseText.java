// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import org.kview.model.Metric;

/** What the parts of a call's time mean, as the end of a sentence that begins with "the call's thread …". */
final class CauseText {
    private CauseText() {
    }

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
        };
    }
}
