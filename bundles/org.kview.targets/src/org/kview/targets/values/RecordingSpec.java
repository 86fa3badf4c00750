// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.ProbeWay;
import org.kview.model.Scope;

/**
 * What to record, and of whom.
 *
 * @param scopes    who is measured; agents so far take exactly one
 * @param functions to be probed; their index in the list becomes their id
 * @param events    whether each call and each context switch is also kept as an event
 * @param filter    how other processes are told apart
 * @param interval  time between two calls of {@link RecordingListener#interval}; zero for the agent's own, 500 ms
 * @param grace     how long it goes on at the host after its link is lost, up to an hour; zero: it ends with the link
 * @param budget    how much of the process's CPU time the probes may take
 * @param forceReturnProbes whether return addresses are replaced even where nothing proves that to be harmless: this
 *                  can end programs that unwind or switch stacks
 * @param way       how functions are measured
 * @param waits     whether it is told for what calls waited, and who woke them
 * @param costToOthers whether it is measured what the recording costs processes that are not recorded
 * @param conditions which calls of which functions are measured
 * @param owners    of a cgroup: in which of its processes the functions of a file are looked up, by the file's path
 * @param splits    by which values the figures of which functions are split
 * @param measures  what is counted within calls beside their time, by the names that agents have for it
 */
public record RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter,
        Duration interval, Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way,
        boolean waits, boolean costToOthers, CallConditions conditions, Map<String, Long> owners, CallSplits splits,
        List<String> measures) {
    /** Without waits, without the cost to others, and of all calls. */
    public RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter, Duration interval,
            Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way) {
        this(scopes, functions, events, filter, interval, grace, budget, forceReturnProbes, way, false, false);
    }

    /** Of time alone. */
    public RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter, Duration interval,
            Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way, boolean waits, boolean costToOthers, CallConditions conditions,
            Map<String, Long> owners, CallSplits splits) {
        this(scopes, functions, events, filter, interval, grace, budget, forceReturnProbes, way, waits, costToOthers, conditions, owners,
                splits, List.of());
    }

    /** Not split by values. */
    public RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter, Duration interval,
            Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way, boolean waits, boolean costToOthers, CallConditions conditions,
            Map<String, Long> owners) {
        this(scopes, functions, events, filter, interval, grace, budget, forceReturnProbes, way, waits, costToOthers, conditions, owners,
                CallSplits.NONE);
    }

    /** Of all calls. */
    public RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter, Duration interval,
            Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way, boolean waits, boolean costToOthers) {
        this(scopes, functions, events, filter, interval, grace, budget, forceReturnProbes, way, waits, costToOthers, CallConditions.NONE);
    }

    /** Of one process. */
    public RecordingSpec(List<Scope> scopes, List<FunctionInfo> functions, boolean events, Filter filter, Duration interval,
            Duration grace, Budget budget, boolean forceReturnProbes, ProbeWay way, boolean waits, boolean costToOthers,
            CallConditions conditions) {
        this(scopes, functions, events, filter, interval, grace, budget, forceReturnProbes, way, waits, costToOthers, conditions, Map.of());
    }

    public RecordingSpec {
        scopes = List.copyOf(scopes);
        functions = List.copyOf(functions);
        owners = Map.copyOf(owners);
        measures = List.copyOf(measures);
        Objects.requireNonNull(conditions);
        Objects.requireNonNull(splits);
        if (scopes.isEmpty() || functions.isEmpty() || interval.isNegative() || grace.isNegative()) {
            throw new IllegalArgumentException("A recording needs a scope, a function, and times that are not negative");
        }
    }
}
