// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.kview.model.CallFates;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Overhead;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;

/** Values of recordings, for tests that do not care about the rest of them: that is not known, or did not happen. */
public final class Recorded {
    private Recorded() {
    }

    /** A recording of a process. */
    public static SessionInfo info(String target, String host, String kernel, long pid, String command, String filter,
            String filterNote, Instant start, Duration duration, SessionInfo.State state, String stateNote) {
        return new SessionInfo(new SessionInfo.Host(target, host, kernel, Optional.empty()),
                pid == 0 ? List.of() : List.of(new Scope.Process(pid, 0)), command, new SessionInfo.Filtering(filter, filterNote), start,
                duration, new SessionInfo.Ending(state, stateNote, Optional.empty()), Provenance.UNKNOWN);
    }

    /** A function of a program or library, measured by a trap, whose ends are all seen. */
    public static ProbedFunction function(int id, String name, String symbol, String binary, long address, long fileOffset,
            long sizeBytes, ProbedFunction.ExitKind exit, long innerCostNanos, long callCostNanos) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction(binary, symbol, address, fileOffset, sizeBytes), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(exit), new ProbedFunction.Cost(innerCostNanos, callCostNanos), 0);
    }

    public static CallFates fates(LostCalls lost, long cutCalls, long inconsistentCalls, long removedNanos,
            long uncertainNanos, long passedSites, long costNanos, Optional<CallFates.ProbesOff> probesOff) {
        return new CallFates(lost, cutCalls, inconsistentCalls,
                new CallFates.ProbesCost(removedNanos, uncertainNanos, 0, passedSites, costNanos), probesOff, CallFates.Limits.UNKNOWN, false);
    }

    public static Overhead overhead(long perCallNanos, boolean calibrated) {
        return new Overhead(perCallNanos, calibrated, Optional.empty(), "", ProcessShare.UNKNOWN, Optional.empty(), "");
    }

    public static LatencyInterval interval(long beginNanos, long endNanos, List<FunctionInterval> functions, Losses losses,
            boolean last) {
        return new LatencyInterval(beginNanos, endNanos, functions, losses, ProcessShare.UNKNOWN, last);
    }
}
