// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program {@code babeltrace2} reads the same traces: what it prints is the measure. */
class TraceReaderTest {
    private static Babeltrace library;

    @TempDir
    private Path folder;

    @BeforeAll
    static void load() throws BabeltraceException {
        library = Babeltrace.load();
    }

    @Test
    void tellsTheVersionOfTheProgramBesideIt() throws IOException {
        String said = new String(new ProcessBuilder("babeltrace2", "--version").start().getInputStream().readAllBytes());
        assertThat(said).contains(" " + library.version());
    }

    @Test
    void aRecordedTraceReadsAsTheProgramReadsIt() throws Exception {
        try (TraceReader reader = library.open(List.of(TraceFiles.recorded()))) {
            assertThat(TextForm.of(reader)).hasSizeGreaterThan(7000).isEqualTo(TextForm.ofProgram(TraceFiles.recorded()));
        }
    }

    @Test
    void fieldsOfAllTypesReadAsTheProgramReadsThem() throws Exception {
        Path trace = TraceFiles.allTypes(folder.resolve("all"));
        try (TraceReader reader = library.open(List.of(trace))) {
            List<String> lines = TextForm.of(reader);
            assertThat(lines).hasSize(3).isEqualTo(TextForm.ofProgram(trace));
            assertThat(lines.get(1)).startsWith("[1000.000001250] box all: { cpu_id = 3 }, { vtid = 4711 }, { level = 9 }, ")
                    .contains("large = 18446744073709551614, negative = -5, half = 0.5, quarter = -0.25, name = \"second\"",
                            "value = { \"a word\" }");
        }
    }

    /** Each instant is told in cycles of half a ns, from 1000 s and 250 ns on. */
    @Test
    void tellsWhatWasLostAndWhereStreamsAndPacketsBeginAndEnd() throws Exception {
        List<String> told = new ArrayList<>();
        try (TraceReader reader = library.open(List.of(TraceFiles.allTypes(folder.resolve("all"))))) {
            while (reader.next()) {
                told.add(switch (reader.message()) {
                    case Message.StreamBegin m -> "begin " + m.stream().environment().get("answer") + " " + m.stream().clock()
                            .map(ClockClass::frequency).orElse(0L);
                    case Message.StreamEnd _ -> "end";
                    case Message.PacketBegin m -> "packet at " + m.nanos().orElse(-1) + " of CPU "
                            + m.context().member("cpu_id").map(Field::unsigned).orElse(-1L);
                    case Message.PacketEnd m -> "packet's end at " + m.nanos().orElse(-1);
                    case Message.DiscardedEvents m -> "lost events " + m.count() + " " + m.beginNanos().orElse(-1) + " to "
                            + m.endNanos().orElse(-1);
                    case Message.DiscardedPackets m -> "lost packets " + m.count();
                    case Message.Inactivity _ -> "inactive";
                    case Event event -> "event at " + event.nanos();
                });
            }
        }
        assertThat(told).containsExactly("begin 42 2000000000", "packet at 1000000000750 of CPU 3", "event at 1000000000750",
                "event at 1000000001250", "packet's end at 1000000001250",
                "lost events " + OptionalLong.of(7) + " 1000000001250 to 1000000004750", "lost packets " + OptionalLong.of(1),
                "packet at 1000000004750 of CPU 3", "event at 1000000004750", "packet's end at 1000000004750", "end");
    }

    /** As LTTng writes the traces of a session. */
    @Test
    void tracesInFoldersBelowAreReadOnOneTimeAxis() throws Exception {
        TraceFiles.allTypes(folder.resolve("session/ust/uid/0/64-bit"));
        TraceFiles.copy(TraceFiles.recorded(), folder.resolve("session/kernel"));
        try (TraceReader reader = library.open(List.of(folder.resolve("session")))) {
            assertThat(reader.traces()).hasSize(2);
            List<String> names = new ArrayList<>();
            long last = Long.MIN_VALUE;
            while (reader.next()) {
                if (reader.message() instanceof Event event) {
                    names.add(event.eventClass().name());
                    assertThat(event.nanos() >= last).isTrue();
                    last = event.nanos();
                }
            }
            assertThat(names).startsWith("all", "all", "all", "kview:thread").hasSizeGreaterThan(7000);
        }
    }

    @Test
    void eachFieldsTypeIsTold() throws Exception {
        try (TraceReader reader = library.open(List.of(TraceFiles.allTypes(folder.resolve("all"))))) {
            while (!(reader.next() && reader.message() instanceof Event)) {
                continue;
            }
            FieldType.Structure type = (FieldType.Structure) ((Event) reader.message()).eventClass().payload();
            assertThat(type.members()).extracting(FieldType.Member::name).containsExactly("large", "negative", "half", "quarter",
                    "name", "level", "count", "list", "pair", "kind", "value", "nested");
            assertThat(type.members().get(type.index("negative")).type()).isEqualTo(new FieldType.Signed(64, 10, List.of()));
            assertThat(type.members().get(type.index("level")).type()).isEqualTo(new FieldType.Signed(8, 10, List.of(
                    new FieldType.Label("low", -3, -1), new FieldType.Label("none", 0, 0), new FieldType.Label("high", 5, 5))));
            assertThat(type.members().get(type.index("pair")).type()).isEqualTo(new FieldType.Array(
                    new FieldType.Unsigned(8, 10, List.of()), OptionalLong.of(2)));
            assertThat(type.index("no such")).isEqualTo(-1);
        }
    }

    @Test
    void aFieldThatIsNotThereIsToldFromOneThatIs() throws Exception {
        try (TraceReader reader = library.open(List.of(TraceFiles.allTypes(folder.resolve("all"))))) {
            while (!(reader.next() && reader.message() instanceof Event)) {
                continue;
            }
            Field payload = ((Event) reader.message()).payload();
            assertThat(payload.member("no such")).isEqualTo(Optional.empty());
            assertThat(payload.member("count").map(Field::number)).contains(2L);
        }
    }
}
