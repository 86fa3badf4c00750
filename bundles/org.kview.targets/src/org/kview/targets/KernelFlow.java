// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import org.kview.targets.values.Flow;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.wire.WireFlow;

/** Asks a host for the ways that calls of a process take through its kernel. */
public final class KernelFlow {

    private KernelFlow() {
    }

    /**
     * Follows the calls of a system call, in a view of the kernel that is the process's own; returns when the time is over, the
     * process has ended, or {@link #end} was called. Not together with a recording.
     *
     * @throws TargetException of kind UNSUPPORTED without the kview module, and others
     */
    public static Flow of(Agent agent, FlowSpec spec) throws TargetException, InterruptedException {
        return agent.connection.request(WireFlow.request(spec), "follow the system call", Agent.SLOW.plus(spec.duration()),
                WireFlow::flow);
    }

    /** Ends what another thread waits for, with what was found so far. */
    public static void end(Agent agent) throws TargetException, InterruptedException {
        agent.connection.request(WireFlow.end(), "end following the system call", Agent.SLOW, WireFlow::ended);
    }
}
