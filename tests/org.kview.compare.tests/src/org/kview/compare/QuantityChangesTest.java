// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.kview.compare.report.ComparisonHtml;
import org.kview.compare.report.ComparisonJson;
import org.kview.compare.report.ComparisonTable;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.Quantity;
import org.kview.model.Waits;
import org.kview.session.json.ValuesJson;
import org.kview.session.report.TableStyle;

import com.fasterxml.jackson.databind.JsonNode;

/** What calls took beside their time stands beside how long they took. */
class QuantityChangesTest {
    private static final Quantity FAULTS = new Quantity("minor_faults", "minor page faults", Quantity.Unit.COUNT);
    private static final Quantity READ = new Quantity("io_read_bytes", "read", Quantity.Unit.BYTES);
    private static final int CALLS = 100;

    private final Random random = new Random(15);

    /** A recording of a function with so many faults a call, about, and reads of 4 KiB in each call if any. */
    private ComparedSession session(int number, double faults, boolean reads, Quantity... counted) {
        ProbedFunction function = new ProbedFunction(0, "load", new ProbePoint.UserFunction("/bin/shop", "load", 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", List.of(counted));
        Distribution.Builder times = new Distribution.Builder(), taken = new Distribution.Builder(), bytes = new Distribution.Builder();
        for (int i = 0; i < CALLS; i++) {
            times.add(1_000_000);
            taken.add(Math.round(faults * (0.9 + 0.2 * random.nextDouble())));
            bytes.add(4096);
        }
        Distribution wall = times.build();
        return Recordings.session("r" + number, Recordings.info(number, 20 * number), List.of(new FunctionLatency(function, CALLS, 0, 0, Optional.empty(),
                Map.of(Metric.WALL, wall, Metric.ON_CPU, wall), List.of(), reads ? Map.of(FAULTS, taken.build(), READ, bytes.build())
                        : Map.of(FAULTS, taken.build()))), Map.of());
    }

    /** Four a side, in turns. */
    private Comparison groups(double faultsA, double faultsB) {
        List<ComparedSession> a = new ArrayList<>();
        List<ComparedSession> b = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            a.add(session(2 * i, faultsA * (0.97 + 0.02 * i), false, FAULTS, READ));
            b.add(session(2 * i + 1, faultsB * (0.97 + 0.02 * i), false, FAULTS, READ));
        }
        return Comparer.compare(a, b, Comparer.MINIMUM_EFFECT, () -> false);
    }

    @Test
    void ofSeveralRecordingsEachQuantityIsJudged() throws Exception {
        Comparison comparison = groups(300, 500);
        List<QuantityChange> changes = QuantityChanges.of(comparison).of(comparison.functions().getFirst());
        assertThat(changes).extracting(QuantityChange::quantity).containsExactlyInAnyOrder(FAULTS, READ);
        Change faults = changes.stream().filter(change -> change.quantity().equals(FAULTS)).findFirst().orElseThrow().perCall();
        assertThat(faults.significance()).isEqualTo(Significance.BEYOND_NOISE);
        assertThat(faults.difference()).isBetween(180.0, 220.0);
        assertThat(faults.interval().orElseThrow().lowNanos()).isBetween(100.0, faults.difference());
        assertThat(faults.interval().orElseThrow().highNanos()).isBetween(faults.difference(), 300.0);
        assertThat(ComparisonTable.of(comparison, TableStyle.PLAIN)).containsPattern("minor page faults: \\d\\d\\d → \\d\\d\\d a call, beyond noise \\(95 %: \\+")
                .doesNotContain("read:");
        assertThat(ComparisonHtml.of(comparison)).contains("minor page faults: ");
        JsonNode json = ValuesJson.MAPPER.readTree(ComparisonJson.of(comparison)).get("functions").get(0).get("quantities");
        assertThat(json.findValuesAsText("id")).containsExactlyInAnyOrder("minor_faults", "io_read_bytes");
        assertThat(json.findValuesAsText("significance")).containsExactlyInAnyOrder("beyond_noise", "within_noise");
        assertThat(json.findValues("recordings_b")).allMatch(values -> values.size() == 4);
    }

    @Test
    void whatDiffersByChanceIsNotAChange() {
        Comparison comparison = groups(300, 302);
        assertThat(QuantityChanges.of(comparison).of(comparison.functions().getFirst())).extracting(change -> change.perCall().significance())
                .containsOnly(Significance.WITHIN_NOISE);
    }

    @Test
    void ofOneRecordingASideItIsToldAndNotJudged() {
        Comparison comparison = Comparer.compare(session(0, 300, true, FAULTS, READ), session(1, 500, true, READ, FAULTS));
        assertThat(QuantityChanges.of(comparison).of(comparison.functions().getFirst())).extracting(change -> change.perCall().interval()).containsOnly(Optional.empty());
        assertThat(ComparisonTable.of(comparison, TableStyle.PLAIN)).contains("read: 4 KiB → 4 KiB a call, not judged");
    }

    @Test
    void whatOneSideAloneCountedIsNotCompared() throws Exception {
        Comparison comparison = Comparer.compare(session(0, 300, false, FAULTS), session(1, 300, false));
        assertThat(QuantityChanges.of(comparison).of(comparison.functions().getFirst())).isEmpty();
        assertThat(ValuesJson.MAPPER.readTree(ComparisonJson.of(comparison)).get("functions").get(0).has("quantities")).isFalse();
    }
}
