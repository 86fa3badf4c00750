// SPDX-License-Identifier: EPL-2.0
package org.kview.session.repair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbedFunction;
import org.kview.session.SessionException;
import org.kview.session.format.LogTag;
import org.kview.session.format.SessionFiles;
import org.kview.session.read.LatencyLogReader;

/**
 * What the interval log alone tells of a session whose {@code session.json} is lost.
 *
 * <p>Counts and percentiles are those of the log, up to its last whole line. Totals, means and
 * maxima are estimates within 1/16, as the log knows them only by bucket. How many calls were
 * abandoned, unfinished or lost is not known: entries are taken to be the calls that returned, and hits of a tracepoint to be those
 * with a time before them.
 *
 * @param functions by id
 * @param badLines  of the log, that could not be read
 */
public record SalvagedSession(List<FunctionLatency> functions, int badLines) {

    public SalvagedSession {
        functions = List.copyOf(functions);
    }

    /**
     * Reads what there is.
     *
     * @param folder the session's
     * @throws SessionException if its latency.hlog can't be read either, or holds nothing
     */
    public static SalvagedSession read(Path folder) throws SessionException {
        Path file = folder.resolve(SessionFiles.LATENCY_LOG);
        LatencyLogReader log;
        try {
            log = LatencyLogReader.read(file, Long.MAX_VALUE);
        } catch (IOException e) {
            throw SessionException.of(file + " can't be read", e);
        }
        Map<Integer, String> names = new TreeMap<>();
        Map<Integer, Map<Metric, Distribution>> distributions = new TreeMap<>();
        for (LogTag tag : log.tags()) {
            names.putIfAbsent(tag.functionId(), tag.name());
            distributions.computeIfAbsent(tag.functionId(), id -> new EnumMap<>(Metric.class)).put(tag.metric(),
                    estimate(log.buckets(tag).orElse(Distribution.EMPTY)));
        }
        if (names.isEmpty()) {
            throw new SessionException(file + " holds no figures that could be read");
        }
        return new SalvagedSession(names.entrySet().stream().map(e -> {
            Map<Metric, Distribution> own = distributions.get(e.getKey());
            ProbedFunction function = function(e.getKey(), e.getValue(), own.containsKey(Metric.ON_CPU));
            return new FunctionLatency(function, own.getOrDefault(function.countsHits() ? Metric.BETWEEN : Metric.WALL,
                    Distribution.EMPTY).count(), 0, 0, own);
        }).toList(), log.badLines());
    }

    /**
     * A function of which the log contains only the name, which tells system calls, functions of the kernel, tracepoints and static probes.
     *
     * @param hasOnCpu whether the log has such times of it: some agents measure wall-clock time alone of system calls
     */
    static ProbedFunction function(int id, String name, boolean hasOnCpu) {
        if (name.startsWith(ProbePoint.KernelFunction.PREFIX)) {
            var point = new ProbePoint.KernelFunction("", name.substring(ProbePoint.KernelFunction.PREFIX.length()));
            return ProbedFunction.of(id, name, point, Mechanism.KERNEL_PROBE, ProbedFunction.ALL_METRICS);
        }
        if (name.startsWith(ProbePoint.Tracepoint.PREFIX)) {
            var point = ProbePoint.Tracepoint.of(name.substring(ProbePoint.Tracepoint.PREFIX.length()));
            return ProbedFunction.of(id, name, point, Mechanism.TRACEPOINT, ProbedFunction.OF_HITS);
        }
        Optional<ProbeSpec> usdt = ProbeSpec.parse(name).filter(spec -> name.startsWith(ProbePoint.Usdt.PREFIX));
        if (usdt.isPresent()) {
            return ProbedFunction.of(id, name, ProbePoint.Usdt.of(usdt.get().binary(), usdt.get().pattern()), Mechanism.TRAP,
                    usdt.get().kind() == ProbeSpec.Kind.USDT ? ProbedFunction.OF_HITS : ProbedFunction.ALL_METRICS);
        }
        if (!name.startsWith(ProbePoint.SystemCall.PREFIX)) {
            return ProbedFunction.of(id, name, new ProbePoint.UserFunction("", "", 0, 0, 0), Mechanism.TRAP,
                    ProbedFunction.ALL_METRICS);
        }
        var call = new ProbePoint.SystemCall(name.substring(ProbePoint.SystemCall.PREFIX.length()));
        return ProbedFunction.of(id, name, call, Mechanism.TRACEPOINT,
                hasOnCpu ? ProbedFunction.ALL_METRICS : Set.of(Metric.WALL));
    }

    private static Distribution estimate(Distribution buckets) {
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < buckets.bucketLimit(); i++) {
            long count = buckets.bucket(i);
            if (count > 0) {
                long middle = LatencyBuckets.lowNanos(i) + (LatencyBuckets.widthNanos(i) - 1) / 2;
                builder.addBucket(i, count).addTotals(count, middle * count,
                        LatencyBuckets.lowNanos(i) + LatencyBuckets.widthNanos(i) - 1);
            }
        }
        return builder.build();
    }
}
