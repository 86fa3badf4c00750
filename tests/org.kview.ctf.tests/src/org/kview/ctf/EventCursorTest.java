// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.TraceEvent.Damage;
import org.kview.ctf.TraceEvent.LostEvents;
import org.kview.ctf.TraceEvent.ThreadExit;
import org.kview.ctf.TraceFixture.Packet;
import org.kview.model.Metric;

class EventCursorTest {
    private static final String METADATA = TraceFixture.metadata();
    private static final byte[] COMM = "holder\0\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private List<TraceEvent> read() throws CtfException {
        return TraceFixture.read(EventTrace.open(folder));
    }

    @Test
    void everyKindOfEventIsRead() throws Exception {
        Packet packet = new Packet(3, 0, 0);
        packet.event(6, 90).putInt(77).putInt(70).put((byte) 6).put(COMM);
        packet.event(0, 100).putInt(77).putInt(1).putShort((short) 2);
        packet.event(2, 110).putInt(77).put((byte) 5).putInt(202);
        packet.event(2, 111).putInt(77).put((byte) 3).putInt(-1);
        packet.event(3, 120).putInt(77).putInt(-2).put((byte) 6).put(COMM);
        packet.event(4, 130).putInt(77).putLong(20).putLong(10);
        packet.event(1, 140).putInt(77).putInt(1).putShort((short) 2).putLong(100).putLong(40).putLong(15).put((byte) 2)
                .put((byte) 5).putLong(20).put((byte) 12).putLong(5);
        packet.event(1, 141).putInt(77).putInt(9).putShort((short) 65535).putLong(141).putLong(0).putLong(0).put((byte) 0);
        packet.event(5, 150).putInt(77);
        TraceFixture.write(folder, METADATA, 3, packet.close());
        assertThat(read()).containsExactly(new TraceEvent.ThreadName(90, 3, 77, 70, "holder"),
                new TraceEvent.CallEntry(100, 3, 77, 1, 2), new TraceEvent.SwitchOut(110, 3, 77, new Cause("lock"), OptionalLong.of(202)),
                new TraceEvent.SwitchOut(111, 3, 77, new Cause("preempted"), OptionalLong.empty()),
                new TraceEvent.Wakeup(120, 3, 77, 4294967294L, "holder"), new TraceEvent.SwitchIn(130, 3, 77, 20, 10),
                new TraceEvent.CallExit(140, 3, 77, 1, 2, 100, 40, 15,
                        List.of(new CauseTime(new Cause("lock"), 20), new CauseTime(new Cause("stopped"), 5))),
                new TraceEvent.CallExit(141, 3, 77, 9, 65535, 141, 0, 0, List.of()), new ThreadExit(150, 3, 77));
        assertThat(new Cause("lock").metric()).hasValue(Metric.LOCK);
        TraceLayout layout = EventTrace.open(folder).layout();
        assertThat(layout.functionLabel(1)).isEqualTo("store");
        assertThat(layout.functionLabel(9)).isEqualTo("function 9");
        assertThat(layout.realTimeOffsetNanos()).isEqualTo(1000);
    }

    @Test
    void streamsAreMergedByTime() throws Exception {
        TraceFixture.write(folder, METADATA, 10, new Packet(10, 0, 0).threadExits(1, 5, 9).close(),
                new Packet(10, 1, 0).threadExits(9, 20).close());
        TraceFixture.write(folder, METADATA, 2, new Packet(2, 0, 0).threadExits(5, 6, 30).close());
        assertThat(read()).extracting(event -> event.nanos() + " " + event.cpu())
                .containsExactly("1 10", "5 2", "5 10", "6 2", "9 10", "9 10", "20 10", "30 2");
    }

    @Test
    void lostEventsStandWhereTheyAreMissing() throws Exception {
        TraceFixture.write(folder, METADATA, 0, new Packet(0, 0, 3).threadExits(10, 12).close(),
                new Packet(0, 1, 3).threadExits(13).close(), new Packet(0, 2, 8).threadExits(20).close(),
                new Packet(0, 5, 8).threadExits(30).close(), new Packet(0, 6, 9).close());
        assertThat(read()).filteredOn(LostEvents.class::isInstance).containsExactly(new LostEvents(10, 0, 0, 3, 0),
                new LostEvents(20, 0, 13, 5, 0), new LostEvents(30, 0, 20, 0, 2));
        assertThat(read().getLast()).isInstanceOfSatisfying(Damage.class,
                damage -> assertThat(damage.problem()).contains("packet 4 of cpu_0").contains("its times are before"));
    }

    /** Where there are no checksums. A bit of any of its times is another: of which events are told, only those of that packet depend on it. */
    @Test
    void aTimeThatCannotBeCostsNoOtherPacket() throws Exception {
        for (PacketField field : List.of(PacketField.TIMESTAMP_BEGIN, PacketField.TIMESTAMP_END)) {
            for (int bit = 0; bit < Long.SIZE; bit++) {
                byte[] damaged = new Packet(0, 1, 0).threadExits(20, 22, 24).close();
                damaged[field.at() + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                TraceFixture.write(folder, METADATA, 0, new Packet(0, 0, 0).threadExits(10, 12).close(), damaged,
                        new Packet(0, 2, 0).threadExits(30, 32).close());
                assertThat(read()).as(field + ", bit " + bit).filteredOn(TraceEvent.ThreadExit.class::isInstance)
                        .extracting(TraceEvent::nanos).contains(10L, 12L, 30L, 32L);
            }
        }
    }

    /** Of 200 KB, which is more than is held in memory at once. */
    @Test
    void longPacketsAreRead() throws Exception {
        Packet packet = new Packet(0, 0, 0);
        int events = 12_000;
        for (int i = 0; i < events; i++) {
            packet.threadExits(i);
        }
        byte[] bytes = packet.close();
        TraceFixture.write(folder, METADATA, 0, bytes);
        assertThat(TraceFixture.read(EventTrace.open(folder, _ -> TraceFixture.known(List.of(bytes))))).hasSize(events);
    }

    /** With what is known of the packets each byte counts, and a damaged packet costs no other. */
    @Test
    void everyChangedByteIsNoticedWhereChecksumsAre() throws Exception {
        List<byte[]> packets = List.of(new Packet(0, 0, 0).threadExits(1, 2).close(),
                new Packet(0, 1, 0).threadExits(3, 4).close(), new Packet(0, 2, 0).threadExits(5, 6).close());
        KnownPackets known = TraceFixture.known(packets);
        for (int at = 0; at < packets.get(1).length; at++) {
            byte[] changed = packets.get(1).clone();
            changed[at] ^= 4;
            TraceFixture.write(folder, METADATA, 0, packets.get(0), changed, packets.get(2));
            assertThat(TraceFixture.read(EventTrace.open(folder, _ -> known))).as("byte " + at).containsExactly(
                    new ThreadExit(1, 0, 77), new ThreadExit(2, 0, 77),
                    new Damage(2, 0, "packet 1 of cpu_0 is left out: its bytes have changed"), new ThreadExit(5, 0, 77),
                    new ThreadExit(6, 0, 77));
        }
    }

    @Test
    void whatIsMissingAtTheEndIsTold() throws Exception {
        List<byte[]> packets = List.of(new Packet(0, 0, 0).threadExits(1).close(), new Packet(0, 1, 0).threadExits(3).close());
        TraceFixture.write(folder, METADATA, 0, packets.getFirst());
        assertThat(TraceFixture.read(EventTrace.open(folder, _ -> TraceFixture.known(packets)))).containsExactly(
                new ThreadExit(1, 0, 77), new Damage(1, 0, "cpu_0 lacks the last 1 of its packets"));
        TraceFixture.write(folder, METADATA, 0, packets.getFirst(), new byte[50]);
        assertThat(TraceFixture.read(EventTrace.open(folder, _ -> TraceFixture.known(packets)))).containsExactly(
                new ThreadExit(1, 0, 77), new Damage(1, 0, "cpu_0 ends in a broken packet: its last 50 bytes are left out"));
        // What was written after the last checkpoint has no checksum yet.
        TraceFixture.write(folder, METADATA, 0, packets.get(0), packets.get(1));
        assertThat(TraceFixture.read(EventTrace.open(folder, _ -> TraceFixture.known(packets.subList(0, 1))))).hasSize(2);
    }

    @Test
    void whatIsNoEventCostsTheRestOfItsPacketOnly() throws Exception {
        List<byte[]> broken = new ArrayList<>();
        Packet unknown = new Packet(0, 1, 0).threadExits(10);
        unknown.event(99, 11).putInt(1);
        broken.add(unknown.close());
        broken.add(new Packet(0, 1, 0).threadExits(10, 9, 12).close());
        Packet cut = new Packet(0, 1, 0).threadExits(10);
        cut.event(1, 11).putInt(1);
        broken.add(cut.close());
        Packet causes = new Packet(0, 1, 0).threadExits(10);
        causes.event(1, 11).put(new byte[34]).put((byte) 255).putLong(1);
        broken.add(causes.close());
        Packet beyond = new Packet(0, 1, 0).threadExits(10);
        beyond.event(4, 11).putInt(77).putLong(-5).putLong(0);
        broken.add(beyond.close());
        for (byte[] packet : broken) {
            TraceFixture.write(folder, METADATA, 0, new Packet(0, 0, 0).threadExits(1).close(), packet,
                    new Packet(0, 2, 0).threadExits(20).close());
            List<TraceEvent> events = read();
            assertThat(events).extracting(TraceEvent::nanos).containsExactly(1L, 10L, 10L, 20L);
            assertThat(events.get(2)).isInstanceOfSatisfying(Damage.class,
                    damage -> assertThat(damage.problem()).matches("the last [0-9]+ bytes of packet 1 of cpu_0 are no events: .*"));
        }
    }

    @Test
    void packetsOfOtherTracesAreLeftOut() throws Exception {
        byte[] other = new Packet(0, 0, 0).threadExits(1).close();
        other[5] ^= 1;
        byte[] stream = new Packet(0, 0, 0).threadExits(2).close();
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(PacketField.STREAM_ID.at(), 1);
        TraceFixture.write(folder, METADATA, 0, other, new Packet(7, 0, 0).threadExits(2).close(), stream,
                new Packet(0, 3, 0).threadExits(5).close());
        assertThat(read()).hasSize(4).last().isEqualTo(new ThreadExit(5, 0, 77));
    }

    @Test
    void whatIsNoTraceIsRefusedWithASentence() throws Exception {
        assertThatThrownBy(() -> EventTrace.open(folder)).isInstanceOf(CtfException.class)
                .hasMessage("The trace in " + folder + " can't be read: it has no metadata");
        Files.createDirectory(folder.resolve(EventTrace.METADATA));
        assertThatThrownBy(() -> EventTrace.open(folder)).isInstanceOf(CtfException.class);
        Files.delete(folder.resolve(EventTrace.METADATA));
        TraceFixture.write(folder, METADATA.replace("\"kview\"", "\"lttng\""), 0);
        assertThatThrownBy(() -> EventTrace.open(folder)).isInstanceOf(CtfException.class)
                .hasMessageContaining("not a trace that Kview recorded");
        TraceFixture.write(folder, METADATA, 0);
        Files.createDirectory(folder.resolve("cpu_1"));
        Files.writeString(folder.resolve("cpu_x"), "x");
        assertThat(read()).isEmpty();
    }
}
