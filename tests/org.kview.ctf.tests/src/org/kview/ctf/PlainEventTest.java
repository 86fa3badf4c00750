// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

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
