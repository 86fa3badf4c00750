// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import org.kview.targets.channel.Connection;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.wire.WireViews;
import org.kview.wire.proto.ToAgent;

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
        return asked(agent, WireViews.request(), "list the kernel views", WireViews::views);
    }

    /**
     * The sites of one set of a view, whoever made it.
     *
     * @param names whether to tell what they are: that stays the same, and needs to be asked once
     * @throws TargetException as of the views; also FAILED if the set is gone, or its owner can't be looked at
     */
    public static KernelSites sites(Agent agent, long set, boolean names) throws TargetException, InterruptedException {
        return asked(agent, WireViews.sitesRequest(set, names), "list the sites of a kernel view", WireViews::sites);
    }

    private static <T> T asked(Agent agent, ToAgent.Builder request, String what, Connection.Conversion<T> conversion)
            throws TargetException, InterruptedException {
        try {
            return agent.connection.request(request, what, Agent.QUICK, conversion);
        } catch (TargetException e) {
            if (e.kind() == Kind.BAD_REQUEST) {
                throw tooOld(agent);
            }
            throw e;
        }
    }

    static TargetException tooOld(Agent agent) {
        return new TargetException(Kind.UNSUPPORTED, "The agent there (" + agent.host().agentVersion()
                + ") is too old to tell of kernel views; install the agent that came with this workbench");
    }
}
