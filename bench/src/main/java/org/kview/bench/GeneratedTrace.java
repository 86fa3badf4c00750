// SPDX-License-Identifier: EPL-2.0
package org.kview.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import org.kview.ctf.EventTrace;
import org.kview.ctf.PacketHeader;

/**
 * Writes a trace as an agent would of a busy program: two CPUs, eight threads on each, forty functions, calls nested two deep,
 * two of three of which waited once. So there are four events to a call.
 */
final class GeneratedTrace {
    static final int EVENTS_A_CALL = 4;

    private static final UUID TRACE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final int CPUS = 2;
    private static final int THREADS = 8;
    static final int FUNCTIONS = 40;
    private static final int PACKET_BYTES = 60 << 10;
    private static final int LARGEST_EVENT = 128;
    private static final int TEXT_BYTES = 16;
    private static final int[] CAUSES = {2, 3, 4, 5, 6, 7};

    private final ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final FileChannel out;
    private final int cpu;
    private final Random random;
    private long sequence;
    private long begin;
    private long nanos = 1_000_000;
    private long waited;

    private GeneratedTrace(FileChannel out, int cpu) {
        this.out = out;
        this.cpu = cpu;
        random = new Random(cpu);
        packet.position(PacketHeader.HEADER_BYTES);
    }

    /**
     * Writes {@code metadata} and stream files into a folder that is empty.
     *
     * @param description {@code trace.tsdl}
     * @param calls       how many there are to be, about
     */
    static void write(Path folder, String description, long calls) throws IOException {
        StringBuilder functions = new StringBuilder();
        for (int i = 0; i < FUNCTIONS; i++) {
            functions.append(i == 0 ? "" : ",\n").append("\"handle_").append(i).append("\" = ").append(i);
        }
        // As in an agent's: babeltrace2 knows metadata by its first line.
        String text = description.substring(description.indexOf("/* CTF"));
        for (var blank : Map.of("uuid", "\"" + TRACE + "\"", "hostname", "\"vm\"", "target_pid", "4711",
                "realtime_offset_ns", "1000", "functions", functions.toString()).entrySet()) {
            text = text.replace("@" + blank.getKey() + "@", blank.getValue());
        }
        Files.writeString(folder.resolve(EventTrace.METADATA), text);
        for (int cpu = 0; cpu < CPUS; cpu++) {
            try (FileChannel out = FileChannel.open(folder.resolve(EventTrace.STREAM_PREFIX + cpu),
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                new GeneratedTrace(out, cpu).calls(calls / CPUS);
            }
        }
    }

    private void calls(long count) throws IOException {
        for (int thread = 0; thread < THREADS; thread++) {
            int tid = tid(thread);
            text(event(6, 0).putInt(tid).putInt(4711), "worker-" + tid);
        }
        for (long left = count; left > 0; left -= 2) {
            int tid = tid(random.nextInt(THREADS));
            int outer = random.nextInt(FUNCTIONS);
            int inner = random.nextInt(FUNCTIONS);
            long outerBegin = nanos + 500;
            event(0, 500).putInt(tid).putInt(outer).putShort((short) 0);
            call(tid, inner, 1, random.nextInt(3) > 0);
            boolean waits = random.nextInt(3) > 0;
            byte cause = waits ? wait(tid) : 0;
            exit(tid, outer, 0, outerBegin, cause);
        }
        flush();
    }

    private int tid(int thread) {
        return 5000 + cpu * THREADS + thread;
    }

    private void call(int tid, int function, int depth, boolean waits) throws IOException {
        long from = nanos + 300;
        event(0, 300).putInt(tid).putInt(function).putShort((short) depth);
        exit(tid, function, depth, from, waits ? wait(tid) : 0);
    }

    private byte wait(int tid) throws IOException {
        byte cause = (byte) CAUSES[random.nextInt(CAUSES.length)];
        event(2, 200).putInt(tid).put(cause).putInt(202);
        long away = (long) (2_000 * Math.exp(random.nextGaussian()));
        text(event(3, away).putInt(tid).putInt(4999), "waker");
        event(4, 400).putInt(tid).putLong(away + 400).putLong(400);
        waited = away + 400;
        return cause;
    }

    private static void text(ByteBuffer event, String text) {
        event.put((byte) text.length()).put(Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), TEXT_BYTES));
    }

    private void exit(int tid, int function, int depth, long from, byte cause) throws IOException {
        ByteBuffer event = event(1, 300 + random.nextInt(2_000));
        long wall = nanos - from;
        event.putInt(tid).putInt(function).putShort((short) depth).putLong(from).putLong(wall);
        if (cause == 0) {
            event.putLong(wall).put((byte) 0);
        } else {
            event.putLong(wall - waited).put((byte) 1).put(cause).putLong(waited);
        }
    }

    private ByteBuffer event(int id, long after) throws IOException {
        if (packet.remaining() < LARGEST_EVENT) {
            flush();
        }
        nanos += after;
        begin = packet.position() == PacketHeader.HEADER_BYTES ? nanos : begin;
        return packet.putInt(id).putLong(nanos);
    }

    private void flush() throws IOException {
        int content = packet.position();
        packet.flip();
        packet.putInt(0xC1FC1FC1).order(ByteOrder.BIG_ENDIAN).putLong(TRACE.getMostSignificantBits())
                .putLong(TRACE.getLeastSignificantBits()).order(ByteOrder.LITTLE_ENDIAN).putInt(0).putLong(begin).putLong(nanos)
                .putLong(content * 8L).putLong(content * 8L).putLong(sequence++).putLong(0).putInt(cpu).rewind();
        while (packet.hasRemaining()) {
            out.write(packet);
        }
        packet.clear().position(PacketHeader.HEADER_BYTES);
    }
}
