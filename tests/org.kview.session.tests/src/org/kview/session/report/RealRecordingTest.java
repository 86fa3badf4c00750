// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventCursor;
import org.kview.ctf.TraceEvent;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.session.read.SessionReader;
import org.kview.testing.Golden;

/**
 * A recording of the demo workload, made by the agent: two seconds of four functions, with events, on
 * a busy machine with two CPUs.
 */
class RealRecordingTest {
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
        Map<Long, Map<Metric, Distribution.Builder>> traced = new TreeMap<>();
        try (EventCursor events = session.events().getFirst().trace().events()) {
            for (Optional<TraceEvent> event = events.next(); event.isPresent(); event = events.next()) {
                if (event.get() instanceof TraceEvent.CallExit call) {
                    Map<Metric, Distribution.Builder> own = traced.computeIfAbsent(call.function(), _ -> new TreeMap<>());
                    add(own, Metric.WALL, call.wallNanos());
                    add(own, Metric.ON_CPU, call.onCpuNanos());
                    call.causes().forEach(time -> add(own, time.cause().metric().orElseThrow(), time.nanos()));
                }
            }
        }
        for (FunctionLatency latency : session.snapshot().functions()) {
            Map<Metric, Distribution.Builder> own = traced.get((long) latency.function().id());
            for (Metric metric : Metric.values()) {
                Distribution counted = latency.distribution(metric);
                Distribution events = own.getOrDefault(metric, new Distribution.Builder()).build();
                assertThat(events).as(latency.function().name() + " " + metric).isEqualTo(counted);
                assertThat(events.bucketLimit()).isLessThanOrEqualTo(LatencyBuckets.COUNT);
            }
        }
    }

    private static void add(Map<Metric, Distribution.Builder> own, Metric metric, long nanos) {
        own.computeIfAbsent(metric, m -> new Distribution.Builder()).add(nanos);
    }

    @Test
    void exportedItIsTheSameTrace() throws IOException {
        Path ctf = temp.resolve("ctf");
        session.exportCtf(ctf, Assertions::fail);
        for (String name : new String[] {"metadata", "cpu_0", "cpu_1"}) {
            assertThat(ctf.resolve(name)).hasSameBinaryContentAs(session.trace().orElseThrow().resolve(name));
        }
    }
}
