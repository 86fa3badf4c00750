// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.compare.report.ComparisonJson;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;

/** Tracepoints stand beside what is compared: their hits take no time, and their rates are told and not judged. */
class HitRatesTest {
    private static ComparedSession session(String name, long hits) {
        var point = new ProbePoint.Tracepoint("sched", "sched_switch");
        var function = ProbedFunction.of(0, point.label(), point, Mechanism.TRACEPOINT, ProbedFunction.OF_HITS);
        Distribution between = new Distribution.Builder().add(1_000_000).build();
        return Recordings.session(name, Recordings.INFO, List.of(new FunctionLatency(function, hits, 0, 0, Map.of(Metric.BETWEEN, between))),
                Map.of());
    }

    @Test
    void theyAreTheSeconds() throws Exception {
        Comparison comparison = Comparer.compare(List.of(session("a", 20)), List.of(session("b", 35)), 0.05, () -> false);
        assertThat(comparison.functions()).isEmpty();
        assertThat(comparison.onlyA()).isEmpty();
        assertThat(comparison.warnings()).anySatisfy(warning -> assertThat(warning).startsWith("Whether tracepoints were hit more often is not judged.")
                .endsWith("tracepoint:sched:sched_switch 2.00 → 3.50."));
        JsonNode json = ValuesJson.MAPPER.readTree(ComparisonJson.of(comparison)).get("tracepoints").get(0);
        assertThat(json.get("name").asText()).isEqualTo("tracepoint:sched:sched_switch");
        assertThat(json.get("recordings_b").get(0).get("hits").asLong()).isEqualTo(35);
        assertThat(json.get("recordings_b").get(0).get("hits_per_s").asDouble()).isEqualTo(3.5);
    }

    @Test
    void aSideMayLackThem() {
        Comparison comparison = Comparer.compare(List.of(session("a", 20)), List.of(Recordings.session("b", List.of())), 0.05, () -> false);
        assertThat(HitRates.of(comparison.recordingsA(), comparison.recordingsB())).singleElement()
                .extracting(HitRates::text).isEqualTo("tracepoint:sched:sched_switch 2.00 → –");
    }
}
