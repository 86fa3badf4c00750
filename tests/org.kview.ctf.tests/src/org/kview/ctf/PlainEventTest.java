// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

/** Events that are read at once are those that are read field by field. */
class PlainEventTest {
    private static final int EVENTS = 7;

    @Test
    void whatOurAgentsWriteIsPlain() throws Exception {
        TraceLayout layout = TraceLayout.parse(TraceFixture.metadata());
        for (long id = 0; id < EVENTS; id++) {
            assertThat(layout.event(id).orElseThrow().plain()).as("event " + id).isPresent();
        }
        String other = TraceFixture.metadata().replace("function_id function; u16 depth; };", "function_id function; u16 depth; u8 none[depth]; };");
        assertThat(TraceLayout.parse(other).event(0).orElseThrow().plain()).as("a list that is none of causes").isEmpty();
    }

    /** A cause of gigabytes, of which no event can have one. */
    @Test
    void causesThatNoEventHasRoomForAreReadByField() throws Exception {
        for (long pad : new long[] {1L << 32, (1L << 32) - 9, StreamCursor.MOST_EVENT_BYTES}) {
            TraceLayout layout = TraceLayout.parse(TraceFixture.metadata().replace("struct { cause_id cause; u64 ns; }",
                    "struct { cause_id cause; u64 ns; u8 pad[" + pad + "]; }"));
            assertThat(layout.event(1).orElseThrow().plain()).as("%d", pad).isEmpty();
            ByteBuffer event = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
            event.putInt(1).putLong(5).putInt(77).putInt(1).putShort((short) 0).putLong(1).putLong(4).putLong(2).put((byte) 1);
            byte[] bytes = event.array();
            assertThat(decoded(new EventDecoder(layout, 0), bytes)).isEqualTo(decoded(new EventDecoder(layout, 0, false), bytes))
                    .doesNotStartWith("read");
        }
    }

    /** Each description would have labels of its own. */
    @Test
    void manyDescriptionsOfAnEventTakeLittleMemory() throws Exception {
        int many = 10_000;
        String metadata = TraceFixture.metadata();
        int from = metadata.indexOf("event {\n\tname = \"kview:call_exit\"");
        String exit = metadata.substring(from, metadata.indexOf("event {", from + 1));
        StringBuilder all = new StringBuilder(metadata);
        for (int i = 0; i < many; i++) {
            all.append(exit.replace("id = 1;", "id = " + (100 + i) + ";"));
        }
        String text = all.toString();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        TraceLayout layout = TraceLayout.parse(text);
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / many;
        assertThat(each).as("bytes for one of them").isLessThan(16 << 10);
        assertThat(layout.event(100 + many - 1)).isPresent();
    }

    /** Of any bytes: the same event and the same length, or the same refusal. */
    @Test
    void anyBytesAreReadAlike() throws Exception {
        TraceLayout layout = TraceLayout.parse(TraceFixture.metadata());
        EventDecoder plain = new EventDecoder(layout, 3);
        EventDecoder byField = new EventDecoder(layout, 3, false);
        Random random = new Random(11);
        List<String> refused = new ArrayList<>();
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[TraceLayout.EVENT_HEADER_BYTES + random.nextInt(120)];
            random.nextBytes(bytes);
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(random.nextInt(EVENTS)).putLong(5);
            // Most numbers are less than 2^56.
            for (int at = TraceLayout.EVENT_HEADER_BYTES; at < bytes.length && random.nextInt(4) > 0; at++) {
                bytes[at] &= (byte) random.nextInt(Byte.MAX_VALUE);
            }
            String wanted = decoded(byField, bytes);
            assertThat(decoded(plain, bytes)).isEqualTo(wanted);
            read += wanted.startsWith("read ") ? 1 : 0;
            if (!wanted.startsWith("read ")) {
                refused.add(wanted);
            }
        }
        assertThat(read).isGreaterThan(1000);
        assertThat(refused).hasSizeGreaterThan(1000).contains("an event has a time that can't be");
    }

    private static String decoded(EventDecoder decoder, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            TraceEvent event = decoder.decode(in, 0, Long.MAX_VALUE);
            return "read " + in.position() + " " + event;
        } catch (MalformedEventException e) {
            return e.getMessage();
        }
    }
}
