// SPDX-License-Identifier: EPL-2.0
package org.kview.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.Provenance;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads the interval log of a recording of a minute, ten functions: a whole session, as opening one
 * does, against HdrHistogram's own reader of that one file, which trusts what it reads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogReadBenchmark {
    private static final int FUNCTIONS = 10;
    private static final int INTERVALS = 120;
    private static final int CALLS_EACH = 500;
    private static final long INTERVAL_NANOS = 500_000_000;

    private Path folder;

    @Setup
    public void record() throws IOException {
        folder = Files.createTempDirectory("bench").resolve("s.kview");
        Random random = new Random(1);
        List<ProbedFunction> functions = Stream.iterate(0, id -> id + 1).limit(FUNCTIONS).map(id -> ProbedFunction.of(id,
                "f" + id, new ProbePoint.UserFunction("/b", "f" + id, 0, 0, 0), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS)).toList();
        SessionInfo info = new SessionInfo(new SessionInfo.Host("local", "h", "6.18", Optional.empty()), List.of(), "c",
                new SessionInfo.Filtering("in", ""), Instant.EPOCH, Duration.ZERO,
                new SessionInfo.Ending(SessionInfo.State.RECORDING, "", Optional.empty()), Provenance.UNKNOWN);
        try (SessionWriter writer = SessionWriter.create(folder, info, functions, Optional.empty())) {
            for (int i = 0; i < INTERVALS; i++) {
                long callsSoFar = (i + 1L) * CALLS_EACH;
                List<FunctionInterval> parts = functions.stream().map(f -> new FunctionInterval(f.id(), callsSoFar, 0, 0,
                        Map.of(Metric.WALL, calls(random), Metric.ON_CPU, calls(random)))).toList();
                writer.append(new LatencyInterval(i * INTERVAL_NANOS, (i + 1) * INTERVAL_NANOS, parts, Losses.NONE,
                        ProcessShare.UNKNOWN, i == INTERVALS - 1));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
    }

    private static Distribution calls(Random random) {
        Distribution.Builder calls = new Distribution.Builder();
        for (int i = 0; i < CALLS_EACH; i++) {
            calls.add(Math.round(1e6 * Math.exp(0.7 * random.nextGaussian())));
        }
        return calls.build();
    }

    @TearDown
    public void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder.getParent())) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Benchmark
    public Object session() throws IOException {
        try (SessionReader reader = SessionReader.open(folder)) {
            return reader.snapshot();
        }
    }

    @Benchmark
    public long hdrHistogramsReader() throws IOException {
        long lines = 0;
        try (HistogramLogReader reader = new HistogramLogReader(folder.resolve("latency.hlog").toFile())) {
            for (EncodableHistogram next; (next = reader.nextIntervalHistogram()) != null;) {
                lines += next.getTag() == null ? 0 : 1;
            }
        }
        return lines;
    }
}
