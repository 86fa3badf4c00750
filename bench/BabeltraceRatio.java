// SPDX-License-Identifier: EPL-2.0
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.BabeltraceException;
import org.kview.babeltrace.Event;
import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;
import org.kview.babeltrace.TraceReader;
import org.kview.ctf.EventPacket;
import org.kview.ctf.TraceDescription;
import org.kview.model.Metric;

/** Run by bench/babeltrace: FOLDER EVENTS; without events it counts what opens leave. */
final class BabeltraceRatio {
    private static final int ROUNDS = 5;
    private static final int OPENS = 1000;
    private static final int LEAK_ROUNDS = 4;
    private static final int MALLINFO_FIELDS = 10, MALLINFO_USED = 7;

    private BabeltraceRatio() {
    }

    public static void main(String[] arguments) throws Throwable {
        Path folder = Path.of(arguments[0]);
        long events = Long.parseLong(arguments[1]);
        Babeltrace library = Babeltrace.load();
        if (events == 0) {
            leaks(library, generate(folder.resolve("small"), 100));
            return;
        }
        Path trace = generate(folder.resolve("trace"), events);
        System.out.printf(Locale.ROOT, "libbabeltrace2 %s, %,d events%n", library.version(), events);
        double program = Double.MAX_VALUE, times = Double.MAX_VALUE, fields = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            program = Math.min(program, program(trace));
            times = Math.min(times, read(library, trace, events, false));
            fields = Math.min(fields, read(library, trace, events, true));
        }
        print("babeltrace2 -c sink.utils.dummy", events, program, program);
        print("bindings: kind and time of each event", events, times, program);
        print("bindings: all its numbers too", events, fields, program);
    }

    private static void print(String what, long events, double seconds, double program) {
        System.out.printf(Locale.ROOT, "%-40s %6.2f s  %5.2f M events/s  %.2f of the program%n", what, seconds, events / seconds / 1e6,
                program / seconds);
    }

    private static double program(Path trace) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder("babeltrace2", trace.toString(), "-c", "sink.utils.dummy").inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("babeltrace2 failed");
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static double read(Babeltrace library, Path trace, long expected, boolean fields) throws BabeltraceException {
        long begin = System.nanoTime();
        long events = 0, sum = 0;
        try (TraceReader reader = library.open(List.of(trace))) {
            while (reader.next()) {
                if (reader.message() instanceof Event event) {
                    events++;
                    sum += event.nanos() + event.eventClass().id();
                    if (fields && event.eventClass().payload() instanceof FieldType.Structure type) {
                        Field payload = event.payload();
                        for (int i = 0; i < type.members().size(); i++) {
                            sum += type.members().get(i).type() instanceof FieldType.Unsigned ? payload.member(i).unsigned() : 0;
                        }
                    }
                }
            }
        }
        if (events != expected || sum == 0) {
            throw new IllegalStateException("read " + events + " events");
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static Path generate(Path folder, long events) throws IOException {
        UUID uuid = UUID.randomUUID();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), new TraceDescription(uuid, "bench", 1, 0, List.of("work", "leaf")).metadata());
        for (int cpu = 0; cpu < 2; cpu++) {
            EventPacket packet = new EventPacket(uuid, cpu);
            try (OutputStream out = Files.newOutputStream(folder.resolve("cpu_" + cpu))) {
                long[] times = new long[Metric.values().length];
                for (long i = 0; i < events / 2; i++) {
                    long nanos = 1000 + i * 500;
                    if (i % 2 == 0) {
                        packet.callEntry(nanos, 10 + cpu, cpu, 0);
                    } else {
                        times[Metric.WALL.ordinal()] = 500;
                        times[Metric.ON_CPU.ordinal()] = i % 4 == 1 ? 500 : 400;
                        times[Metric.LOCK.ordinal()] = i % 4 == 1 ? 0 : 100;
                        packet.callExit(nanos, 10 + cpu, cpu, 0, nanos - 500, times);
                    }
                    if (packet.isFull() || i == events / 2 - 1) {
                        ByteBuffer whole = packet.take();
                        out.write(whole.array(), 0, whole.remaining());
                    }
                }
            }
        }
        return folder;
    }

    /** Of several rounds: what is lost is lost in each. */
    private static void leaks(Babeltrace library, Path trace) throws Throwable {
        opens(library, trace, OPENS / 10);
        for (int round = 0; round < LEAK_ROUNDS; round++) {
            long before = used();
            opens(library, trace, OPENS);
            System.out.printf(Locale.ROOT, "%,d opens: what the C allocator has given out grew by %,d bytes%n", OPENS, used() - before);
        }
    }

    private static void opens(Babeltrace library, Path trace, int count) throws BabeltraceException {
        for (int i = 0; i < count; i++) {
            try (TraceReader reader = library.open(List.of(trace))) {
                for (int left = i % 2 == 0 ? Integer.MAX_VALUE : 5; left > 0 && reader.next(); left--) {
                    continue;
                }
            }
        }
    }

    private static long used() throws Throwable {
        MemoryLayout counts = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(MALLINFO_FIELDS, ValueLayout.JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup()
                    .find("mallinfo2").orElseThrow(), FunctionDescriptor.of(counts)).invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(ValueLayout.JAVA_LONG, MALLINFO_USED);
        }
    }
}
