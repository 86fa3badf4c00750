// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.BabeltraceException;
import org.kview.babeltrace.Event;
import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;
import org.kview.babeltrace.Message;
import org.kview.babeltrace.TraceReader;
import org.kview.babeltrace.TraceStream;

/**
 * What the process of its own runs: it reads a trace and writes its events. Of this bundle it uses only what stands beside it in
 * this package and needs nothing but the bindings. Why it failed is what it prints.
 */
final class TraceCopier {
    /** The trace can't be opened, or not be read any further. */
    static final int FAILED = 1;

    private static final int BUFFER_BYTES = 1 << 18;
    private static final int MESSAGES_PER_LOOK = 64;
    private static final long MOST_WAIT_NANOS = 50_000_000;
    /** Between two looks at how much the disk has left. */
    private static final long MOST_BYTES_PER_LOOK = 1 << 24;
    private static final int MEBI = 20;
    private static final String LOST = "Lost events", LOST_PACKETS = "Lost packets";

    private final Names names;
    private final DataOutputStream events;
    private final ByteArrayOutputStream record = new ByteArrayOutputStream(1 << 12);
    private final DataOutputStream fields = new DataOutputStream(record);
    private final FieldWriter writer;
    private final Map<TraceStream, Integer> cpus = new IdentityHashMap<>();
    private final Path trace;
    private long last;
    private long bytes;

    private TraceCopier(Path trace, DataOutputStream names, DataOutputStream events) {
        this.trace = trace;
        this.names = new Names(names);
        this.events = events;
        writer = new FieldWriter(record, this.names);
    }

    /**
     * @param arguments the trace's folder, the folder for the copy, and how many bytes are to stay free on its disk; without these
     *                  two it only tries whether the first event can be read
     */
    public static void main(String[] arguments) {
        endWithParent();
        Path trace = Path.of(arguments[0]);
        try (TraceReader reader = Babeltrace.load().open(List.of(trace))) {
            if (arguments.length == 1) {
                while (reader.next() && !(reader.message() instanceof Event)) {
                    continue;
                }
            } else {
                copy(reader, trace, Path.of(arguments[1]), Long.parseLong(arguments[2]));
            }
        } catch (BabeltraceException | IOException e) {
            fail(e.getMessage());
        } catch (ClassCastException | IndexOutOfBoundsException e) {
            fail("The trace describes its fields in another way than is known here: " + e.getMessage());
        }
    }

    private static void fail(String sentence) {
        byte[] line = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
        System.err.write(line, 0, line.length);
        System.err.flush();
        Runtime.getRuntime().halt(FAILED);
    }

    /** Its input ends when the workbench does, in whatever way that ends. */
    private static void endWithParent() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {
                    continue;
                }
            } catch (IOException e) {
                // Then it has ended as well.
                Runtime.getRuntime().halt(FAILED);
            }
            Runtime.getRuntime().halt(FAILED);
        });
    }

    private static void copy(TraceReader reader, Path trace, Path folder, long reserveBytes) throws BabeltraceException, IOException {
        try (DataOutputStream names = stream(folder.resolve(EventCopy.NAMES)); DataOutputStream events = stream(
                folder.resolve(EventCopy.EVENTS))) {
            TraceCopier copier = new TraceCopier(trace.toAbsolutePath(), names, events);
            try {
                copier.copy(reader, folder, reserveBytes);
            } finally {
                // What was read before the damage.
                events.flush();
            }
        }
    }

    private static DataOutputStream stream(Path file) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    private void copy(TraceReader reader, Path folder, long reserveBytes) throws BabeltraceException, IOException {
        long flushed = System.nanoTime();
        long look = 0;
        for (long count = 0; reader.next(); count++) {
            if (bytes >= look) {
                requireSpace(folder, reserveBytes);
                look = bytes + MOST_BYTES_PER_LOOK;
            }
            take(reader.message());
            if (count % MESSAGES_PER_LOOK == 0 && System.nanoTime() - flushed > MOST_WAIT_NANOS) {
                events.flush();
                flushed = System.nanoTime();
            }
        }
    }

    /** The workspace's disk is others' as well. */
    private static void requireSpace(Path folder, long reserveBytes) throws IOException {
        if (Files.getFileStore(folder).getUsableSpace() < reserveBytes) {
            throw new IOException("The trace's events are not copied any further, as less than " + (reserveBytes >> MEBI)
                    + " MiB would stay free on the disk of the workspace; free some, close the trace, and open it again");
        }
    }

    private void take(Message message) throws BabeltraceException, IOException {
        switch (message) {
            case Event event -> {
                last = event.nanos();
                begin(last, event.eventClass().name(), event.stream(), 0);
                writer.write(event.payload(), List.of(event.commonContext(), event.context()));
                end();
            }
            case Message.PacketBegin packet -> cpus.put(packet.stream(), cpu(packet.context()));
            case Message.DiscardedEvents lost -> lost(lost.stream(), LOST, lost.count(), lost.beginNanos(), lost.endNanos());
            case Message.DiscardedPackets lost -> lost(lost.stream(), LOST_PACKETS, lost.count(), lost.beginNanos(), lost.endNanos());
            case Message.StreamBegin _, Message.StreamEnd _, Message.PacketEnd _, Message.Inactivity _ -> { }
        }
    }

    private static int cpu(Field context) {
        return context.type() instanceof FieldType.Structure ? context.member("cpu_id")
                .filter(field -> field.type() instanceof FieldType.Unsigned).map(Field::unsigned)
                .filter(cpu -> cpu >= 0 && cpu <= Short.MAX_VALUE).orElse(-1L).intValue() : -1;
    }

    private void lost(TraceStream stream, String name, OptionalLong count, OptionalLong begin, OptionalLong end) throws IOException {
        long first = begin.orElse(last);
        begin(first, name, stream, 1);
        fields.writeLong(first);
        fields.writeLong(Math.max(first, end.orElse(first)));
        fields.writeLong(count.orElse(-1));
        fields.writeByte(name.equals(LOST_PACKETS) ? 1 : 0);
        end();
    }

    private void begin(long nanos, String name, TraceStream stream, int kind) throws IOException {
        record.reset();
        fields.writeLong(nanos);
        fields.writeInt(names.number(name.isEmpty() ? "(no name)" : name));
        fields.writeInt(names.number(channel(stream)));
        fields.writeInt(cpus.getOrDefault(stream, -1));
        fields.writeByte(kind);
    }

    /** The stream's file, which is what libbabeltrace2 calls it, from the trace's folder on. */
    private String channel(TraceStream stream) {
        String folder = trace + "/";
        return stream.name().startsWith(folder) ? stream.name().substring(folder.length()) : stream.name();
    }

    private void end() throws IOException {
        names.flush();
        events.writeInt(record.size());
        record.writeTo(events);
        bytes += Integer.BYTES + record.size();
    }
}
