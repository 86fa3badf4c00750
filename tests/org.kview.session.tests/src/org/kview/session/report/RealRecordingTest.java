/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.session.read.SessionReader;
import org.kview.session.read.TraceFiles;
import org.kview.testing.Golden;

/**
 * A recording of the demo workload, made by the agent: two seconds of four functions, with events, on
 * a busy machine with two CPUs.
 */
class RealRecordingTest {
    private static final int PACKET_HEADER_BYTES = 76;
    private static final int CALL_EXIT = 1;

    @TempDir
    Path temp;

    private SessionReader session;

    @BeforeEach
    void open() throws IOException {
        Path zip = temp.resolve("demo.kview.zip");
        try (InputStream in = RealRecordingTest.class.getResourceAsStream("data/demo.kview.zip")) {
            Files.copy(in, zip);
        }
        session = SessionReader.open(zip);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void itIsWhole() {
        assertThat(session.snapshot().problems()).isEmpty();
        assertThat(session.snapshot().losses().any()).isFalse();
    }

    @Test
    void reportsAreAsKept() throws IOException {
        Golden.assertSame(getClass(), "demo.json", JsonReport.of(session.snapshot()));
        Golden.assertSame(getClass(), "demo.txt", TableReport.of(session.snapshot(), TableStyle.PLAIN));
        Golden.assertSame(getClass(), "demo.csv", CsvReport.of(session.snapshot()));
    }

    @Test
    void timesAddUp() {
        for (FunctionLatency latency : session.snapshot().functions()) {
            long parts = latency.onCpu().totalNanos() + Metric.CAUSES.stream()
                    .mapToLong(cause -> latency.distribution(cause).totalNanos()).sum();
            assertThat(parts).as(latency.function().name()).isEqualTo(latency.wall().totalNanos());
        }
    }

    @Test
    void theTraceAndTheDistributionsTellTheSame() throws IOException {
        Map<Integer, Map<Metric, Distribution.Builder>> traced = new TreeMap<>();
        for (TraceFiles.StreamFile stream : TraceFiles.scan(session.trace().orElseThrow()).streams()) {
            ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(stream.file())).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                readPacket(in, traced);
            }
        }
        for (FunctionLatency latency : session.snapshot().functions()) {
            Map<Metric, Distribution.Builder> own = traced.get(latency.function().id());
            for (Metric metric : Metric.values()) {
                Distribution counted = latency.distribution(metric);
                Distribution events = own.getOrDefault(metric, new Distribution.Builder()).build();
                assertThat(events).as(latency.function().name() + " " + metric).isEqualTo(counted);
                assertThat(events.bucketLimit()).isLessThanOrEqualTo(LatencyBuckets.COUNT);
            }
        }
    }

    private static void readPacket(ByteBuffer in, Map<Integer, Map<Metric, Distribution.Builder>> sums) {
        int begin = in.position();
        int contentEnd = begin + (int) (in.getLong(begin + 40) / 8);
        int packetEnd = begin + (int) (in.getLong(begin + 48) / 8);
        in.position(begin + PACKET_HEADER_BYTES);
        while (in.position() < contentEnd) {
            int id = in.getInt();
            in.getLong();
            if (id == CALL_EXIT) {
                readCallExit(in, sums);
            } else {
                in.position(in.position() + switch (id) {
                    case 0 -> 10;
                    case 2 -> 9;
                    case 3 -> 25;
                    case 4 -> 20;
                    case 5 -> 4;
                    default -> throw new IllegalStateException("event " + id);
                });
            }
        }
        in.position(packetEnd);
    }

    private static void readCallExit(ByteBuffer in, Map<Integer, Map<Metric, Distribution.Builder>> sums) {
        in.getInt();
        Map<Metric, Distribution.Builder> own = sums.computeIfAbsent(in.getInt(), id -> new TreeMap<>());
        in.getShort();
        in.getLong();
        add(own, Metric.WALL, in.getLong());
        add(own, Metric.ON_CPU, in.getLong());
        for (int causes = in.get(); causes > 0; causes--) {
            add(own, Metric.ofValue(in.get()).orElseThrow(), in.getLong());
        }
    }

    private static void add(Map<Metric, Distribution.Builder> own, Metric metric, long nanos) {
        own.computeIfAbsent(metric, m -> new Distribution.Builder()).add(nanos);
    }

    @Test
    void exportedItIsTheSameTrace() throws IOException {
        Path ctf = temp.resolve("ctf");
        session.exportCtf(ctf);
        for (String name : new String[] {"metadata", "cpu_0", "cpu_1"}) {
            assertThat(ctf.resolve(name)).hasSameBinaryContentAs(session.trace().orElseThrow().resolve(name));
        }
    }
}
