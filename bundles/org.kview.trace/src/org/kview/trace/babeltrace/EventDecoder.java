// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventType;
import org.eclipse.tracecompass.tmf.core.event.TmfEventField;
import org.eclipse.tracecompass.tmf.core.event.TmfEventType;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.trace.TmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.CtfEnumPair;
import org.kview.model.SafeText;

/** Makes Trace Compass's events of those in the file. Not safe for use by several threads. */
final class EventDecoder {
    private static final String CUT = "…";
    private static final int KIND_EVENT = 0;

    private final TmfTrace trace;
    private final EventCopy copy;
    private final Map<String, ITmfEventType> types = new HashMap<>();

    EventDecoder(TmfTrace trace, EventCopy copy) {
        this.trace = trace;
        this.copy = copy;
    }

    ITmfEvent event(ByteBuffer in, long rank) throws IOException {
        ITmfTimestamp time = trace.createTimestamp(in.getLong());
        String name = copy.name(in.getInt());
        String channel = copy.name(in.getInt());
        int cpu = in.getInt();
        if (in.get() != KIND_EVENT) {
            TmfTimeRange range = new TmfTimeRange(trace.createTimestamp(in.getLong()), trace.createTimestamp(in.getLong()));
            long count = in.getLong();
            String what = in.get() == 0 ? "events" : "packets";
            ITmfEventField content = root(List.of(count < 0 ? new TmfEventField(what, "an unknown number", null)
                    : new TmfEventField(what, count, null)));
            return new LostEvents(trace, rank, range, type(name, content), content, channel, cpu, what.equals("events") ? Math.max(0, count) : 0);
        }
        List<ITmfEventField> fields = structure(in);
        ITmfEventField content = root(fields);
        return new CopiedEvent(trace, rank, time, type(name, content), content, channel, cpu);
    }

    private static ITmfEventField root(List<ITmfEventField> fields) {
        return new TmfEventField(ITmfEventField.ROOT_FIELD_ID, null, fields.toArray(ITmfEventField[]::new));
    }

    private ITmfEventType type(String name, ITmfEventField content) {
        return types.computeIfAbsent(name, _ -> new TmfEventType(name, root(content.getFields().stream()
                .<ITmfEventField>map(field -> new TmfEventField(field.getName(), null, null)).toList())));
    }

    private List<ITmfEventField> structure(ByteBuffer in) throws IOException {
        int count = Short.toUnsignedInt(in.getShort());
        List<ITmfEventField> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(field(copy.name(in.getInt()), in));
        }
        return fields;
    }

    private ITmfEventField field(String name, ByteBuffer in) throws IOException {
        return switch (ValueType.of(in.get())) {
            case ABSENT -> new TmfEventField(name, "", null);
            case SIGNED -> new TmfEventField(name, in.getLong(), null);
            case UNSIGNED -> new TmfEventField(name, unsigned(in.getLong()), null);
            case ADDRESS -> new TmfEventField(name, new Address(in.getLong()), null);
            case LABELLED -> {
                long number = in.getLong();
                yield new TmfEventField(name, new CtfEnumPair(copy.name(in.getInt()), number), null);
            }
            case REAL -> new TmfEventField(name, in.getDouble(), null);
            case TEXT -> {
                byte[] text = new byte[in.getInt()];
                in.get(text);
                yield new TmfEventField(name, SafeText.line(new String(text, StandardCharsets.UTF_8)), null);
            }
            case STRUCTURE -> new NestedField(name, structure(in), true);
            case ARRAY -> {
                long length = in.getLong();
                int count = Short.toUnsignedInt(in.getShort());
                List<ITmfEventField> elements = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    elements.add(field("[" + i + "]", in));
                }
                if (count < length) {
                    elements.add(new TmfEventField(CUT, length - count + " more", null));
                }
                yield new NestedField(name, elements, false);
            }
            case CUT -> new TmfEventField(name, CUT, null);
        };
    }

    private static Number unsigned(long bits) {
        return bits >= 0 ? (Number) bits : new BigInteger(Long.toUnsignedString(bits));
    }
}
