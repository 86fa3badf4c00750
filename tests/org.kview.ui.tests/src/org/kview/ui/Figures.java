// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SessionInfo;
import org.kview.model.ValueFigures;
import org.kview.testing.Recorded;

/** Made-up figures whose answers are known, the same at each run. */
public final class Figures {
    /** What the wireframe of the perspective shows. */
    public static final List<Shape> SHOP = List.of(
            new Shape("price_basket", 18_204, 0.8e6, Metric.LOCK, 1.1e6, 0.3, 38e6, 0.022),
            new Shape("flush_cache", 96, 2.1e6, Metric.BLOCK_IO, 36e6, 0.25, 0, 0),
            new Shape("render", 18_204, 3.0e6, Metric.PREEMPTED, 90e3, 0.4, 0, 0),
            new Shape("fetch_rates", 201, 0.2e6, Metric.NETWORK, 11.6e6, 0.5, 70e6, 0.03),
            new Shape("poll_queue", 604, 22e3, Metric.SLEEP, 50e6, 0.02, 0, 0),
            new Shape("index_all", 12, 40e6, Metric.RUN_QUEUE, 32e6, 0.4, 0, 0));

    /**
     * How a made-up function behaves.
     *
     * @param waits what it waits for besides a little run queue
     */
    public record Shape(String name, int calls, double cpuNanos, Metric waits, double waitNanos, double spread,
            double tailNanos, double tailShare) {
    }

    private Figures() {
    }

    public static SessionInfo info(SessionInfo.State state) {
        return Recorded.info("local", "web-3", "6.18.5", 4711, "/srv/shop/checkout --workers 8", "in",
                "Every context switch of the host costs 0.2 µs more.", Instant.parse("2026-11-20T14:02:07Z"),
                Duration.ofSeconds(30), state, "");
    }

    public static LatencySnapshot snapshot(List<Shape> shapes) {
        return snapshot(shapes, Losses.NONE, List.of());
    }

    public static LatencySnapshot snapshot(List<Shape> shapes, Losses losses, List<String> problems) {
        List<FunctionLatency> functions = new ArrayList<>();
        for (Shape shape : shapes) {
            functions.add(function(functions.size(), shape));
        }
        return new LatencySnapshot(info(SessionInfo.State.STOPPED), functions, losses, Recorded.overhead(1540, true),
                problems);
    }

    public static ProbedFunction probed(int id, String name) {
        return Recorded.function(id, name, name, "/srv/shop/checkout", 0x1140 + id * 0x100, 0x1140 + id * 0x100, 96,
                ExitKind.URETPROBE, 640, 1540);
    }

    /** Two functions of {@link #SHOP}, of which the first one's figures are split by arg1: most time by 3, then 1, and other values. */
    public static LatencySnapshot byValue() {
        LatencySnapshot shop = snapshot(SHOP.subList(0, 2));
        FunctionLatency first = shop.functions().getFirst();
        ProbedFunction f = first.function();
        ProbedFunction split = new ProbedFunction(f.id(), f.name(), f.point(), f.mechanism(), f.measured(), f.ends(), f.cost(), 0, f.waits(), "",
                "arg1");
        List<ValueFigures> values = List.of(value(CallValue.of(1), 700, 2e6), value(CallValue.of(3), 900, 5e6),
                value(CallValue.of(CallValue.Kind.OTHERS), 40, 9e5));
        return new LatencySnapshot(shop.info(), List.of(new FunctionLatency(split, first.calls(), 0, 0, first.fates(), first.distributions(),
                values), shop.functions().get(1)), shop.losses(), shop.overhead(), List.of());
    }

    private static ValueFigures value(CallValue value, int calls, double cpuNanos) {
        return new ValueFigures(value, distributions(new Shape(value.text(), calls, cpuNanos, Metric.LOCK, 1e6, 0.2, 0, 0)), 0);
    }

    public static FunctionLatency function(int id, Shape shape) {
        return new FunctionLatency(probed(id, shape.name()), shape.calls(), 0, 0, distributions(shape));
    }

    public static FunctionInterval interval(int id, Shape shape) {
        return new FunctionInterval(id, shape.calls(), 0, 0, distributions(shape));
    }

    private static Map<Metric, Distribution> distributions(Shape shape) {
        Random random = new Random(shape.name().hashCode());
        Map<Metric, Distribution.Builder> builders = new EnumMap<>(Metric.class);
        for (int i = 0; i < shape.calls(); i++) {
            long cpu = Math.round(shape.cpuNanos() * Math.exp(random.nextGaussian() * 0.06));
            boolean tail = random.nextDouble() < shape.tailShare();
            long wait = Math.round((tail ? shape.tailNanos() : shape.waitNanos())
                    * Math.exp(random.nextGaussian() * (tail ? 0.12 : shape.spread())));
            long queue = random.nextInt(4) == 0 ? Math.round(20e3 * Math.exp(random.nextGaussian())) : 0;
            add(builders, Metric.ON_CPU, cpu);
            add(builders, shape.waits(), wait);
            if (queue > 0) {
                add(builders, Metric.RUN_QUEUE, queue);
            }
            add(builders, Metric.WALL, cpu + wait + queue);
        }
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        builders.forEach((metric, builder) -> distributions.put(metric, builder.build()));
        return distributions;
    }

    private static void add(Map<Metric, Distribution.Builder> builders, Metric metric, long nanos) {
        builders.computeIfAbsent(metric, m -> new Distribution.Builder()).add(nanos);
    }

    /** The same figures, as they would be of another target. */
    public static LatencySnapshot onHost(String target, LatencySnapshot figures) {
        SessionInfo i = figures.info();
        return new LatencySnapshot(Recorded.info(target, i.host(), i.kernel(), i.pid(), i.command(), i.filter(),
                i.filterNote(), i.start(), i.duration(), i.state(), i.stateNote()), figures.functions(), figures.losses(),
                figures.overhead(), figures.problems());
    }
}
