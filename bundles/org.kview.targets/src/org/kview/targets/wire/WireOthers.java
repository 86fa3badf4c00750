// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.util.List;

import org.kview.model.CostToOthers.CpuUse;
import org.kview.targets.values.OthersRounds;
import org.kview.wire.proto.CostToOthers;
import org.kview.wire.proto.OperationRounds;

/** Converts what a process that was not recorded saw of a recording. */
final class WireOthers {
    private WireOthers() {
    }

    static OthersRounds rounds(CostToOthers told) {
        CpuUse use = switch (told.getCpuUse()) {
            case FORBIDDEN -> CpuUse.FORBIDDEN;
            case UNUSED -> CpuUse.UNUSED;
            case SHARED -> CpuUse.SHARED;
            case CPU_USE_UNSPECIFIED, UNRECOGNIZED -> CpuUse.UNKNOWN;
        };
        return new OthersRounds(told.getOperationsList().stream().map(WireOthers::operation).toList(), told.getCpu(), use,
                told.getCpuNs(), told.getNote());
    }

    static OthersRounds.Operation operation(OperationRounds told) {
        long operations = Math.max(1, Integer.toUnsignedLong(told.getOperations()));
        return new OthersRounds.Operation(told.getName(), told.getCallsList(), told.getStandsForList(),
                each(told.getBeforeNsList(), operations), each(told.getDuringNsList(), operations),
                each(told.getAfterNsList(), operations));
    }

    /** What one operation took, in the median batch of each round. */
    private static List<Double> each(List<Long> rounds, long operations) {
        return rounds.stream().map(nanos -> (double) nanos / operations).toList();
    }
}
