// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.ctf.FieldType.ArrayType;
import org.kview.ctf.FieldType.EnumType;
import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.IntegerType;
import org.kview.ctf.FieldType.SequenceType;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.TraceLayout.EventLayout;
import org.kview.model.Metric;

/**
 * {@code kernel/protocol/trace.tsdl} describes the layout: the agent sends that very text. What this side knows by name, and
 * what {@code ctf-layout.md} tells people, is compared with it.
 */
class LayoutDescriptionTest {
    private static final Pattern NUMBER = Pattern.compile("\\b[us](8|16|32|64) (\\w+)(?:\\[([0-9]+)])?");

    private TraceLayout layout;

    @BeforeEach
    void parse() throws CtfException {
        layout = TraceLayout.parse(TraceFixture.metadata());
    }

    private List<EventLayout> events() {
        return layout.events().values().stream().sorted(Comparator.comparingLong(EventLayout::id)).toList();
    }

    @Test
    void everyEventAndFieldIsKnownAndNoOther() {
        Map<EventKind, List<EventField>> described = new TreeMap<>();
        events().forEach(event -> described.put(event.kind().orElseThrow(),
                event.fields().fields().stream().map(field -> field.known().orElseThrow()).toList()));
        assertThat(described).isEqualTo(new TreeMap<>(Arrays.stream(EventKind.values())
                .collect(Collectors.toMap(kind -> kind, EventKind::fields))));
        StructType cause = (StructType) TraceLayout.element(layout.event(1).orElseThrow().fields().field("causes").orElseThrow().type());
        assertThat(cause.fields()).extracting(Field::name).containsExactly("cause", "ns");
    }

    @Test
    void causesAreThoseThatAreMeasured() {
        EnumType causes = (EnumType) layout.event(2).orElseThrow().fields().field("cause").orElseThrow().type();
        Map<Long, String> labels = new TreeMap<>();
        causes.ranges().forEach((value, range) -> labels.put(value, range.label()));
        assertThat(labels).isEqualTo(new TreeMap<>(Metric.CAUSES.stream().collect(Collectors.toMap(m -> (long) m.value(), Metric::id))));
    }

    /** Each row of the table, but for what is said of it. */
    @Test
    void theDocumentTellsTheSameOfEvents() {
        List<String> rows = TraceFixture.protocol("ctf-layout.md").lines().filter(line -> line.matches("\\| [0-9]+ \\|.*"))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1)).toList();
        assertThat(rows).isEqualTo(events().stream().map(event -> "| %d | `%s` | %s |".formatted(event.id(), event.name(),
                text(event.fields()))).toList());
    }

    private static String text(StructType fields) {
        return fields.fields().stream().map(LayoutDescriptionTest::text).collect(Collectors.joining(" · "));
    }

    private static String text(Field field) {
        return switch (field.type()) {
            case IntegerType number -> (number.signed() ? "s" : "u") + number.size() * 8 + " " + field.name();
            case EnumType _ -> field.name();
            case ArrayType(IntegerType character, long length) when character.isText() -> "char " + field.name() + "[" + length + "]";
            case SequenceType(StructType element, int _) -> "{ " + text(element) + " } " + field.name() + "[]";
            default -> throw new AssertionError(field);
        };
    }

    @Test
    void theDocumentTellsTheSameOfHeaders() {
        List<String> told = new ArrayList<>();
        String text = TraceFixture.protocol("ctf-layout.md");
        NUMBER.matcher(text.substring(text.indexOf("packet header "), text.indexOf("event header "))).results()
                .forEach(field -> told.add(field.group(2) + " " + Integer.parseInt(field.group(1)) / 8
                        * (field.group(3) == null ? 1 : Integer.parseInt(field.group(3)))));
        assertThat(told).isEqualTo(Arrays.stream(PacketField.values()).map(field -> field.text() + " " + field.bytes()).toList());
        assertThat(text).contains("event header    u32 id · u64 timestamp");
        assertThat(PacketHeader.HEADER_BYTES).isEqualTo(76);
    }
}
