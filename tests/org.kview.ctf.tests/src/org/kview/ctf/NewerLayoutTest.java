// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.TraceFixture.Packet;

/** Traces of later versions: what is added is passed over, and what this version can't read is refused with a sentence. */
class NewerLayoutTest {
    private static final String METADATA = TraceFixture.metadata();

    @TempDir
    Path folder;

    private static String with(String known, String newer) {
        assertThat(METADATA).contains(known);
        return METADATA.replace(known, newer);
    }

    private List<TraceEvent> read(String metadata, Packet packet) throws Exception {
        return TraceFixture.read(EventTrace.open(TraceFixture.write(folder, metadata, 0, packet.close())));
    }

    /** Of every type that is read, also within others; none of them is taken for a field that is known. */
    @Test
    void newFieldsArePassedOver() throws Exception {
        String metadata = with("struct { u32 tid; function_id function; u16 depth; };\n};\nevent {\n\tname = \"kview:call_exit\"",
                """
                struct { u64 object; u32 tid; struct { u32 tid; u8 n; u16 values[n]; string text; } inner; function_id function;
                  string word; floating_point { exp_dig = 8; mant_dig = 24; align = 8; } load; u16 depth; u16 stack_length;
                  struct { u64 tid; string name; } stack[stack_length]; char8 host[5]; struct { string a; } two[2]; };
                };
                event {
                \tname = "kview:call_exit\"""");
        Packet packet = new Packet(0, 0, 0);
        packet.event(0, 5).putLong(-1).putInt(77).putInt(78).put((byte) 2).putShort((short) 1).putShort((short) 2).put("ab\0".getBytes())
                .putInt(1).put("word\0".getBytes()).putInt(0).putShort((short) 4).putShort((short) 2)
                .putLong(-1).put("x\0".getBytes()).putLong(0).put("\0".getBytes()).put("hello".getBytes()).put("p\0q\0".getBytes());
        packet.threadExits(6);
        assertThat(read(metadata, packet)).containsExactly(new TraceEvent.CallEntry(5, 0, 77, 1, 4),
                new TraceEvent.ThreadExit(6, 0, 77));
    }

    /** In whatever form: another kind of event has a field of that name. */
    @Test
    void newFieldsOfNamesThatAreKnownElsewhereArePassedOver() throws Exception {
        String exit = METADATA.substring(METADATA.indexOf("\"kview:thread_exit\""));
        String known = exit.substring(0, exit.indexOf("};") + 2);
        String metadata = with(known, known.replace("u32 tid;",
                "u32 tid; u32 function; u32 name[2]; u64 n; struct { u8 none[0]; } causes[n]; u8 depth[tid]; u8 wall;"));
        Packet packet = new Packet(0, 0, 0);
        packet.event(5, 6).putInt(2).putInt(-1).putInt(-1).putInt(-1).putLong(Long.MAX_VALUE).put((byte) 1).put((byte) 2).put((byte) -1);
        assertThat(read(metadata, packet)).containsExactly(new TraceEvent.ThreadExit(6, 0, 2));
    }

    @Test
    void newEventsAndCausesKeepTheirNames() throws Exception {
        String metadata = with("\"stopped\" = 12", "\"stopped\" = 12, \"gpu\", \"many\" = 20 ... 30")
                + "event { name = \"kview:gpu_wait\"; id = 40; stream_id = 0; fields := struct { u32 tid; cause_id cause; }; };\n"
                + "event { name = \"kview:nothing\"; id = 41; };\nevent { name = \"kview:other\"; id = 0; stream_id = 1; };\n"
                + "callsite { name = \"x\"; }; // later\n";
        Packet packet = new Packet(0, 0, 0);
        packet.event(40, 1).putInt(77).put((byte) 13);
        packet.event(41, 2);
        packet.event(1, 3).putInt(77).putInt(1).putShort((short) 0).putLong(1).putLong(2).putLong(0).put((byte) 3).put((byte) 13)
                .putLong(1).put((byte) 25).putLong(1).put((byte) 31).putLong(0);
        List<TraceEvent> events = read(metadata, packet);
        assertThat(events).startsWith(new TraceEvent.Other(1, 0, "kview:gpu_wait"), new TraceEvent.Other(2, 0, "kview:nothing"));
        assertThat(events.get(2)).isInstanceOfSatisfying(TraceEvent.CallExit.class, call -> assertThat(call.causes()).containsExactly(
                new CauseTime(new Cause("gpu"), 1), new CauseTime(new Cause("many"), 1), new CauseTime(new Cause("cause 31"), 0)));
        assertThat(new Cause("gpu").metric()).isEmpty();
        assertThat(new Cause("wall").metric()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "u32 tid; u64 off_ns; | u32 tid; | without its field 'off_ns'",
        "u32 tid; u64 off_ns; | u32 tid; string off_ns; | the field 'off_ns' of kview:switch_in as something",
        "cause_id cause; u64 ns; | u64 ns; | describes kview:call_exit without its field 'cause'",
        "u32 magic; u8 uuid[16]; | u8 uuid[16]; u32 magic; | the header of packets",
        "u64 packet_seq_num; | | the header of packets",
        "{ u32 id; u64c timestamp; } | { u16 id; u64c timestamp; } | the header of events",
        "u16 depth; }; | variant <x> { u8 a; } depth; }; | no type 'variant'",
        "byte_order = le; | byte_order = be; | not little-endian",
        "id = 6; | id = 5; | a second event has the id 5",
        "freq = 1000000000; | freq = 1000; | does not count ns",
        "size = 16; align = 8; | size = 12; align = 8; | integers of 8, 16, 32 and 64 bits",
        "size = 64; align = 8; signed = false; } := u64; | size = 64; align = 64; signed = false; } := u64; | aligned to more than a byte",
        "causes[causes_length] | causes[other] | no number 'other'",
        "causes[causes_length] | causes[causes_length][1000000000] | no arrays of sequences",
        "u32 tid; u32 pid; | u32 tid; u32 tid; | two fields 'tid'",
        "tracer_minor = 3; | tracer_minor 3; | line 20 of the metadata: '3' stands where '=' or ':=' is expected",
        "\"stopped\" = 12 | \"stopped = 12 | a text does not end",
        "/* CTF 1.8 */ | /* CTF 1.8 | a comment does not end"})
    void whatCanNotBeReadIsRefusedWithASentence(String known, String newer, String sentence) {
        String metadata = with(known, newer == null ? "" : newer);
        assertThatThrownBy(() -> TraceLayout.parse(metadata)).isInstanceOf(CtfException.class).hasMessageContaining(sentence);
    }

