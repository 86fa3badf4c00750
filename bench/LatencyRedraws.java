// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

import org.kview.bench.GeneratedSession;
import org.kview.calls.CallBox;
import org.kview.chart.Area;
import org.kview.model.Bookmark.Range;
import org.kview.model.Metric;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

/** Run by bench/latency-redraws: FOLDER DESCRIPTION CALLS. In the package of what it measures, which others don't see. */
final class LatencyRedraws {
    private static final Area PLOT = new Area(60, 40, 1000, 420);
    private static final int STEPS = 200;
    /** What others do on this machine makes the time longer, but not that on a CPU. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long[] PARTS = {1, 3, 10, 100, 1_000, 10_000, 100_000};

    private final StoredSession calls;
    private final CallBox.Range time;
    private final Random random = new Random(7);

    private LatencyRedraws(StoredSession calls) {
        this.calls = calls;
        time = calls.time(Optional.empty()).orElseThrow();
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path session = folder.resolve("made.kview");
        GeneratedSession.write(session, Files.readString(Path.of(arguments[1])), Long.parseLong(arguments[2]));
        CallStores stores = CallStores.in(folder.resolve("stores"), Long.MAX_VALUE);
        for (String what : List.of("first opening, with the store made", "opening with the store there")) {
            long begin = System.nanoTime();
            List<Double> partly = new ArrayList<>();
            try (SessionReader reader = SessionReader.open(session);
                    SessionCallStore store = SessionCallStore.of(reader, session, stores, _ -> true, soFar -> {
                        paint(soFar);
                        partly.add((System.nanoTime() - begin) / 1e9);
                    }).orElseThrow()) {
                paint(store);
                if (!partly.isEmpty()) {
                    System.out.printf(Locale.ROOT, "%-58s %8.2f s to the first picture, of a part; %d of parts%n", what,
                            partly.getFirst(), partly.size());
                }
                System.out.printf(Locale.ROOT, "%-58s %8.2f s to the picture of all calls%n", what, (System.nanoTime() - begin) / 1e9);
                if (what.startsWith("opening")) {
                    store.ask(its -> {
                        new LatencyRedraws(its).tour();
                        return "";
                    });
                }
            }
        }
        long peak = ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        // Its parts had their peaks at different times.
        System.out.printf(Locale.ROOT, "heap: %,d MB at most, garbage included%n", Math.min(peak, Runtime.getRuntime().maxMemory()) >> 20);
    }

    private static void paint(SessionCallStore store) {
        store.ask(its -> HeatPainter.paint(its, request(Optional.empty(), CallSelector.ALL), () -> true)).orElseThrow();
    }

    private static HeatRequest request(Optional<Range> shown, CallSelector which) {
        return new HeatRequest(which, Optional.empty(), 0, shown, Optional.empty(), PLOT, false);
    }

    /** Some part of all time, from all of it to a hundred-thousandth. */
    private Range part() {
        long all = time.most() - time.least();
        long span = Math.max(1_000, all / PARTS[random.nextInt(PARTS.length)]);
        long begin = time.least() + (long) (random.nextDouble() * (all - span));
        return new Range(begin, begin + span);
    }

    private void tour() {
        CallSelector function = CallSelector.ALL.withFunctions(Optional.of(Set.of(3)));
        CallSelector lock = CallSelector.ALL.withCauses(Optional.of(Set.of(Metric.LOCK)));
        measure("zoom or move: the picture", () -> HeatPainter.paint(calls, request(Optional.of(part()), CallSelector.ALL), () -> true));
        measure("the same of one function", () -> HeatPainter.paint(calls, request(Optional.of(part()), function), () -> true));
        measure("the same of calls that are mostly lock", () -> HeatPainter.paint(calls, request(Optional.of(part()), lock), () -> true));
        measure("a box that is drawn: its exact figures", () -> calls.distribution(box(), () -> true));
        measure("the first lines of the list of its calls", () -> calls.slowest(box(), 256, () -> true));
        measure("all of that list", () -> calls.list(box(), CallFilter.ALL, order("wall"), _ -> true).size());
        measure("the timeline of a stretch of time: its calls", () -> running(part()));
        measure("its threads' states", () -> states(part()));
        measure("why the slowest of all calls are slow", 5,
                () -> calls.reasons(CallSelector.ALL, CallBox.Range.ALL, new CallBox.Range(60_000, Long.MAX_VALUE), _ -> true));
        for (String order : List.of("wall", "start", "thread", "function")) {
            measure("the list of all calls by " + order, 5,
                    () -> calls.list(CallSelector.ALL, CallFilter.ALL, order(order), _ -> true).size());
        }
        measure("all calls of which 'on_cpu > 20us && depth == 1' is true", 5,
                () -> calls.list(CallSelector.ALL, filter(), order("wall"), _ -> true).size());
    }

    /** But for those that are shorter than a pixel. */
    private int running(Range part) {
        CallBox.Range shown = new CallBox.Range(part.beginNanos(), part.endNanos());
        return calls.running(CallSelector.ALL, shown, pixel(shown), _ -> true).size();
    }

    private static long pixel(CallBox.Range shown) {
        return (shown.most() - shown.least()) / (long) PLOT.width();
    }

    private int states(Range part) {
        CallBox.Range shown = new CallBox.Range(part.beginNanos(), part.endNanos());
        return calls.states(CallSelector.ALL, shown, pixel(shown), () -> true).threads().size();
    }

    private CallSelector box() {
        Range part = part();
        long least = (long) (1_000 * Math.exp(5 * random.nextDouble()));
        return CallSelector.ALL.withEnds(new CallBox.Range(part.beginNanos(), part.endNanos()))
                .withWall(new CallBox.Range(least, least * 10));
    }

    private static CallOrder order(String text) {
        try {
            return CallOrder.parse(text);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static CallFilter filter() {
        try {
            return CallFilter.parse("on_cpu > 20us && depth == 1");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void measure(String what, Supplier<Object> work) {
        measure(what, STEPS, work);
    }

    private void measure(String what, int steps, Supplier<Object> work) {
        work.get();
        double[] millis = new double[steps];
        double[] onCpu = new double[steps];
        for (int i = 0; i < steps; i++) {
            long begin = System.nanoTime();
            long ran = THREADS.getCurrentThreadCpuTime();
            work.get();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            onCpu[i] = (THREADS.getCurrentThreadCpuTime() - ran) / 1e6;
        }
        Arrays.sort(millis);
        Arrays.sort(onCpu);
        int last = (int) (steps * 0.99);
        System.out.printf(Locale.ROOT, "%-58s p50 %8.1f ms  p99 %8.1f ms  max %8.1f ms  on a CPU p50 %8.1f ms  p99 %8.1f ms%n", what,
                millis[steps / 2], millis[last], millis[steps - 1], onCpu[steps / 2], onCpu[last]);
    }
}
