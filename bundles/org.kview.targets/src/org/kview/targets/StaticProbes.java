// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import org.kview.targets.values.PointNames;
import org.kview.targets.values.TargetException;
import org.kview.targets.wire.WireValues;
import org.kview.wire.proto.FindPointsRequest;
import org.kview.wire.proto.StaticProbesOf;
import org.kview.wire.proto.ToAgent;

/** Static probes (USDT) of programs and libraries, by their names. An older agent does not know this request. */
public final class StaticProbes {

    /** So many an agent measures at a time. */
    public static final int MOST = 511;

    private StaticProbes() {
    }

    /**
     * Those of a file that a pattern matches, as "PROVIDER:NAME".
     *
     * @param pid    whose files are meant; 0 if {@code binary} is a path on the host
     * @param binary a path, or the base name of a file that the process maps
     * @param limit  at most this many names; 0: as many as the agent tells if it is not asked for more
     * @throws TargetException of kind NO_SUCH_FUNCTION or NOT_PROBEABLE where none does that can be measured, and others
     */
    public static PointNames find(Agent agent, long pid, String binary, String pattern, int limit)
            throws TargetException, InterruptedException {
        var wanted = StaticProbesOf.newBuilder().setPid((int) pid).setBinary(binary).setPattern(pattern);
        return agent.connection.request(ToAgent.newBuilder().setFindPoints(FindPointsRequest.newBuilder().setStaticProbes(wanted)
                .setLimit(limit)), "find the static probes", Agent.SLOW, WireValues::points);
    }
}
