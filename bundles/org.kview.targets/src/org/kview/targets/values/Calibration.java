// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

import org.kview.model.ProbedFunction.ExitKind;

/**
 * What measuring costs on a target, measured there.
 *
 * @param probes      by kind of probe
 * @param switchNanos how much longer each context switch of an untraced process takes while a recording runs
 * @param note        one sentence where the costs are uncertain; otherwise empty
 */
public record Calibration(List<ProbeCost> probes, long switchNanos, String note) {
    public Calibration {
        probes = List.copyOf(probes);
    }

    /**
     * What probes of one kind cost.
     *
     * @param entry      kind of the instruction under the entry's probe
     * @param exit       how the end of a call is seen
     * @param exitCost   kind of the instruction under the exit's probe
     * @param innerNanos the part of the cost that falls inside the measured interval, and is subtracted
     * @param callNanos  the whole cost: how much longer a call takes
     */
    public record ProbeCost(InstructionCost entry, ExitKind exit, InstructionCost exitCost, long innerNanos,
            long callNanos) {
    }
}
