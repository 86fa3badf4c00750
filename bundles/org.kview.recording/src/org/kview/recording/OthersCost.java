// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import java.util.Optional;

import org.kview.model.CostToOthers;
import org.kview.model.FunctionLatency;
import org.kview.statistics.Shift;
import org.kview.targets.values.OthersRounds;

/** Judges what a process that was not recorded saw of the recording. */
final class OthersCost {
    private OthersCost() {
    }

    /** @param told what the agent says; empty where it was asked for and did not */
    static CostToOthers of(Optional<OthersRounds> told, List<FunctionLatency> functions) {
        if (told.isEmpty()) {
            return CostToOthers.notMeasured("What the recording cost others was asked for, but the agent did not tell it: the link"
                    + " to it was lost, or it is older than this workbench.");
        }
        OthersRounds rounds = told.get();
        return new CostToOthers(rounds.operations().stream().map(operation -> judged(operation, functions)).toList(), rounds.cpu(),
                rounds.cpuUse(), rounds.cpuNanos(), rounds.note());
    }

    private static CostToOthers.Operation judged(OthersRounds.Operation told, List<FunctionLatency> functions) {
        double[] before = nanos(told.before());
        double[] during = nanos(told.during());
        double[] after = nanos(told.after());
        return new CostToOthers.Operation(told.name(), names(told.calls(), functions), names(told.standsFor(), functions),
                rounds(before), rounds(during), rounds(after), Shift.between(before, during, after).map(OthersCost::interval),
                Shift.of(before, after).map(OthersCost::interval));
    }

    private static CostToOthers.Rounds rounds(double[] nanos) {
        return new CostToOthers.Rounds(nanos.length, Shift.median(nanos));
    }

    private static CostToOthers.Interval interval(Shift shift) {
        return new CostToOthers.Interval(shift.by(), shift.low(), shift.high());
    }

    private static double[] nanos(List<Double> rounds) {
        return rounds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The numbers are the host's word, which may be anything. */
    private static List<String> names(List<Integer> ids, List<FunctionLatency> functions) {
        return functions.stream().map(FunctionLatency::function).filter(function -> ids.contains(function.id()))
                .map(function -> function.name()).toList();
    }
}
