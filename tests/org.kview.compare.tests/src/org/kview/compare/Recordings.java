// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SessionInfo;
import org.kview.model.ValueFigures;
import org.kview.model.Waits;
import org.kview.statistics.FunctionSlices;
import org.kview.testing.Recorded;

/** Makes up recordings of functions whose times are known. */
public final class Recordings {
    static final SessionInfo INFO = Recorded.info("local", "web-3", "6.18.0", 4711, "/usr/bin/checkout --port 80",
            "in", "", Instant.parse("2026-11-20T14:02:07.120Z"), Duration.ofSeconds(10), SessionInfo.State.STOPPED, "");

    private final Random random;

    public Recordings(long seed) {
        random = new Random(seed);
    }

    /**
     * How calls take their time: log-normally, around a middle that itself moves from slice to slice
     * and returns, as an autoregressive process of first order.
     *
     * @param slices    of half a second
     * @param calls     in each, about
     * @param middle    ns
     * @param spread    of the logarithm
     * @param drift     of the middle's logarithm
     * @param stickiness from slice to slice, 0 to 1
     */
    public record Shape(int slices, int calls, double middle, double spread, double drift, double stickiness) {
        public Shape times(double factor) {
            return new Shape(slices, calls, middle * factor, spread, drift, stickiness);
        }
    }

    /** The slices of a function that only computes. */
    public List<Distribution> slices(Shape shape) {
        List<Distribution> slices = new ArrayList<>();
        double moved = shape.drift() * random.nextGaussian();
        for (int i = 0; i < shape.slices(); i++) {
            Distribution.Builder slice = new Distribution.Builder();
            long calls = Math.round(shape.calls() * (0.7 + 0.6 * random.nextDouble()));
            for (int call = 0; call < calls; call++) {
                slice.add(Math.round(shape.middle() * Math.exp(moved + shape.spread() * random.nextGaussian())));
            }
            slices.add(slice.build());
            moved = shape.stickiness() * moved
                    + shape.drift() * Math.sqrt(1 - shape.stickiness() * shape.stickiness()) * random.nextGaussian();
        }
        return slices;
    }

    static ProbedFunction function(int id, String name, String binary) {
        return Recorded.function(id, name, name, binary, 0x1000 + id * 0x100, 0x1000, 100, ExitKind.RETURN_SITES, 0, 0);
    }

    static FunctionLatency latency(ProbedFunction function, List<Distribution> slices) {
        Distribution wall = sum(slices);
        return new FunctionLatency(function, wall.count(), 0, 0, Map.of(Metric.WALL, wall, Metric.ON_CPU, wall));
    }

    /**
     * A recording of a process.
     *
     * @param process tells it from others
     * @param second  when it began
     */
    static SessionInfo info(int process, int second) {
        return Recorded.info(INFO.target(), INFO.host(), INFO.kernel(), INFO.pid() + process, INFO.command(),
                INFO.filter(), "", INFO.start().plusSeconds(second), INFO.duration(), INFO.state(), "");
    }

    /** A session of functions named f0, f1, … */
    public static ComparedSession session(String name, List<List<Distribution>> functions) {
        return session(name, INFO, functions);
    }

    static ComparedSession session(String name, SessionInfo info, List<List<Distribution>> functions) {
        List<FunctionLatency> latencies = new ArrayList<>();
        Map<Integer, FunctionSlices> slices = new HashMap<>();
        for (int i = 0; i < functions.size(); i++) {
            latencies.add(latency(function(i, "f" + i, "/usr/bin/checkout"), functions.get(i)));
            slices.put(i, FunctionSlices.ofWall(functions.get(i)));
        }
        return session(name, info, latencies, slices);
    }

    /**
     * A function's times.
     *
     * @param wall   of calls, in each slice
     * @param waited what those calls waited for a CPU that waited at all
     */
    record Slices(List<Distribution> wall, List<Distribution> waited) {
        /** Of the on-CPU time, which is the rest, the sum alone is right. */
        FunctionLatency latency(ProbedFunction function) {
            FunctionLatency plain = Recordings.latency(function, wall);
            Distribution waits = sum(waited);
            return waits.isEmpty() ? plain : new FunctionLatency(function, plain.calls(), 0, 0, Map.of(Metric.WALL,
                    plain.wall(), Metric.ON_CPU, plain.wall(), Metric.RUN_QUEUE, waits));
        }

