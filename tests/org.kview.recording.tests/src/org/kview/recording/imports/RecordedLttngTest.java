// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.babeltrace.TraceTrial;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.read.SessionReader;
import org.kview.testing.LttngRecording;

/** What LTTng recorded of a kernel and a program at once. */
class RecordedLttngTest {
    @TempDir
    private Path folder;

    private record Times(long calls, long wallNanos, long onCpuNanos) {
        static Times of(FunctionLatency function) {
            return new Times(function.calls(), total(function, Metric.WALL), total(function, Metric.ON_CPU));
        }
    }

    private static long total(FunctionLatency function, Metric metric) {
        return function.distribution(metric).totalNanos();
    }

    /** The expected times are those of a script of twenty lines over what {@code babeltrace2} prints of the two traces. */
    @Test
    void timesAreThoseOfTheSwitchesBetweenEntryAndExit() throws Exception {
        Path session = folder.resolve("s.kview");
        TraceImport.run(new ImportRequest(LttngRecording.in(folder), session, Optional.empty()), (_, _) -> { },
                _ -> new TraceTrial(Long.MAX_VALUE, false, ""));
        try (SessionReader reader = SessionReader.open(session)) {
            LatencySnapshot figures = reader.snapshot();
            assertThat(figures.problems()).isEmpty();
            assertThat(figures.info().host()).isEqualTo("kview-guest");
            Map<String, FunctionLatency> functions = figures.functions().stream()
                    .collect(Collectors.toMap(function -> function.function().name(), function -> function));
            assertThat(functions).hasSize(3);
            FunctionLatency compute = functions.get("0x4011a6");
            FunctionLatency nap = functions.get("0x4011f3");
            FunctionLatency basket = functions.get("0x40123d");
            assertThat(List.of(Times.of(compute), Times.of(nap), Times.of(basket))).containsExactly(new Times(40, 286_243_150, 286_087_670),
                    new Times(40, 271_094_130, 2_284_420), new Times(40, 614_023_150, 292_067_310));
            assertThat(functions.values()).allSatisfy(function -> assertThat(Metric.CAUSES.stream().mapToLong(cause -> total(function, cause)).sum())
                    .isEqualTo(total(function, Metric.WALL) - total(function, Metric.ON_CPU)));
            assertThat(total(nap, Metric.OTHER)).as("it slept 5 ms each time").isGreaterThan(40 * 5_000_000);
        }
    }
}
