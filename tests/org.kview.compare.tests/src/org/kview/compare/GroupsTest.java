/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How often groups of recordings are judged wrongly, by simulation. The numbers are pseudo-random from
 * fixed seeds, so the tests always say the same.
 */
class GroupsTest {
    private static final int PAIRS = 200;
    private static final int RECORDINGS = 3;
    private static final int SLOWER = 2;

    private static Comparison compare(List<ComparedSession> a, List<ComparedSession> b) {
        return Comparer.compare(a, b, Comparer.MINIMUM_EFFECT, () -> false);
    }

    /** The share of all functions of pairs of groups of the same program that are called changed. */
    private static double changed(int recordings, double runToRun, double shared, double minimumEffect) {
        long changed = IntStream.range(0, PAIRS).parallel().mapToLong(pair -> {
            SimulatedProgram program = new SimulatedProgram(pair * 7919L + 1, runToRun, shared);
            return Comparer.compare(program.runs(recordings), program.runs(recordings), minimumEffect, () -> false)
                    .changed();
        }).sum();
        return (double) changed / PAIRS / SimulatedProgram.FUNCTIONS;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.01, 0.5", "0.03, 0", "0.03, 1", "0.1, 0.5", "0.1, 1"})
    void atMostOneOfTwentyFunctionsOfTheSameProgramIsCalledChanged(double runToRun, double shared, TestReporter reporter) {
        double share = changed(RECORDINGS, runToRun, shared, 0);
        reporter.publishEntry("called changed", Double.toString(share));
        assertThat(share).isLessThanOrEqualTo(0.05);
    }

    /** What one recording a side is worth: that is why it may say no more than that two recordings differ. */
    @Test
    void oneRecordingASideFindsWhatDiffersFromRunToRun(TestReporter reporter) {
        double share = changed(1, 0.03, 0.5, Comparer.MINIMUM_EFFECT);
        reporter.publishEntry("differ", Double.toString(share));
        assertThat(share).isGreaterThan(0.05);
    }

    /** Where runs differ by 2 % and all functions wholly alike, six runs tell as little as of one function. */
    @ParameterizedTest
    @CsvSource({"0.01, 0.5, 0.95", "0.02, 0, 0.95", "0.02, 0.5, 0.95", "0.02, 1, 0.8"})
    void aTenthSlowerIsFound(double runToRun, double shared, double least, TestReporter reporter) {
        long found = IntStream.range(0, PAIRS).parallel().mapToLong(pair -> {
            SimulatedProgram program = new SimulatedProgram(pair * 104_729L + 7, runToRun, shared);
            return compare(program.runs(RECORDINGS), program.runs(RECORDINGS, SLOWER, 1.1)).functions().stream()
                    .filter(f -> f.name().equals("f0") || f.name().equals("f1")).filter(FunctionComparison::differs).count();
        }).sum();
        reporter.publishEntry("found", Double.toString((double) found / PAIRS / SLOWER));
        assertThat((double) found / PAIRS / SLOWER).isGreaterThanOrEqualTo(least);
    }
}
