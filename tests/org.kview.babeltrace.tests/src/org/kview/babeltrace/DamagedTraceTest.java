// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedTraceTest {

    /** Where a packet says how long its content and itself are. */
    private static final int SIZES_AT = 24, SIZES_END = 40;

    @TempDir
    private Path folder;
    private Babeltrace library;

    @BeforeEach
    void load() throws BabeltraceException {
        library = Babeltrace.load();
    }

    private static byte[] bytes(Path file) throws IOException {
        return Files.readAllBytes(file);
    }

    private static int secondPacket(byte[] stream) {
        int at = 1;
        while (!(stream[at] == (byte) 0xC1 && stream[at + 1] == 0x1F && stream[at + 2] == (byte) 0xFC)) {
            at++;
        }
        return at;
    }

    /** What was read before the damage stays, and then the library's causes are told. */
    @Test
    void eventsBeforeTheDamageAreToldAndThenItsCause() throws Exception {
        Path trace = TraceFiles.allTypes(folder.resolve("cut"));
        byte[] stream = bytes(trace.resolve("stream"));
        // An event of a kind that the metadata does not describe.
        int second = stream.length - 100;
        while (!(stream[second] == 0x28 && stream[second + 1] == 0x23 && stream[second - 4] == 7)) {
            second++;
        }
        stream[second - 4] = 8;
        Files.write(trace.resolve("stream"), stream);
        try (TraceReader reader = library.open(List.of(trace))) {
            int events = 0;
            BabeltraceException failure = null;
            try {
                while (reader.next()) {
                    events += reader.message() instanceof Event ? 1 : 0;
                }
            } catch (BabeltraceException e) {
                failure = e;
            }
            assertThat(events).isEqualTo(2);
            assertThat(failure).isNotNull().hasMessageStartingWith("The trace can't be read any further: ");
            assertThat(failure.causes()).isNotEmpty().allSatisfy(cause -> assertThat(cause.message()).isNotBlank());
            assertThat(failure.causes().getFirst().file()).endsWith(".c");
            // The library would abort.
            assertThatThrownBy(reader::next).isInstanceOf(IllegalStateException.class).hasMessageContaining("failed before");
        }
        assertThatNewGraphsWork();
    }

    private void assertThatNewGraphsWork() throws BabeltraceException {
        try (TraceReader reader = library.open(List.of(TraceFiles.recorded()))) {
            assertThat(reader.next()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "/* CTF 1.8 */ trace {", "/* CTF 1.8 */ trace { major = 1; minor = 8; };",
            "/* CTF 1.8 */ event { name = \"x\"; fields := struct { nothing x; }; };"})
    void metadataThatCantBeReadIsToldWithItsCause(String metadata) throws Exception {
        Files.writeString(folder.resolve("metadata"), metadata);
        Files.write(folder.resolve("stream"), new byte[100]);
        BabeltraceException failure = catchThrowableOfType(BabeltraceException.class, () -> {
            try (TraceReader reader = library.open(List.of(folder))) {
                while (reader.next()) {
                    continue;
                }
            }
        });
        assertThat(failure).isNotNull();
        assertThat(failure.causes()).isNotEmpty();
        assertThatNewGraphsWork();
    }

    @Test
    void aFolderWithoutATraceIsRefused() throws Exception {
        assertThatThrownBy(() -> library.open(List.of(folder))).isInstanceOf(BabeltraceException.class)
                .hasMessage("There is no trace in " + folder + ": a trace is a folder with a file named metadata");
        assertThatThrownBy(() -> library.open(List.of(folder.resolve("nowhere")))).isInstanceOf(BabeltraceException.class)
                .hasMessageContaining("can't be read");
    }

    /** A link could lead anywhere. */
    @Test
    void linksAreNotFollowed() throws Exception {
        Files.createSymbolicLink(folder.resolve("elsewhere"), TraceFiles.recorded());
        assertThatThrownBy(() -> library.open(List.of(folder))).hasMessageContaining("There is no trace in");
    }

    @Test
    void aComponentThatIsNotThereIsToldByItsName() throws Exception {
        try (Graph graph = library.graph()) {
            assertThatThrownBy(() -> graph.source("ctf", "nowhere", "a", Parameters.NONE)).hasMessageContaining("source.ctf.nowhere");
        }
        try (Graph graph = library.graph()) {
            assertThatThrownBy(() -> graph.filter("nowhere", "muxer", "a", Parameters.NONE)).hasMessageContaining("'nowhere'");
        }
        assertThatNewGraphsWork();
    }

    /** The sizes of packets are left out: the next test is about these. */
    @Test
    void changedBytesGiveAnErrorOrOtherFiguresAndNeverEndTheProcess() throws Exception {
        Path trace = TraceFiles.allTypes(folder.resolve("changed"));
        byte[] whole = bytes(trace.resolve("stream"));
        int second = secondPacket(whole);
        int refused = 0;
        for (int at = second; at < whole.length; at += at < second + SIZES_AT || at >= second + SIZES_END ? 1 : SIZES_END - SIZES_AT) {
            byte[] changed = whole.clone();
            changed[at] ^= (byte) (at % 2 == 0 ? 0xff : 0x80);
            Files.write(trace.resolve("stream"), changed);
            try (TraceReader reader = library.open(List.of(trace))) {
                TextForm.of(reader);
            } catch (BabeltraceException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
        assertThatNewGraphsWork();
    }

    /** A packet whose content's size is negative: an assertion of the library fails, which ends the process that reads. */
    @Test
    void aTrialTellsThatATraceEndsTheLibrary() throws Exception {
        Path trace = TraceFiles.allTypes(folder.resolve("changed"));
        byte[] stream = bytes(trace.resolve("stream"));
        stream[secondPacket(stream) + SIZES_AT + Long.BYTES - 1] = (byte) 0x80;
        Files.write(trace.resolve("stream"), stream);
        TraceTrial trial = TraceTrial.run(List.of(trace));
        assertThat(trial.died()).isTrue();
        // This one is seen when the trace is opened.
        assertThat(trial.messages()).isZero();
        assertThat(trial.cause()).contains("Assertion");
    }

    @Test
    void aTrialOfAWholeTraceTellsAllOfIt() throws Exception {
        long read = 0;
        try (TraceReader reader = library.open(List.of(TraceFiles.recorded()))) {
            for (; reader.next(); read++) {
                continue;
            }
        }
        assertThat(TraceTrial.run(List.of(TraceFiles.recorded()))).isEqualTo(new TraceTrial(read, false, ""));
    }
}
