// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.compare.report.ComparisonText;
import org.kview.testing.Measured;

/** A host that changes while it is recorded is no change of the program. */
@Tag("slow")
class RecordingOrderTest {
    private static final int PAIRS = 100;
    private static final double DRIFT = 0.02;

    /** Of the same program, by the order in which the sides were recorded; a host that gets slower by 2 % each time. */
    private static Comparison compare(long seed, String order, double drift) {
        SimulatedProgram program = new SimulatedProgram(seed * 7919L + 5, 0.01, 0.5).drifting(drift);
        return Comparer.compare(program.runs(places(order, 'A'), 0, 1), program.runs(places(order, 'B'), 0, 1),
                Comparer.MINIMUM_EFFECT, () -> false);
    }

    private static int[] places(String order, char side) {
        return IntStream.range(0, order.length()).filter(i -> order.charAt(i) == side).toArray();
    }

    @ParameterizedTest
    @CsvSource({"ABABAB, true", "BABABA, true", "ABBAAB, true", "AABBAB, true", "AABBAABB, true", "ABBABBAB, true",
        "AABABB, false", "AAABBB, false", "BBBAAA, false", "AAABBBAB, false", "AAABABBB, false"})
    void turnsAreTold(String order, boolean inTurns) {
        Comparison comparison = compare(1, order, 0);
        assertThat(comparison.isInTurns()).isEqualTo(inTurns).isEqualTo(comparison.isEnough());
        assertThat(comparison.warnings().stream().anyMatch(w -> w.contains("Record in turns"))).isEqualTo(!inTurns);
    }

    @Test
    void oneSideBeforeTheOtherIsSaid() {
        assertThat(compare(1, "AAABBB", 0).warnings()).anyMatch(w -> w.startsWith("All of A was recorded before all of B: "));
        assertThat(compare(1, "BBABAA", 0).warnings()).anyMatch(w -> w.startsWith("Most of B was recorded before most of A: "));
        Comparison drifted = compare(1, "AAABBB", 0.1);
        assertThat(drifted.changed()).isPositive();
        assertThat(ComparisonText.summary(drifted)).endsWith("in these recordings, not made in turns.");
        assertThat(ComparisonText.method(drifted)).anyMatch(s -> s.startsWith("Nothing is called changed, because one side"));
        assertThat(compare(1, "ABABAB", 0).warnings()).isEmpty();
    }

    /** What three one after the other would have called changed, and what is. */
    @ParameterizedTest
    @CsvSource({"ABABAB", "ABBAAB", "AABBAB", "AABBAABB", "AAABBB"})
    void aHostThatGetsSlowerIsNoChange(String order) {
        List<Comparison> all = IntStream.range(0, PAIRS).parallel().mapToObj(i -> compare(i, order, DRIFT)).toList();
        long differ = all.stream().filter(c -> c.changed() > 0).count();
        double changed = all.stream().filter(Comparison::isEnough).mapToLong(Comparison::changed).sum()
                / (double) PAIRS / SimulatedProgram.FUNCTIONS;
        Measured.tell("comparisons in which something differs", differ);
        Measured.tell("functions called changed", changed);
        assertThat(changed).isLessThanOrEqualTo(0.05);
        if (order.equals("AAABBB")) {
            assertThat(differ).as("it would have been called so").isGreaterThan(PAIRS / 2);
        }
    }
}
