// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.time.Duration;

import org.kview.targets.values.PointNames;
import org.kview.targets.values.TargetException;
import org.kview.targets.wire.WireValues;
import org.kview.wire.proto.FindPointsRequest;
import org.kview.wire.proto.ToAgent;

/** Points of a host's kernel, by their names. An older agent does not know these requests. */
public final class KernelPoints {

    /** So many tracepoints an agent measures at a time. */
    public static final int MOST_TRACEPOINTS = 511;

    private KernelPoints() {
    }

    /**
     * The system calls that a pattern matches.
     *
     * @throws TargetException of kind NO_SUCH_FUNCTION where none does, and others
     */
    public static PointNames systemCalls(Agent agent, String pattern) throws TargetException, InterruptedException {
        return find(agent, FindPointsRequest.newBuilder().setSystemCalls(pattern), "find the system calls", Agent.QUICK);
    }

    /**
     * The functions of the kernel that a pattern matches, and that can be probed.
     *
     * @throws TargetException of kind NO_SUCH_FUNCTION or NOT_PROBEABLE where none does, UNSUPPORTED where the kernel
     *                         lets none of its functions be probed, and others
     */
    public static PointNames functions(Agent agent, String pattern) throws TargetException, InterruptedException {
        return find(agent, FindPointsRequest.newBuilder().setKernelFunctions(pattern), "find the functions of the kernel",
                Agent.SLOW);
    }

    /**
     * The tracepoints of the kernel that a pattern matches, as "SYSTEM:NAME".
     *
     * @throws TargetException of kind NO_SUCH_FUNCTION or NOT_PROBEABLE where none does that can be measured, UNSUPPORTED or
     *                         NO_PERMISSION where the kernel names none, and others
     */
    public static PointNames tracepoints(Agent agent, String pattern) throws TargetException, InterruptedException {
        return find(agent, FindPointsRequest.newBuilder().setTracepoints(pattern), "find the tracepoints", Agent.QUICK);
    }

    private static PointNames find(Agent agent, FindPointsRequest.Builder request, String what, Duration patience)
            throws TargetException, InterruptedException {
        return agent.connection.request(ToAgent.newBuilder().setFindPoints(request), what, patience, WireValues::points);
    }
}
