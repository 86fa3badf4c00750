// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import org.kview.model.ClockOffset;
import org.kview.wire.proto.Ping;
import org.kview.wire.proto.Pong;

/**
 * Measures the round trip, and how far the host's clock is from this machine's. The host read its clock
 * at some moment between the ping and its pong, so half of that time is the uncertainty: the fastest
 * exchange gives the best estimate (Cristian, Probabilistic clock synchronization, 1989). Safe for use
 * by several threads.
 */
public final class LinkClock {
    /** How far two quartz clocks may drift apart, in parts per million: twice what NTP assumes for one. */
    private static final long DRIFT_PPM = 30;
    private static final int MAX_OPEN = 64;

    private record Sent(long tickNanos, long wallNanos) {
    }

    private record Sample(ClockOffset offset, long tickNanos) {
        ClockOffset at(long nowNanos) {
            return new ClockOffset(offset.offsetNanos(),
                    offset.uncertaintyNanos() + (nowNanos - tickNanos) / 1_000_000 * DRIFT_PPM);
        }
    }

    private final LongSupplier ticks;
    private final Clock wall;
    private final Map<Long, Sent> open = new LinkedHashMap<>();
    private long lastId;
    private Optional<Duration> roundTrip = Optional.empty();
    private Optional<Sample> best = Optional.empty();

    LinkClock() {
        this(System::nanoTime, Clock.systemUTC());
    }

    /** @param ticks a clock in nanoseconds that never goes back */
    LinkClock(LongSupplier ticks, Clock wall) {
        this.ticks = ticks;
        this.wall = wall;
    }

    /** A ping, to be sent at once: its time begins now. */
    synchronized Ping ping() {
        if (open.size() == MAX_OPEN) {
            open.remove(open.keySet().iterator().next());
        }
        Instant now = wall.instant();
        open.put(++lastId, new Sent(ticks.getAsLong(), now.getEpochSecond() * 1_000_000_000 + now.getNano()));
        return Ping.newBuilder().setId(lastId).build();
    }

    /** Takes the answer to a ping. One that was not asked for is ignored. */
    synchronized void pong(Pong pong) {
        Sent sent = open.remove(pong.getId());
        if (sent == null) {
            return;
        }
        long now = ticks.getAsLong();
        long trip = Math.max(0, now - sent.tickNanos);
        roundTrip = Optional.of(Duration.ofNanos(trip));
        ClockOffset offset = new ClockOffset(pong.getRealtimeNs() - sent.wallNanos - trip / 2, (trip + 1) / 2);
        if (best.isEmpty() || offset.uncertaintyNanos() <= best.get().at(now).uncertaintyNanos()) {
            best = Optional.of(new Sample(offset, now));
        }
    }

    /** How many exchanges have begun. */
    synchronized long pings() {
        return lastId;
    }

    public synchronized Optional<Duration> roundTrip() {
        return roundTrip;
    }

    public synchronized Optional<ClockOffset> offset() {
        return best.map(sample -> sample.at(ticks.getAsLong()));
    }
}
