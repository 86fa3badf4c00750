// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.statistics.FunctionSlices;

class RecordingGroupTest {

    /** Two slices with so many calls. */
    private static List<Distribution> slices(int first, int second) {
        return List.of(calls(first), calls(second));
    }

    private static Distribution calls(int count) {
        Distribution.Builder calls = new Distribution.Builder();
        for (int i = 0; i < count; i++) {
            calls.add(1000);
        }
        return calls.build();
    }

    /** A program has two static functions of a name, and one more behind them. */
    private static ComparedSession recording(String name) {
        List<String> names = List.of("init", "init", "main");
        List<List<Distribution>> slices = List.of(slices(1, 2), slices(10, 20), slices(100, 200));
        List<FunctionLatency> latencies = List.of(0, 1, 2).stream()
                .map(i -> Recordings.latency(Recordings.function(i, names.get(i), "/usr/bin/checkout"), slices.get(i))).toList();
        return Recordings.session(name, Recordings.INFO, latencies, Map.of(0, FunctionSlices.ofWall(slices.get(0)),
                1, FunctionSlices.ofWall(slices.get(1)), 2, FunctionSlices.ofWall(slices.get(2))));
    }

    @Test
    void functionsThatShareANameAreAddedUpAndTheOthersKeepTheirOwnSlices() {
        RecordingGroup group = new RecordingGroup(List.of(recording("a"), recording("b")));
        assertThat(group.sum().functions()).extracting(f -> f.function().name()).containsExactly("init", "main");
        List<RecordingGroup.Part> init = group.parts(group.sum().functions().get(0).function()).stream().map(p -> p.orElseThrow()).toList();
        List<RecordingGroup.Part> main = group.parts(group.sum().functions().get(1).function()).stream().map(p -> p.orElseThrow()).toList();
        assertThat(init).hasSize(2).allSatisfy(part -> {
            assertThat(part.latency().calls()).isEqualTo(33);
            assertThat(part.slices().orElseThrow()).hasToString("FunctionSlices[11, 22]");
        });
        assertThat(main).hasSize(2).allSatisfy(part -> {
            assertThat(part.latency().calls()).isEqualTo(300);
            assertThat(part.slices().orElseThrow()).hasToString("FunctionSlices[100, 200]");
        });
    }
}
