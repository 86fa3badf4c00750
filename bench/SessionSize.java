// SPDX-License-Identifier: EPL-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

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
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.session.write.SessionWriter;

/**
 * Run by bench/session-size: FOLDER FUNCTIONS MINUTES. Writes a session whose functions are all called in each interval,
 * 50 times, with four metrics, as fast as it can, and prints after each fifth of it what it has on the disk.
 */
final class SessionSize {
    private static final int CALLS = 50;
    private static final long INTERVAL = 500_000_000;
    private static final List<Metric> METRICS = List.of(Metric.WALL, Metric.ON_CPU, Metric.LOCK, Metric.RUN_QUEUE);
    private static final int SHAPES = 64;

    private SessionSize() {
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int functions = Integer.parseInt(arguments[1]);
        long intervals = Duration.ofMinutes(Integer.parseInt(arguments[2])).toNanos() / INTERVAL;
        List<ProbedFunction> probed = new ArrayList<>();
        for (int i = 0; i < functions; i++) {
            probed.add(new ProbedFunction(i, "handle_request_" + i,
                    new ProbePoint.UserFunction("/usr/bin/shop", "handle_request_" + i, 0x1000 + i, 0x1000 + i, 200), Mechanism.TRAP,
                    ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(ProbedFunction.ExitKind.RETURN_SITES),
                    new ProbedFunction.Cost(180, 2300), 0));
        }
        List<Distribution> shapes = shapes();
        SessionInfo info = new SessionInfo(new SessionInfo.Host("local", "host", "6.1", Optional.empty()), List.of(new Scope.Process(1, 0)),
                "/usr/bin/shop", new SessionInfo.Filtering("in", ""), Instant.now(), Duration.ZERO,
                new SessionInfo.Ending(SessionInfo.State.RECORDING, "", Optional.empty()), Provenance.UNKNOWN);
        long cpu = cpuNanos();
        try (SessionWriter writer = SessionWriter.create(folder, info, probed, Optional.empty())) {
            for (long i = 0; i < intervals; i++) {
                writer.append(new LatencyInterval(i * INTERVAL, (i + 1) * INTERVAL, parts(functions, i, shapes),
                        Losses.NONE, ProcessShare.UNKNOWN, i + 1 == intervals));
                if ((i + 1) % Math.max(1, intervals / 5) == 0) {
                    System.out.printf(Locale.ROOT, "%5d functions %5.1f min: latency.hlog %7.1f MB, session.json %6.1f kB,"
                            + " %5.2f ms of CPU an interval%n", functions, (i + 1) * (INTERVAL / 6e10),
                            Files.size(folder.resolve("latency.hlog")) / 1e6,
                            Files.size(folder.resolve("session.json")) / 1e3, (cpuNanos() - cpu) / 1e6 / (i + 1));
                }
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Log-normal, as latencies are: 50 calls fall into some 20 buckets. */
    private static List<Distribution> shapes() {
        Random random = new Random(1);
        List<Distribution> shapes = new ArrayList<>();
        for (int i = 0; i < SHAPES; i++) {
            Distribution.Builder builder = new Distribution.Builder();
            for (int call = 0; call < CALLS; call++) {
                builder.add(Math.round(50_000 * (1 + i) * Math.exp(0.4 * random.nextGaussian())));
            }
            shapes.add(builder.build());
        }
        return shapes;
    }

    private static List<FunctionInterval> parts(int functions, long interval, List<Distribution> shapes) {
        List<FunctionInterval> parts = new ArrayList<>();
        for (int id = 0; id < functions; id++) {
            Map<Metric, Distribution> added = new EnumMap<>(Metric.class);
            for (Metric metric : METRICS) {
                // Not twice the same one, but about as long at all times.
                added.put(metric, shapes.get((int) ((interval + id + metric.ordinal()) % 4 + 4 * (id % (SHAPES / 4)))));
            }
            parts.add(new FunctionInterval(id, CALLS * (interval + 1), 0, 0, added));
        }
        return parts;
    }
}
