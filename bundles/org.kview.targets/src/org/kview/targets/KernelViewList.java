// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.wire.WireViews;

/** Asks a host for its kernel views. */
public final class KernelViewList {

    private KernelViewList() {
    }

    /**
     * All views of that host, whoever made them.
     *
     * @throws TargetException of kind UNSUPPORTED without the module, or from an agent that is too old to tell; NO_PERMISSION
     *                         for a user who is not root; and others
     */
    public static KernelViews of(Agent agent) throws TargetException, InterruptedException {
        try {
            return agent.connection.request(WireViews.request(), "list the kernel views", Agent.QUICK, WireViews::views);
        } catch (TargetException e) {
            if (e.kind() == Kind.BAD_REQUEST) {
                throw new TargetException(Kind.UNSUPPORTED, "The agent there (" + agent.host().agentVersion()
                        + ") is too old to tell of kernel views; install the agent that came with this workbench");
            }
            throw e;
        }
    }
}
