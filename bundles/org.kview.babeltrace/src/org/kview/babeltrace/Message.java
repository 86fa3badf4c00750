// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.OptionalLong;

/** What a graph tells. Times are ns from the origin of the stream's clock; empty where a trace does not say them. */
public sealed interface Message permits Event, Message.StreamBegin, Message.StreamEnd, Message.PacketBegin, Message.PacketEnd,
        Message.DiscardedEvents, Message.DiscardedPackets, Message.Inactivity {

    record StreamBegin(TraceStream stream, OptionalLong nanos) implements Message {
    }

    record StreamEnd(TraceStream stream, OptionalLong nanos) implements Message {
    }

    /** @param context what the packet says of itself; good until the next message */
    record PacketBegin(TraceStream stream, OptionalLong nanos, Field context) implements Message {
    }

    record PacketEnd(TraceStream stream, OptionalLong nanos) implements Message {
    }

    /** The recorder could not keep events of these times. @param count empty if it did not say how many */
    record DiscardedEvents(TraceStream stream, OptionalLong count, OptionalLong beginNanos, OptionalLong endNanos) implements Message {
    }

    /** Whole packets are missing, with an unknown number of events. @param count empty if it is not known how many */
    record DiscardedPackets(TraceStream stream, OptionalLong count, OptionalLong beginNanos, OptionalLong endNanos)
            implements Message {
    }

    /** Nothing happened up to this time. Told of live traces. */
    record Inactivity(long nanos) implements Message {
    }
}
