// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts what is in a trace, from {@code kernel/protocol/trace.tsdl} alone: neither the product's
 * code nor its metadata has a part in it.
 *
 * @param eventsById  how many of each event
 * @param discarded   as the last packet of each CPU says, summed
 * @param packets     how many
 */
record CtfTrace(long[] eventsById, long discarded, int packets) {
    static final int CALL_ENTRY = 0;
    static final int CALL_EXIT = 1;

    private static final int MAGIC = 0xC1FC1FC1;
    private static final int UUID_BYTES = 16;
    private static final int EVENT_IDS = 7;

    static CtfTrace read(Path folder) throws IOException {
        long[] events = new long[EVENT_IDS];
        long discarded = 0;
        int packets = 0;
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> streams = files.filter(f -> f.getFileName().toString().startsWith("cpu_")).toList();
            assertThat(streams).as("streams of %s", folder).isNotEmpty();
            for (Path stream : streams) {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(stream)).order(ByteOrder.LITTLE_ENDIAN);
                long last = 0;
                while (bytes.hasRemaining()) {
                    last = readPacket(bytes, events);
                    packets++;
                }
                discarded += last;
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new CtfTrace(events, discarded, packets);
    }

    long events() {
        return java.util.Arrays.stream(eventsById).sum();
    }

    long callEvents() {
        return eventsById[CALL_ENTRY] + eventsById[CALL_EXIT];
    }

    private static long readPacket(ByteBuffer bytes, long[] events) {
        int start = bytes.position();
        assertThat(bytes.getInt()).as("magic at %d", start).isEqualTo(MAGIC);
        bytes.position(bytes.position() + UUID_BYTES);
        assertThat(bytes.getInt()).as("stream id").isZero();
        long begin = bytes.getLong();
        long end = bytes.getLong();
        int contentEnd = start + (int) (bytes.getLong() / 8);
        int packetEnd = start + (int) (bytes.getLong() / 8);
        bytes.getLong();
        long discarded = bytes.getLong();
        bytes.getInt();
        long former = begin;
        while (bytes.position() < contentEnd) {
            int id = bytes.getInt();
            long time = bytes.getLong();
            assertThat(time).as("an event's time within its packet, never going back").isBetween(former, end);
            former = time;
            events[id]++;
            skipFields(bytes, id);
        }
        assertThat(bytes.position()).as("the content's end").isEqualTo(contentEnd);
        bytes.position(packetEnd);
        return discarded;
    }

    private static void skipFields(ByteBuffer bytes, int id) {
        int length = switch (id) {
            case CALL_ENTRY -> 10;
            case CALL_EXIT -> 34 + 1 + 9 * bytes.get(bytes.position() + 34);
            case 2 -> 9;
            case 3 -> 25;
            case 4 -> 20;
            case 5 -> 4;
            case 6 -> 8 + 1 + 16;
            default -> throw new AssertionError("There is no event " + id);
        };
        bytes.position(bytes.position() + length);
    }
}
