// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.TraceLayout.EventLayout;

/**
 * Reads a metadata text: the part of TSDL that describes integers, enumerations, texts, structures, arrays and sequences
 * of whole bytes. Headers must be as this version knows them; events and their fields may be any.
 */
final class MetadataParser {
    private static final long NANOS_OF_SECOND = 1_000_000_000L;
    private static final String TRACER = "kview";

    private final MetadataTokens in;
    private final MetadataTypes types;
    private final Map<Long, EventLayout> events = new HashMap<>();
    private Block trace = new Block();
    private Block clock = new Block();
    private Block environment = new Block();
    private Optional<Block> stream = Optional.empty();

    /** What stands between two braces. */
    private static final class Block {
        private final Map<String, String> values = new HashMap<>();
        private final Map<String, StructType> types = new HashMap<>();

        StructType type(String name) throws CtfException {
            StructType type = types.get(name);
            if (type == null) {
                throw new CtfException("the metadata does not describe '" + name + "'");
            }
            return type;
        }
    }

    MetadataParser(String text) throws CtfException {
        in = new MetadataTokens(text);
        types = new MetadataTypes(in);
    }

    TraceLayout parse() throws CtfException {
        while (!in.isAtEnd()) {
            if (in.accept("typealias")) {
                types.alias();
            } else if (in.accept("trace")) {
                trace = block();
            } else if (in.accept("clock")) {
                clock = block();
            } else if (in.accept("env")) {
                environment = block();
            } else if (in.accept("stream")) {
                Block block = block();
                if (number(block, "id", 0) == 0) {
                    stream = Optional.of(block);
                }
            } else if (in.accept("event")) {
                event(block());
            } else if (in.isName()) {
                in.skipStatement();
            } else {
                throw in.expected("a name");
            }
        }
        if (!TRACER.equals(environment.values.get("tracer_name"))) {
            throw new CtfException("it is not a trace that Kview recorded");
        }
        isAsKnown(trace.type("packet.header"), Arrays.stream(PacketField.values()).filter(field -> !field.isOfContext()).toList());
        Block streams = stream.orElseThrow(() -> new CtfException("the metadata describes no stream"));
        isAsKnown(streams.type("packet.context"), Arrays.stream(PacketField.values()).filter(PacketField::isOfContext).toList());
        List<Field> header = streams.type("event.header").fields();
        if (header.size() != 2 || !isField(header.get(0), "id", Integer.BYTES) || !isField(header.get(1), "timestamp", Long.BYTES)) {
            throw new CtfException("the metadata describes the header of events in a way that this version can't read");
        }
        if (!"le".equals(trace.values.get("byte_order"))) {
            throw new CtfException("the trace is not little-endian");
        }
        return new TraceLayout(uuid(), offset(), environment.values, events);
    }

    private Block block() throws CtfException {
        Block block = new Block();
        in.expect("{");
        while (!in.accept("}")) {
            types.count();
            String name = in.name();
            if (in.accept("=")) {
                block.values.put(name, in.value());
            } else if (in.accept(":=")) {
                block.types.put(name, types.struct());
            } else {
                throw in.expected("'=' or ':='");
            }
            in.expect(";");
        }
        in.expect(";");
        return block;
    }

    private void event(Block block) throws CtfException {
        if (number(block, "stream_id", 0) != 0) {
            return;
        }
        long id = number(block, "id", 0);
        String name = block.values.getOrDefault("name", "event " + id);
        Optional<EventKind> kind = EventKind.of(name);
        StructType fields = block.types.containsKey("fields") ? block.type("fields") : StructType.of(List.of());
        if (events.putIfAbsent(id, new EventLayout(id, name, kind, fields)) != null) {
            throw in.wrong("a second event has the id " + id);
        }
    }

    private long number(Block block, String name, long otherwise) throws CtfException {
        return block.values.containsKey(name) ? in.number(block.values.get(name)) : otherwise;
    }

    private static void isAsKnown(StructType described, List<PacketField> known) throws CtfException {
        boolean same = described.fields().size() == known.size();
        for (int i = 0; same && i < known.size(); i++) {
            same = isField(described.fields().get(i), known.get(i).text(), known.get(i).bytes());
        }
        if (!same) {
            throw new CtfException("the metadata describes the header of packets in a way that this version can't read");
        }
    }

    private static boolean isField(Field field, String name, int bytes) {
        return field.name().equals(name) && field.type().bytes() == bytes;
    }

    private UUID uuid() throws CtfException {
        try {
            return UUID.fromString(trace.values.getOrDefault("uuid", ""));
        } catch (IllegalArgumentException e) {
            throw new CtfException("the metadata has no UUID of the trace", e);
        }
    }

    private long offset() throws CtfException {
        if (number(clock, "freq", NANOS_OF_SECOND) != NANOS_OF_SECOND) {
            throw new CtfException("the trace's clock does not count ns");
        }
        try {
            return Math.addExact(number(clock, "offset", 0),
                    Math.multiplyExact(number(clock, "offset_s", 0), NANOS_OF_SECOND));
        } catch (ArithmeticException e) {
            throw new CtfException("the metadata has an offset of the clock that can't be", e);
        }
    }
}