    /** Types that stand within each other as deeply as memory would allow. */
    @Test
    void depthHasALimit() {
        StringBuilder aliases = new StringBuilder("typealias struct { u8 a; } := t0;\n");
        for (int i = 1; i < 100_000; i++) {
            aliases.append("typealias struct { t%d a; } := t%d;\n".formatted(i - 1, i));
        }
        assertThatThrownBy(() -> TraceLayout.parse(METADATA + aliases)).isInstanceOf(CtfException.class)
                .hasMessageContaining("too deeply");
        assertThatThrownBy(() -> TraceLayout.parse(METADATA + "typealias " + "struct { ".repeat(100_000)))
                .isInstanceOf(CtfException.class).hasMessageContaining("too deeply");
        assertThatThrownBy(() -> TraceLayout.parse(METADATA + "typealias struct { u8 a" + "[2]".repeat(100_000) + "; } := t;"))
                .isInstanceOf(CtfException.class).hasMessageContaining("too deeply");
    }

    /** Ones that take no byte, each of a hundred of the one before: nobody would live to see them passed over one by one. */
    @Test
    void whatTakesNoByteTakesNoTime() throws Exception {
        StringBuilder metadata = new StringBuilder(METADATA + "typealias struct { u8 none[0]; } := t0;\n");
        for (int i = 1; i < 12; i++) {
            metadata.append("typealias struct {");
            for (int field = 0; field < 100; field++) {
                metadata.append(" t%d f%d;".formatted(i - 1, field));
            }
            metadata.append(" } := t%d;\n".formatted(i));
        }
        metadata.append("event { name = \"none\"; id = 50; fields := struct { t11 a; u8 b; u8 c[b]; struct { t11 d; u8 e[b]; } f[b]; }; };\n");
        Packet packet = new Packet(0, 0, 0);
        packet.event(50, 1).put((byte) 0);
        packet.event(50, 2).put((byte) 1).putShort((short) 0);
        assertThat(read(metadata.toString().replace("u8 e[b]", "u8 e"), packet)).containsExactly(new TraceEvent.Other(1, 0, "none"),
                new TraceEvent.Other(2, 0, "none"));
        assertThatThrownBy(() -> TraceLayout.parse(METADATA + "typealias struct { u8 n;"
                + IntStream.range(0, 65).mapToObj(i -> " u8 s" + i + "[n];").collect(Collectors.joining()) + " } := t;"))
                .isInstanceOf(CtfException.class).hasMessageContaining("more sequences than any");
        assertThatThrownBy(() -> TraceLayout.parse(METADATA + "typealias integer { size = 1" + "u".repeat(1_000_000) + "x; } := t;"))
                .isInstanceOf(CtfException.class).hasMessageContaining("can't be read");
    }

    /** Nothing is allocated, nor gone through, by what lengths say. */
    @Test
    void lengthsTakeNeitherTimeNorMemory() throws Exception {
        String metadata = METADATA + """
                typealias struct { u8 none[0]; } := empty;
                typealias struct { u64 a[9000000000000000000]; } := huge;
                event { name = "empty"; id = 50; fields := struct { empty a[9000000000000000000]; u64 n; empty b[n]; }; };
                event { name = "huge"; id = 51; fields := struct { huge a[9000000000000000000]; }; };
                event { name = "text"; id = 52; fields := struct { u64 n; struct { string a; } texts[n]; }; };
                event { name = "long"; id = 53; fields := struct { u32 n; u8 a[n]; }; };
                """;
        assertThatCode(() -> TraceLayout.parse(metadata)).doesNotThrowAnyException();
        Packet packet = new Packet(0, 0, 0);
        packet.event(50, 1).putLong(Long.MAX_VALUE);
        packet.event(51, 2).putLong(0);
        List<TraceEvent> events = read(metadata, packet);
        assertThat(events.getFirst()).isEqualTo(new TraceEvent.Other(1, 0, "empty"));
        assertThat(events.get(1)).isInstanceOf(TraceEvent.Damage.class);
        for (long length : new long[] {Long.MAX_VALUE, -1}) {
            Packet texts = new Packet(0, 0, 0);
            texts.event(52, 1).putLong(length).put(new byte[100]);
            assertThat(read(metadata, texts)).singleElement().isInstanceOf(TraceEvent.Damage.class);
        }
        Packet longer = new Packet(0, 0, 0);
        longer.event(53, 1).putInt(StreamCursor.MOST_EVENT_BYTES).put(new byte[StreamCursor.MOST_EVENT_BYTES]);
        assertThat(read(metadata, longer)).singleElement().isInstanceOfSatisfying(TraceEvent.Damage.class,
                damage -> assertThat(damage.problem()).endsWith("or is longer than any"));
    }
}
