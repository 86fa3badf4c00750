// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.LatencyFormat;
import org.kview.model.ProbePoint;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.ui.text.Counts;

/** The functions that were ticked so far, also by earlier searches. */
final class FunctionChoice {
    /** What identifies a function or another point, independent of what else is known about it. */
    record Key(ProbePoint point) {
        static Key of(FunctionInfo function) {
            return new Key(switch (function.point()) {
                case ProbePoint.UserFunction f -> new ProbePoint.UserFunction(f.binary(), f.symbol(), 0, f.fileOffset(), 0);
                case ProbePoint other -> other;
            });
        }
    }

    private final Map<Key, FunctionInfo> chosen = new LinkedHashMap<>();

    /** @return false where the function can't be probed, and so can't be chosen */
    boolean set(FunctionInfo function, boolean wanted) {
        if (!wanted) {
            chosen.remove(Key.of(function));
        } else if (function.probeable()) {
            chosen.put(Key.of(function), function);
        }
        return function.probeable();
    }

    boolean contains(FunctionInfo function) {
        return chosen.containsKey(Key.of(function));
    }

    /** Updates the chosen functions with what is known about them now. */
    void refresh(List<FunctionInfo> latest) {
        latest.forEach(function -> chosen.computeIfPresent(Key.of(function), (_, _) -> function));
    }

    void clear() {
        chosen.clear();
    }

    /** In the order in which they were chosen. */
    List<FunctionInfo> functions() {
        return List.copyOf(chosen.values());
    }

    static boolean isExpensive(FunctionInfo function) {
        return function.price().entry() == InstructionCost.SINGLE_STEPPED
                || function.price().exit() == InstructionCost.SINGLE_STEPPED;
    }

    /** "3 functions chosen, 1.5–10.2 µs a call"; says what is expensive. */
    String summary() {
        if (chosen.isEmpty()) {
            return "No function is chosen yet.";
        }
        var known = chosen.values().stream().mapToLong(f -> f.price().nanos()).filter(n -> n > 0)
                .summaryStatistics();
        String cost = known.getCount() == 0 ? "; what a call takes longer is measured when the recording starts"
                : ", each call takes "
                + (known.getMin() == known.getMax() ? LatencyFormat.nanos(known.getMin())
                        : LatencyFormat.nanos(known.getMin()) + " to " + LatencyFormat.nanos(known.getMax()))
                + " longer";
        return Counts.format(chosen.size(), "function is chosen", "functions are chosen") + cost + ".";
    }

    /** A sentence about chosen functions whose probes are single-stepped; empty if there are none. */
    String warning() {
        long expensive = chosen.values().stream().filter(FunctionChoice::isExpensive).count();
        return expensive == 0 ? "" : Counts.format(expensive, "chosen function begins or ends", "chosen functions begin or end")
                + " with an instruction that the kernel must single-step: several times as expensive. "
                + "Prefer functions that are called less than some 10,000 times a second.";
    }
}