        FunctionSlices slices() {
            FunctionSlices plain = FunctionSlices.ofWall(wall);
            double[] waits = waited.stream().mapToDouble(FunctionSlices::nanosOf).toArray();
            return new FunctionSlices(IntStream.range(0, wall.size()).mapToObj(plain::wall).toList(), Map.of(Metric.WALL,
                    plain.nanos(Metric.WALL), Metric.ON_CPU, plain.nanos(Metric.WALL), Metric.RUN_QUEUE, waits), true);
        }
    }

    private static Distribution sum(List<Distribution> slices) {
        Distribution.Builder sum = new Distribution.Builder();
        slices.forEach(sum::add);
        return sum.build();
    }

    /** A session of functions named f0, f1, … whose calls wait for a CPU. */
    static ComparedSession waiting(String name, SessionInfo info, List<Slices> functions) {
        List<FunctionLatency> latencies = new ArrayList<>();
        Map<Integer, FunctionSlices> slices = new HashMap<>();
        for (int i = 0; i < functions.size(); i++) {
            latencies.add(functions.get(i).latency(function(i, "f" + i, "/usr/bin/checkout")));
            slices.put(i, functions.get(i).slices());
        }
        return session(name, info, latencies, slices);
    }

    static ComparedSession session(String name, SessionInfo info, List<FunctionLatency> functions,
            Map<Integer, FunctionSlices> slices) {
        return new ComparedSession(name, new LatencySnapshot(info, functions, Losses.NONE, Recorded.overhead(2000, true),
                List.of()), slices);
    }

    /** A session with one function, whose name and all other texts are as given. */
    public static ComparedSession hostile(String text, List<Distribution> slices) {
        SessionInfo info = Recorded.info(text, text, text, 1, text, text, text, INFO.start(), INFO.duration(),
                SessionInfo.State.FAILED, text);
        return session(text, info, List.of(latency(function(0, text, text), slices)),
                Map.of(0, FunctionSlices.ofWall(slices)));
    }

    /** A session of one function, whose calls go on to another one by a jump in which no probe sees their end. */
    public static ComparedSession goingOn(String to, List<Distribution> slices) {
        ProbedFunction plain = function(0, "handle", "/usr/bin/checkout");
        ProbedFunction function = new ProbedFunction(0, "handle", plain.point(), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                new ProbedFunction.Ends(ExitKind.RETURN_SITES, List.of(to), false), ProbedFunction.Cost.UNKNOWN, 0);
        return session("goes on", INFO, List.of(latency(function, slices)), Map.of(0, FunctionSlices.ofWall(slices)));
    }

    /** A session of one function, of which some calls are measured. */
    public static ComparedSession conditional(String condition, List<Distribution> slices) {
        ProbedFunction plain = function(0, "handle", "/usr/bin/checkout");
        ProbedFunction function = new ProbedFunction(0, "handle", plain.point(), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.of(ExitKind.RETURN_SITES), ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, condition);
        return session("conditional", INFO, List.of(latency(function, slices)), Map.of(0, FunctionSlices.ofWall(slices)));
    }

    /** A session of one function, whose figures are split by a value; values by their times. */
    public static ComparedSession split(String by, List<Distribution> slices, Map<Long, Distribution> values) {
        return splitBy(by, slices, values.entrySet().stream().collect(Collectors.toMap(value -> CallValue.of(value.getKey()), Map.Entry::getValue)));
    }

    /** The same, where not all values are numbers. */
    static ComparedSession splitBy(String by, List<Distribution> slices, Map<CallValue, Distribution> values) {
        ProbedFunction plain = function(0, "handle", "/usr/bin/checkout");
        ProbedFunction function = new ProbedFunction(0, "handle", plain.point(), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.of(ExitKind.RETURN_SITES), ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", by);
        FunctionLatency all = latency(function, slices);
        return session("split", INFO, List.of(new FunctionLatency(function, all.calls(), 0, 0, all.fates(), all.distributions(),
                values.entrySet().stream().map(value -> new ValueFigures(value.getKey(), Map.of(Metric.WALL, value.getValue(),
                        Metric.ON_CPU, value.getValue()), 0)).toList())), Map.of(0, FunctionSlices.ofWall(slices)));
    }

    /** A session of one system call, of which only the wall-clock time is measured. */
    public static ComparedSession systemCall(List<Distribution> slices) {
        var point = new ProbePoint.SystemCall("fsync");
        var call = ProbedFunction.of(0, point.label(), point, Mechanism.TRACEPOINT, Set.of(Metric.WALL));
        Distribution wall = latency(call, slices).wall();
        return session("calls", INFO, List.of(new FunctionLatency(call, wall.count(), 0, 0, Map.of(Metric.WALL, wall))),
                Map.of(0, FunctionSlices.ofWall(slices)));
    }
}
