// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

/**
 * An event. One object stands for all events of a graph, one after the other: what is to be kept is taken out of it before the
 * next message.
 */
public final class Event implements Message {
    private final MessageIterator owner;
    private final Schema schema;
    private long turn;
    private long message;
    private long address;
    private EventClass type;
    private Schema.Stream stream;

    Event(MessageIterator owner, Schema schema) {
        this.owner = owner;
        this.schema = schema;
    }

    /** Stands for another event from now on. */
    void set(long newMessage) throws Throwable {
        turn = owner.turn();
        message = newMessage;
        address = (long) Native.MESSAGE_EVENT.invokeExact(newMessage);
        type = schema.eventClass((long) Native.EVENT_CLASS.invokeExact(address));
        stream = schema.stream((long) Native.EVENT_STREAM.invokeExact(address));
    }

    public EventClass eventClass() {
        owner.require(turn);
        return type;
    }

    public TraceStream stream() {
        owner.require(turn);
        return stream.told();
    }

    /**
     * When it was, in ns from the origin of its stream's clock; 0 if that has none.
     *
     * @throws BabeltraceException if that is further away than 292 years
     */
    public long nanos() throws BabeltraceException {
        owner.require(turn);
        try {
            return stream.hasClock() ? schema.nanos((long) Native.MESSAGE_EVENT_CLOCK.invokeExact(message), stream) : 0;
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** Its own fields: of the type {@link EventClass#payload()}, which has no members if it has none. */
    public Field payload() {
        owner.require(turn);
        try {
            return new Field(owner, (long) Native.EVENT_PAYLOAD.invokeExact(address), type.payload());
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** What events of its kind say beside: of the type {@link EventClass#context()}. */
    public Field context() {
        owner.require(turn);
        try {
            return new Field(owner, (long) Native.EVENT_CONTEXT.invokeExact(address), type.context());
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** What all events of its stream say beside: of the type {@link TraceStream#commonEventContext()}. */
    public Field commonContext() {
        owner.require(turn);
        try {
            return new Field(owner, (long) Native.EVENT_COMMON.invokeExact(address), stream.told().commonEventContext());
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** What its packet says: of the type {@link TraceStream#packetContext()}. */
    public Field packetContext() {
        owner.require(turn);
        try {
            long packet = stream.hasPackets() ? (long) Native.EVENT_PACKET.invokeExact(address) : 0;
            return new Field(owner, packet == 0 ? 0 : (long) Native.PACKET_CONTEXT.invokeExact(packet), stream.told().packetContext());
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }
}
