// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Writes events as {@code babeltrace2 --clock-seconds --no-delta} does, and asks that program for its lines. */
final class TextForm {
    private static final long NANOS = 1_000_000_000;

    private TextForm() {
    }

    static List<String> ofProgram(Path trace) throws IOException, InterruptedException {
        ProcessBuilder start = new ProcessBuilder("babeltrace2", "--clock-seconds", "--no-delta", trace.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        start.environment().put("LC_ALL", "C");
        Process program = start.start();
        List<String> lines = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        program.waitFor();
        return lines;
    }

    static List<String> of(TraceReader reader) throws BabeltraceException {
        List<String> lines = new ArrayList<>();
        while (reader.next()) {
            if (reader.message() instanceof Event event) {
                lines.add(line(event));
            }
        }
        return lines;
    }

    private static String line(Event event) throws BabeltraceException {
        String host = Optional.ofNullable(event.stream().environment().get("hostname")).map(name -> name + " ").orElse("");
        String context = structure(event.packetContext());
        return "[%d.%09d] %s%s: %s".formatted(Math.floorDiv(event.nanos(), NANOS), Math.floorMod(event.nanos(), NANOS), host,
                event.eventClass().name(), LongStream.of(0, 1, 2, 3).mapToObj(part -> switch ((int) part) {
                    case 0 -> context;
                    case 1 -> structure(event.commonContext());
                    case 2 -> structure(event.context());
                    default -> structure(event.payload());
                }).filter(text -> !text.isEmpty()).collect(Collectors.joining(", ")));
    }

    private static String structure(Field field) {
        return members(field).isEmpty() ? "" : text(field);
    }

    private static List<FieldType.Member> members(Field field) {
        return ((FieldType.Structure) field.type()).members();
    }

    private static String text(Field field) {
        return switch (field.type()) {
            case FieldType.Bool _ -> Boolean.toString(field.bool());
            case FieldType.Bits _ -> "0x%X".formatted(field.bits());
            case FieldType.Unsigned type when type.labels().isEmpty() -> Long.toUnsignedString(field.unsigned());
            case FieldType.Unsigned type -> label(type.label(field.unsigned()), Long.toUnsignedString(field.unsigned()));
            case FieldType.Signed type when type.labels().isEmpty() -> Long.toString(field.signed());
            case FieldType.Signed type -> label(type.label(field.signed()), Long.toString(field.signed()));
            case FieldType.Real _ -> real(field.real());
            case FieldType.Text _ -> "\"" + field.text(1000) + "\"";
            case FieldType.Blob _ -> HexFormat.ofDelimiter(" ").formatHex(field.blob(1000)).transform(bytes -> "{ " + bytes + " }");
            case FieldType.Structure type -> java.util.stream.IntStream.range(0, type.members().size())
                    .mapToObj(i -> type.members().get(i).name() + " = " + text(field.member(i)))
                    .collect(Collectors.joining(", ", "{ ", " }"));
            case FieldType.Array _ when field.length() == 0 -> "[ ]";
            case FieldType.Array _ -> LongStream.range(0, field.length())
                    .mapToObj(i -> "[" + i + "] = " + text(field.element(i))).collect(Collectors.joining(", ", "[ ", " ]"));
            case FieldType.Option _ -> field.content().map(TextForm::text).orElse("none");
            case FieldType.Variant _ -> "{ " + text(field.content().orElseThrow()) + " }";
            case FieldType.Unknown type -> throw new AssertionError(type);
        };
    }

    /** As printf's %g does for the numbers that are used here. */
    private static String real(double value) {
        return new java.math.BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }

    private static String label(Optional<String> label, String value) {
        return "( " + label.map(name -> "\"" + name + "\"").orElse("<unknown>") + " : container = " + value + " )";
    }
}
