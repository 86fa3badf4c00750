// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.junit.jupiter.api.Test;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.ProcessOutput;

/** Whatever arrives, reading ends with messages or a {@link FrameException}: nothing else is thrown. */
class FrameFuzzTest {
    private static final int ROUNDS = 20_000;

    @Test
    void mutatedFramesAreReadOrRefused() throws IOException {
        byte[] whole = FrameTest.frames(delta(), FrameTest.packet(300),
                FromAgent.newBuilder().setProcessOutput(ProcessOutput.newBuilder().setPid(4)).build());
        // A fixed seed, so that a failure can be repeated.
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261121);
        int refused = 0;
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            FrameReader<FromAgent> reader = FrameTest.reader(mutated(whole, random));
            try {
                for (Optional<FromAgent> message = reader.read(); message.isPresent(); message = reader.read()) {
                    assertThat(message.get().toByteArray()).isNotNull();
                    read++;
                }
            } catch (FrameException e) {
                assertThat(e.getMessage()).as("round %d", round).isNotBlank();
                refused++;
            }
        }
        assertThat(refused).as("of %d streams", ROUNDS).isGreaterThan(ROUNDS / 2);
        assertThat(read).isGreaterThan(ROUNDS / 10);
    }

    private static byte[] mutated(byte[] whole, RandomGenerator random) {
        byte[] bytes = whole.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
                default -> {
                    int from = random.nextInt(bytes.length);
                    int to = random.nextInt(bytes.length);
                    System.arraycopy(whole, Math.min(from, whole.length - 1), bytes, to,
                            Math.min(Math.min(bytes.length - to, whole.length - from), random.nextInt(64)));
                }
            }
        }
        return bytes;
    }

    private static FromAgent delta() {
        return FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().setBeginNs(1).setEndNs(2)
                .addFunctions(FunctionDelta.newBuilder().setFunctionId(1).setCalls(3)
                        .addMetrics(MetricDelta.newBuilder().setMetric(Metric.LOCK).setCount(2).setTotalNs(9)
                                .addBucketIndex(4).addBucketIndex(5).addBucketCount(1).addBucketCount(1)))).build();
    }
}
