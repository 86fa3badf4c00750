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
 * @param ways        of other ways to measure; empty if nobody asked for them
 */
public record Calibration(List<ProbeCost> probes, long switchNanos, String note, List<WayCost> ways) {
    public Calibration {
        probes = List.copyOf(probes);
        ways = List.copyOf(ways);
    }

    /**
     * What a way costs that has nothing to do with the code of programs.
     *
     * @param name      for the user
     * @param callNanos how much longer a call takes; 0 where that is not known
     * @param others    what it costs other processes, as a recording would say it
     * @param missing   why it can't be had on this host; otherwise empty
     */
    public record WayCost(String name, long callNanos, String others, String missing) {
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
