// SPDX-License-Identifier: EPL-2.0
package org.kview.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.kview.calls.CallBox;
import org.kview.calls.CallField;
import org.kview.calls.CallQueries;
import org.kview.calls.CallStore;
import org.kview.calls.StoreBuilder;
import org.kview.ctf.EventTrace;
import org.kview.ctf.calls.CallCursor;
import org.kview.model.Metric;

import com.sun.management.OperatingSystemMXBean;

/** Run by bench/call-store: FOLDER DESCRIPTION CALLS. */
final class CallStoreMeasure {
    /** What others do on this machine makes the time longer, but not that on CPUs. */
    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final int ROUNDS = 3;
    private static final int PIXELS = 1000;

    private CallStoreMeasure() {
    }

    private interface Work {
        Object run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        long calls = Long.parseLong(arguments[2]);
        Path trace = Files.createDirectories(folder.resolve("trace"));
        GeneratedTrace.write(trace, Files.readString(Path.of(arguments[1])), calls);
        long events = calls * GeneratedTrace.EVENTS_A_CALL;
        Path file = folder.resolve("store");
        for (String which : List.of("building the store", "building it again")) {
            Files.deleteIfExists(file);
            say(which, events, () -> {
                StoreBuilder.build(EventTrace.open(trace), true, file, "key", _ -> true);
                return String.format(Locale.ROOT, ", %,d MB for %,d calls", Files.size(file) / 1_000_000, calls);
            });
        }
        for (int round = 0; round < ROUNDS; round++) {
            try (CallStore store = opened(file)) {
                ask(store);
            }
        }
        say("reading the calls without a store", events, () -> {
            try (CallCursor cursor = new CallCursor(EventTrace.open(trace), true)) {
                while (cursor.next().isPresent()) {
                    continue;
                }
                return "";
            }
        });
        long peak = ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        // Its parts had their peaks at different times.
        System.out.printf(Locale.ROOT, "heap: %,d MB at most, garbage included%n", Math.min(peak, Runtime.getRuntime().maxMemory()) >> 20);
    }

    private static CallStore opened(Path file) throws Exception {
        CallStore[] store = new CallStore[1];
        say("opening it, with all checksums", () -> {
            store[0] = CallStore.open(file, "key");
            store[0].verify(_ -> true);
            return "";
        });
        return store[0];
    }

    private static void ask(CallStore store) throws Exception {
        CallQueries queries = new CallQueries(store);
        long begin = store.value(0, CallField.END);
        long end = store.value(store.calls() - 1, CallField.END) + 1;
        say("20 slowest calls", () -> queries.slowest(CallBox.ALL, 20, () -> true).length);
        say("p50, p90, p99, p99.9 of all calls", () -> Arrays.toString(queries.percentiles(CallBox.ALL, 50, 90, 99, 99.9)));
        say("calls of a function beyond 30 µs whose largest part is lock", () -> queries.count(new CallBox(CallBox.Range.ALL,
                new CallBox.Range(30_000, Long.MAX_VALUE), Optional.of(Set.of(3L)), Optional.empty(),
                Optional.of(Set.of(Metric.LOCK)))));
        for (long part : new long[] {1, 100, 10_000}) {
            say("heat map, 1/" + part + " of the time", () -> store.pyramid()
                    .heatMap(begin, begin + (end - begin) / part, PIXELS, Optional.empty(), () -> true).counts().length);
        }
    }

    private static void say(String what, long events, Work work) throws Exception {
        Object[] answer = new Object[1];
        long ran = SYSTEM.getProcessCpuTime();
        double seconds = timed(() -> answer[0] = work.run());
        System.out.printf(Locale.ROOT, "%s: %.1f s, %.2f M events/s, %.2f M events for each second on a CPU%s%n", what, seconds, events / seconds / 1e6,
                events * 1e3 / (SYSTEM.getProcessCpuTime() - ran), answer[0]);
    }

    private static void say(String what, Work work) throws Exception {
        Object[] answer = new Object[1];
        double seconds = timed(() -> answer[0] = work.run());
        System.out.printf(Locale.ROOT, "  %-62s %8.1f ms  %s%n", what, seconds * 1e3, answer[0]);
    }

    private static double timed(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e9;
    }
}
