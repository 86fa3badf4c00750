// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.model.ClockOffset;
import org.kview.wire.proto.Ping;
import org.kview.wire.proto.Pong;

/** A host whose clock is ahead by a known time, at the end of a slow network. */
class LinkClockTest {
    private static final Instant EPOCH = Instant.parse("2026-11-21T12:00:00.000000500Z");
    private static final Duration AHEAD = Duration.ofSeconds(-3, 123_456_789);

    private Duration now = Duration.ofDays(9);
    private final LinkClock clock = new LinkClock(() -> now.toNanos(), new Clock() {
        @Override
        public Instant instant() {
            return EPOCH.plus(now);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    });

    private static Pong answered(Ping ping, Instant hostTime) {
        return Pong.newBuilder().setId(ping.getId())
                .setRealtimeNs(hostTime.getEpochSecond() * 1_000_000_000 + hostTime.getNano()).build();
    }

    private Pong hostAnswers(Ping ping, Duration there) {
        now = now.plus(there);
        return answered(ping, EPOCH.plus(now).plus(AHEAD));
    }

    private void exchange(Duration there, Duration back) {
        Pong pong = hostAnswers(clock.ping(), there);
        now = now.plus(back);
        clock.pong(pong);
    }

    private void exchange(Duration each) {
        exchange(each, each);
    }

    private ClockOffset offset() {
        return clock.offset().orElseThrow();
    }

    @Test
    void knowsNothingBeforeTheFirstAnswer() {
        clock.ping();
        assertThat(clock.offset()).isEmpty();
        assertThat(clock.roundTrip()).isEmpty();
        assertThat(clock.pings()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "5000000,5000000", "0,9000000", "9000000,0", "3,4", "200000000,1"})
    void theTrueOffsetIsWithinTheUncertainty(long thereNanos, long backNanos) {
        exchange(Duration.ofNanos(thereNanos), Duration.ofNanos(backNanos));
        assertThat(clock.roundTrip()).contains(Duration.ofNanos(thereNanos + backNanos));
        assertThat(offset().uncertaintyNanos()).isEqualTo((thereNanos + backNanos + 1) / 2);
        assertThat(Math.abs(offset().offsetNanos() - AHEAD.toNanos())).isLessThanOrEqualTo(offset().uncertaintyNanos());
    }

    @Test
    void theFastestExchangeCountsAndTheLatestTellsTheRoundTrip() {
        exchange(Duration.ofMillis(8));
        exchange(Duration.ofMillis(1));
        long best = offset().uncertaintyNanos();
        assertThat(best).isEqualTo(1_000_000);
        exchange(Duration.ofMillis(40), Duration.ZERO);
        assertThat(offset().offsetNanos()).as("not that of a crooked way").isEqualTo(AHEAD.toNanos());
        assertThat(offset().uncertaintyNanos()).isBetween(best, best + 100_000);
        assertThat(clock.roundTrip()).contains(Duration.ofMillis(40));
    }

    /** Clocks drift apart: an old measurement gets worse, and finally worse than a new one of a longer round trip. */
    @Test
    void anOldExchangeIsWorthLess() {
        exchange(Duration.ofMillis(1));
        long before = offset().uncertaintyNanos();
        now = now.plus(Duration.ofMinutes(10));
        assertThat(offset().uncertaintyNanos() - before).as("30 ppm of 10 min").isEqualTo(18_000_000);
        exchange(Duration.ofMillis(30));
        assertThat(offset().uncertaintyNanos()).as("the old one still").isLessThan(20_000_000);
        now = now.plus(Duration.ofMinutes(10));
        exchange(Duration.ofMillis(30));
        assertThat(offset().uncertaintyNanos()).as("the new one").isEqualTo(30_000_000);
    }

    @Test
    void whatWasNotAskedForIsPassedOver() {
        Pong pong = hostAnswers(clock.ping(), Duration.ofMillis(5));
        clock.pong(pong);
        ClockOffset first = offset();
        clock.pong(answered(Ping.newBuilder().setId(77).build(), EPOCH));
        clock.pong(pong.toBuilder().setRealtimeNs(0).build());
        assertThat(offset()).isEqualTo(first);
    }

    /** A host that never answers costs no memory, and a late answer is still understood. */
    @Test
    void onlySoManyQuestionsAreOpen() {
        List<Ping> pings = IntStream.range(0, 65).mapToObj(_ -> clock.ping()).toList();
        clock.pong(hostAnswers(pings.getFirst(), Duration.ofMillis(1)));
        assertThat(clock.offset()).isEmpty();
        clock.pong(hostAnswers(pings.get(1), Duration.ofMillis(1)));
        assertThat(clock.offset()).isPresent();
    }
}
