// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Traces in CTF 2, which libbabeltrace2 reads from 2.1 on: of these two tests one runs, by the version that is installed. */
class NewerFormatTest {
    @TempDir
    private Path folder;
    private Babeltrace library;

    @BeforeEach
    void load() throws BabeltraceException {
        library = Babeltrace.load();
    }

    static boolean readsIt() throws BabeltraceException {
        return Babeltrace.load().version().readsCtf2();
    }

    @Test
    @DisabledIf("readsIt")
    void anOlderLibraryIsToldInASentence() throws Exception {
        String sentence = "The trace in " + folder + " is in CTF 2, which libbabeltrace2 reads from version 2.1 on; the one that is"
                + " installed is " + library.version() + ": install a later one";
        write(folder);
        assertThatThrownBy(() -> library.open(List.of(folder))).isInstanceOf(BabeltraceException.class).hasMessage(sentence);
        byte[] packet = new byte[100];
        ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).putInt(0x75D11D57);
        packet[35] = 2;
        Files.write(folder.resolve("metadata"), packet);
        assertThatThrownBy(() -> library.open(List.of(folder))).as("in packets, as LTTng writes it").hasMessage(sentence);
        packet[35] = 1;
        Files.write(folder.resolve("metadata"), packet);
        assertThatThrownBy(() -> library.open(List.of(folder))).hasMessageStartingWith("The trace in " + folder + " can't be opened: ");
    }

    @Test
    @EnabledIf("readsIt")
    void fieldsOfTheTypesThatItAddsReadAsTheProgramReadsThem() throws Exception {
        write(folder);
        try (TraceReader reader = library.open(List.of(folder))) {
            List<String> lines = TextForm.of(reader);
            assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).contains("variable = 128", "signed = -1",
                    "blob = { 61 62 63 }", "length = 2", "bytes = { 78 79 }", "text = \"hi\"", "fixed = \"wxyz\""));
            assertThat(lines.getFirst()).startsWith("[1000.000000005] all: { flag = true, option = 42, map = 0x5,");
            assertThat(lines.getLast()).contains("flag = false, option = none");
        }
    }

    private static String number(String type, int bits, String roles) {
        return "{\"type\":\"fixed-length-" + type + "\",\"length\":" + bits + ",\"byte-order\":\"little-endian\"" + roles + "}";
    }

    private static String time(String role) {
        return number("unsigned-integer", 64, ",\"roles\":[\"" + role + "\"]");
    }

    private static String member(String name, String type) {
        return "{\"name\":\"" + name + "\",\"field-class\":" + type + "}";
    }

    private static String structure(String... members) {
        return "{\"type\":\"structure\",\"member-classes\":[" + String.join(",", members) + "]}";
    }

    private static void write(Path folder) throws IOException {
        String payload = "\"event-record-payload\"";
        List<String> fragments = List.of("{\"type\":\"preamble\",\"version\":2}",
                "{\"type\":\"clock-class\",\"id\":\"c\",\"frequency\":1000000000,\"origin\":\"unix-epoch\",\"offset-from-origin\":"
                        + "{\"seconds\":1000}}", "{\"type\":\"trace-class\"}",
                "{\"type\":\"data-stream-class\",\"default-clock-class-id\":\"c\",\"packet-context-field-class\":" + structure(
                        member("b", time("default-clock-timestamp")), member("e", time("packet-end-default-clock-timestamp")),
                        member("c", time("packet-content-length")), member("p", time("packet-total-length")))
                        + ",\"event-record-header-field-class\":" + structure(member("t", time("default-clock-timestamp"))) + "}",
                "{\"type\":\"event-record-class\",\"name\":\"all\",\"payload-field-class\":" + structure(
                        member("flag", number("boolean", 8, "")),
                        member("option", "{\"type\":\"optional\",\"selector-field-location\":{\"origin\":" + payload
                                + ",\"path\":[\"flag\"]},\"field-class\":" + number("unsigned-integer", 8, "") + "}"),
                        member("map", number("bit-map", 8, ",\"flags\":{\"a\":[[0,0]]}")),
                        member("variable", "{\"type\":\"variable-length-unsigned-integer\"}"),
                        member("signed", "{\"type\":\"variable-length-signed-integer\"}"),
                        member("blob", "{\"type\":\"static-length-blob\",\"length\":3}"),
                        member("length", number("unsigned-integer", 8, "")),
                        member("bytes", "{\"type\":\"dynamic-length-blob\",\"length-field-location\":{\"origin\":" + payload
                                + ",\"path\":[\"length\"]}}"),
                        member("text", "{\"type\":\"null-terminated-string\"}"),
                        member("fixed", "{\"type\":\"static-length-string\",\"length\":4}")) + "}");
        Files.writeString(folder.resolve("metadata"), "\u001e" + String.join("\n\u001e", fragments) + "\n");
        ByteBuffer out = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN).putLong(5).putLong(9).putLong(0).putLong(0);
        String rest = "\u0005\u0080\u0001\u007fabc\u0002xyhi\0wxyz";
        out.putLong(5).put((byte) 1).put((byte) 42).put(rest.getBytes(StandardCharsets.ISO_8859_1));
        out.putLong(9).put((byte) 0).put(rest.getBytes(StandardCharsets.ISO_8859_1));
        long bits = out.position() * 8L;
        out.putLong(16, bits).putLong(24, bits);
        Files.write(folder.resolve("stream"), Arrays.copyOf(out.array(), out.position()));
    }
}
