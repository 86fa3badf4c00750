// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.OptionalLong;

/**
 * Tells the messages of a {@link Graph}, which owns it.
 *
 * <pre>
 * while (messages.next()) {
 *     if (messages.message() instanceof Event event) {
 *         ...
 *     }
 * }
 * </pre>
 */
public final class MessageIterator {
    private static final FunctionDescriptor CALLBACK = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final int STREAM_BEGIN = 1, STREAM_END = 1 << 1, EVENT = 1 << 2, PACKET_BEGIN = 1 << 3, PACKET_END = 1 << 4,
            DISCARDED_EVENTS = 1 << 5, DISCARDED_PACKETS = 1 << 6, INACTIVITY = 1 << 7;

    private final Graph graph;
    private final long beginning;
    private final long consuming;
    private final long out;
    private final Schema schema;
    private final Event event;
    private long batch;
    private long count;
    private long position;
    private long turn;
    private Message message;
    private boolean hasMessage;
    private boolean ended;

    MessageIterator(Graph graph, Arena arena) {
        this.graph = graph;
        out = arena.allocate(2 * Long.BYTES, Long.BYTES).address();
        schema = new Schema(arena.allocate(2 * Long.BYTES, Long.BYTES).address());
        event = new Event(this, schema);
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodType type = CALLBACK.toMethodType();
            MethodHandle begin = lookup.findStatic(MessageIterator.class, "begin", type);
            MethodHandle consume = lookup.bind(this, "consume", type);
            beginning = Linker.nativeLinker().upcallStub(begin, CALLBACK, arena).address();
            consuming = Linker.nativeLinker().upcallStub(consume, CALLBACK, arena).address();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    long beginning() {
        return beginning;
    }

    long consuming() {
        return consuming;
    }

    /** Called by the library once. */
    private static int begin(long iterator, long data) {
        return Native.OK;
    }

    /** Called by the library within {@link Graph#run()}. What leaves this by an exception ends the JVM. */
    private int consume(long iterator, long data) {
        try {
            int status = (int) Native.ITERATOR_NEXT.invokeExact(iterator, out, out + Long.BYTES);
            if (status == Native.OK) {
                batch = Native.longAt(out);
                count = Native.longAt(out + Long.BYTES);
                position = 0;
            }
            return status;
        } catch (Throwable e) {
            return Native.ERROR;
        }
    }

    /**
     * Goes on to the next message.
     *
     * @return false at the end
     * @throws BabeltraceException   if the trace can't be read any further; what was told before is as the trace has it
     * @throws IllegalStateException if it failed before, or its graph is closed
     */
    public boolean next() throws BabeltraceException {
        put();
        while (position == count) {
            if (ended) {
                return false;
            }
            int status = graph.run();
            ended = status == Native.END;
            if (status == Native.AGAIN) {
                Thread.onSpinWait();
            }
        }
        try {
            long address = Native.longAt(batch + position * Long.BYTES);
            hasMessage = true;
            message = read(address);
            return true;
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** The message that {@link #next()} went on to; good until it is called again. */
    public Message message() {
        if (!hasMessage) {
            throw new IllegalStateException("There is no message: next() comes first, and has to return true");
        }
        return message;
    }

    /** Which message this is: what belongs to another one can't be used any more. */
    long turn() {
        return turn;
    }

    void require(long itsTurn) {
        if (itsTurn != turn) {
            throw new IllegalStateException("What belongs to a message is good until the next one");
        }
    }

    private Message read(long address) throws Throwable {
        int type = (int) Native.MESSAGE_TYPE.invokeExact(address);
        switch (type) {
            case EVENT -> {
                event.set(address);
                return event;
            }
            case STREAM_BEGIN -> {
                Schema.Stream stream = schema.stream((long) NativeTypes.STREAM_BEGIN_STREAM.invokeExact(address));
                boolean timed = stream.hasClock() && (int) NativeTypes.STREAM_BEGIN_CLOCK.invokeExact(address, out) == 1;
                return new Message.StreamBegin(stream.told(), schema.nanosIf(timed, Native.longAt(out), stream));
            }
            case STREAM_END -> {
                Schema.Stream stream = schema.stream((long) NativeTypes.STREAM_END_STREAM.invokeExact(address));
                boolean timed = stream.hasClock() && (int) NativeTypes.STREAM_END_CLOCK.invokeExact(address, out) == 1;
                return new Message.StreamEnd(stream.told(), schema.nanosIf(timed, Native.longAt(out), stream));
            }
            case PACKET_BEGIN -> {
                long packet = (long) NativeTypes.PACKET_BEGIN.invokeExact(address);
                Schema.Stream stream = schema.stream((long) NativeTypes.PACKET_STREAM.invokeExact(packet));
                long clock = stream.packetsBeginTimed() ? (long) NativeTypes.PACKET_BEGIN_CLOCK.invokeExact(address) : 0;
                return new Message.PacketBegin(stream.told(), schema.nanosIf(stream.packetsBeginTimed(), clock, stream),
                        new Field(this, (long) Native.PACKET_CONTEXT.invokeExact(packet), stream.told().packetContext()));
            }
            case PACKET_END -> {
                Schema.Stream stream = schema.stream((long) NativeTypes.PACKET_STREAM.invokeExact(
                        (long) NativeTypes.PACKET_END.invokeExact(address)));
                long clock = stream.packetsEndTimed() ? (long) NativeTypes.PACKET_END_CLOCK.invokeExact(address) : 0;
                return new Message.PacketEnd(stream.told(), schema.nanosIf(stream.packetsEndTimed(), clock, stream));
            }
            case DISCARDED_EVENTS -> {
                Schema.Stream stream = schema.stream((long) NativeTypes.LOST_EVENTS_STREAM.invokeExact(address));
                boolean timed = stream.lostEventsTimed();
                boolean counted = (int) NativeTypes.LOST_EVENTS_COUNT.invokeExact(address, out) == 1;
                OptionalLong lost = counted ? OptionalLong.of(Native.longAt(out)) : OptionalLong.empty();
                return new Message.DiscardedEvents(stream.told(), lost,
                        schema.nanosIf(timed, timed ? (long) NativeTypes.LOST_EVENTS_BEGIN.invokeExact(address) : 0, stream),
                        schema.nanosIf(timed, timed ? (long) NativeTypes.LOST_EVENTS_END.invokeExact(address) : 0, stream));
            }
            case DISCARDED_PACKETS -> {
                Schema.Stream stream = schema.stream((long) NativeTypes.LOST_PACKETS_STREAM.invokeExact(address));
                boolean timed = stream.lostPacketsTimed();
                boolean counted = (int) NativeTypes.LOST_PACKETS_COUNT.invokeExact(address, out) == 1;
                OptionalLong lost = counted ? OptionalLong.of(Native.longAt(out)) : OptionalLong.empty();
                return new Message.DiscardedPackets(stream.told(), lost,
                        schema.nanosIf(timed, timed ? (long) NativeTypes.LOST_PACKETS_BEGIN.invokeExact(address) : 0, stream),
                        schema.nanosIf(timed, timed ? (long) NativeTypes.LOST_PACKETS_END.invokeExact(address) : 0, stream));
            }
            case INACTIVITY -> {
                return new Message.Inactivity(schema.slowNanos((long) Native.INACTIVITY_CLOCK.invokeExact(address)));
            }
            default -> throw new BabeltraceException("libbabeltrace2 tells a message of an unknown kind: " + type);
        }
    }

    /** Gives the message back that was told. */
    private void put() {
        turn++;
        if (hasMessage) {
            hasMessage = false;
            try {
                Native.MESSAGE_PUT.invokeExact(Native.longAt(batch + position++ * Long.BYTES));
            } catch (Throwable e) {
                throw Native.broken(e);
            }
        }
    }

    /** Gives everything back, before the graph goes. */
    void release() {
        put();
        try {
            for (; position < count; position++) {
                Native.MESSAGE_PUT.invokeExact(Native.longAt(batch + position * Long.BYTES));
            }
            schema.release();
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }
}
