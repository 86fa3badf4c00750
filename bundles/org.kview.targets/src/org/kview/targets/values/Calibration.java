// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import org.kview.model.ProbedFunction.ExitKind;

/**
 * What measuring costs on a target, measured there.
 *
 * @param probes      by kind of probe
 * @param switchNanos added to each context switch of a process that is not traced, while a recording runs
 * @param note        one sentence where the costs are not sure; else empty
 */
public record Calibration(List<ProbeCost> probes, long switchNanos, String note) {
    public Calibration {
        probes = List.copyOf(probes);
    }

    /**
     * What probes of one kind cost.
     *
     * @param entry      instruction under the entry's probe
     * @param exit       how the end of a call is seen
     * @param exitCost   instruction under the exit's probe
     * @param innerNanos the part inside the measured interval, which is subtracted
     * @param callNanos  what a call takes longer
     */
    public record ProbeCost(InstructionCost entry, ExitKind exit, InstructionCost exitCost, long innerNanos,
            long callNanos) {
    }
}
