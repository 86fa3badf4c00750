// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the streams and events of a graph are like, each described once. It holds a reference of the library's to each class of
 * events and each stream, so that no other one gets its address meanwhile.
 */
final class Schema {
    private static final int MOST_ENVIRONMENT = 1000;
    private static final int VALUE_SIGNED = 1 << 4, VALUE_TEXT = 1 << 6;

    private final TypeReader types = new TypeReader();
    private final AddressMap<EventClass> eventClasses = new AddressMap<>();
    private final AddressMap<Stream> streams = new AddressMap<>();
    /** Room for two values that the library gives back. */
    private final long out;

    /** A stream, with what decides which of its messages have times. */
    record Stream(TraceStream told, boolean hasClock, boolean countsNanos, long offsetNanos, boolean hasPackets, boolean packetsBeginTimed,
            boolean packetsEndTimed, boolean lostEventsTimed, boolean lostPacketsTimed) {
    }

    Schema(long out) {
        this.out = out;
    }

    EventClass eventClass(long address) throws Throwable {
        EventClass known = eventClasses.get(address);
        if (known != null) {
            return known;
        }
        EventClass read = new EventClass((long) NativeTypes.EVENT_CLASS_ID.invokeExact(address),
                Native.text((long) NativeTypes.EVENT_CLASS_NAME.invokeExact(address)),
                types.read((long) NativeTypes.EVENT_CLASS_PAYLOAD.invokeExact(address)),
                types.read((long) NativeTypes.EVENT_CLASS_CONTEXT.invokeExact(address)));
        NativeTypes.EVENT_CLASS_GET.invokeExact(address);
        eventClasses.put(address, read);
        return read;
    }

    Stream stream(long address) throws Throwable {
        Stream known = streams.get(address);
        if (known != null) {
            return known;
        }
        long type = (long) NativeTypes.STREAM_CLASS.invokeExact(address);
        long clock = (long) NativeTypes.CLASS_CLOCK.invokeExact(type);
        boolean packets = (int) NativeTypes.CLASS_PACKETS.invokeExact(type) != 0;
        long trace = (long) NativeTypes.STREAM_TRACE.invokeExact(address);
        Optional<ClockClass> clockClass = clock == 0 ? Optional.empty() : Optional.of(clock(clock));
        TraceStream told = new TraceStream((long) NativeTypes.STREAM_ID.invokeExact(address),
                Native.text((long) NativeTypes.STREAM_NAME.invokeExact(address)),
                Native.text((long) NativeTypes.TRACE_NAME.invokeExact(trace)), environment(trace), clockClass,
                types.read(packets ? (long) NativeTypes.CLASS_PACKET_CONTEXT.invokeExact(type) : 0),
                types.read((long) NativeTypes.CLASS_COMMON.invokeExact(type)));
        Stream read = new Stream(told, clock != 0, clockClass.map(ClockClass::countsNanos).orElse(false),
                clockClass.map(ClockClass::offsetNanos).orElse(0L), packets,
                packets && (int) NativeTypes.CLASS_PACKET_BEGIN_CLOCK.invokeExact(type) != 0,
                packets && (int) NativeTypes.CLASS_PACKET_END_CLOCK.invokeExact(type) != 0,
                (int) NativeTypes.CLASS_LOST_EVENTS_CLOCK.invokeExact(type) != 0,
                (int) NativeTypes.CLASS_LOST_PACKETS_CLOCK.invokeExact(type) != 0);
        NativeTypes.STREAM_GET.invokeExact(address);
        streams.put(address, read);
        return read;
    }

    private ClockClass clock(long address) throws Throwable {
        NativeTypes.CLOCK_OFFSET.invokeExact(address, out, out + Long.BYTES);
        return new ClockClass(Native.text((long) NativeTypes.CLOCK_NAME.invokeExact(address)),
                (long) NativeTypes.CLOCK_FREQUENCY.invokeExact(address), Native.longAt(out), Native.longAt(out + Long.BYTES),
                (int) NativeTypes.CLOCK_EPOCH.invokeExact(address) != 0);
    }

    private Map<String, String> environment(long trace) throws Throwable {
        Map<String, String> entries = new HashMap<>();
        long count = Math.min(MOST_ENVIRONMENT, (long) NativeTypes.ENVIRONMENT_COUNT.invokeExact(trace));
        for (long i = 0; i < count; i++) {
            NativeTypes.ENVIRONMENT_ENTRY.invokeExact(trace, i, out, out + Long.BYTES);
            long value = Native.longAt(out + Long.BYTES);
            String name = Native.text(Native.longAt(out));
            switch ((int) Native.VALUE_TYPE.invokeExact(value)) {
                case VALUE_TEXT -> entries.put(name, Native.text((long) Native.VALUE_TEXT.invokeExact(value)));
                case VALUE_SIGNED | 1 << 2 -> entries.put(name, Long.toString((long) Native.VALUE_SIGNED.invokeExact(value)));
                default -> { }
            }
        }
        return entries;
    }

    /** A time that a message has. */
    OptionalLong nanosIf(boolean timed, long snapshot, Stream stream) throws Throwable {
        return timed && snapshot != 0 ? OptionalLong.of(nanos(snapshot, stream)) : OptionalLong.empty();
    }

    /** A time in ns from the origin of the stream's clock. */
    long nanos(long snapshot, Stream stream) throws Throwable {
        if (stream.countsNanos()) {
            long value = (long) Native.CLOCK_VALUE.invokeExact(snapshot);
            long nanos = value + stream.offsetNanos();
            // Else the library says what is wrong with it.
            if (value >= 0 && (stream.offsetNanos() < 0 || nanos >= value)) {
                return nanos;
            }
        }
        return slowNanos(snapshot);
    }

    long slowNanos(long snapshot) throws Throwable {
        if ((int) Native.CLOCK_NANOS.invokeExact(snapshot, out) != Native.OK) {
            throw BabeltraceException.taken("A time in the trace is further from the clock's origin than 292 years");
        }
        return Native.longAt(out);
    }

    void release() throws Throwable {
        List<Long> addresses = new ArrayList<>();
        eventClasses.addresses(addresses::add);
        for (long address : addresses) {
            NativeTypes.EVENT_CLASS_PUT.invokeExact(address);
        }
        addresses.clear();
        streams.addresses(addresses::add);
        for (long address : addresses) {
            NativeTypes.STREAM_PUT.invokeExact(address);
        }
    }
}
