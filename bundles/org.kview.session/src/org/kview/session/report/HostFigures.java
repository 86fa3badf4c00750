// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;

/** What each of several hosts measured of the functions that were added up. */
final class HostFigures {
    private final Map<Object, List<OnHost>> parts = new HashMap<>();

    /** A function on one of several hosts. */
    record OnHost(String target, FunctionLatency latency) {
    }

    HostFigures(LatencySnapshot snapshot) {
        for (LatencySnapshot host : snapshot.hosts()) {
            host.functions().forEach(f -> parts.computeIfAbsent(MergedHosts.identity(f.function()), _ -> new ArrayList<>())
                    .add(new OnHost(host.info().target(), f)));
        }
    }

    /** The same function by host, those where it took most time first; empty if there is one host. */
    List<OnHost> of(FunctionLatency merged) {
        return parts.getOrDefault(MergedHosts.identity(merged.function()), List.of()).stream()
                .sorted(Comparator.comparingLong((OnHost h) -> h.latency().wall().totalNanos()).reversed()
                        .thenComparing(OnHost::target)).toList();
    }
}
