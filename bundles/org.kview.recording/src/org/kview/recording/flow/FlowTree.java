// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import org.kview.targets.values.Flow;

/**
 * The way of a system call through the kernel: the functions that it called, and its waits in them. All of it adds up to the ns:
 * the root and what is not told are the call; a function is itself, its waits and what it called.
 *
 * @param root          the kernel's function of the system call, as far as it is told
 * @param notToldNanos  how long the call went on after the last step that is told; 0 if all are
 * @param notToldWaited of that: without a CPU
 * @param hiddenWaits   waits that no step tells, though the steps go on: in the tree they are time on a CPU
 */
public record FlowTree(FlowPart.Function root, long notToldNanos, long notToldWaited, long hiddenWaits) {
    /** No kernel calls functions so deeply. What a host that is not one tells has to be shown all the same. */
    public static final int MOST_DEPTH = 200;

    /** @param call of that flow */
    public static FlowTree of(Flow flow, Flow.Call call) {
        FlowPart.Function root = new TreeBuilder(flow.functions()).root(call.steps());
        long notTold = call.wallNanos() - root.wallNanos();
        long waits = call.wallNanos() - call.onCpuNanos() - root.waitedNanos();
        long within = Math.min(waits, notTold);
        return new FlowTree(root, notTold, within, waits - within);
    }
}
