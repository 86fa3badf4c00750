// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;

/**
 * What only one of two sides has: functions that were not probed in the other one, and values that their functions were not called with there; and values of
 * which that is not known, as the other side counts them among its other values. A recording has room for so many values, and which
 * come first differs.
 *
 * @param only        of this side
 * @param amongOthers values of this side of which there may be calls among the other values of the other one
 */
record OneSided(List<FunctionLatency> only, List<FunctionLatency> amongOthers) {

    static OneSided ofA(LatencySnapshot a, FunctionMatcher matches) {
        return of(a, matches.onlyA(), matches.pairs(), FunctionPair::a, FunctionPair::b);
    }

    static OneSided ofB(LatencySnapshot b, FunctionMatcher matches) {
        return of(b, matches.onlyB(), matches.pairs(), FunctionPair::b, FunctionPair::a);
    }

    private static OneSided of(LatencySnapshot side, List<FunctionLatency> unmatched, List<FunctionPair> pairs,
            Function<FunctionPair, FunctionLatency> own, Function<FunctionPair, FunctionLatency> other) {
        Map<FunctionLatency, FunctionLatency> inOther = new IdentityHashMap<>();
        pairs.forEach(pair -> inOther.put(own.apply(pair), other.apply(pair)));
        List<FunctionLatency> only = new ArrayList<>(unmatched);
        List<FunctionLatency> amongOthers = new ArrayList<>();
        for (FunctionLatency function : side.functions()) {
            FunctionLatency there = inOther.get(function);
            if (there != null && !there.function().by().isEmpty()) {
                List<FunctionLatency> byValue = function.byValue();
                for (int i = 0; i < byValue.size(); i++) {
                    if (there.mayHaveCallsOf(function.values().get(i).value()) && only.remove(byValue.get(i))) {
                        amongOthers.add(byValue.get(i));
                    }
                }
            }
        }
        return new OneSided(List.copyOf(only), List.copyOf(amongOthers));
    }

    /** Whether there are functions among them, and not values alone. */
    boolean hasFunctions() {
        return only.stream().anyMatch(f -> !f.function().isOfValue());
    }
}
