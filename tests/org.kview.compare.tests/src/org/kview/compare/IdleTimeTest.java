// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.session.Progress;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.statistics.Statistic;
import org.kview.testing.Measured;
import org.kview.testing.Recorded;

/** A program that works in bursts rests between them, and a session writes nothing of the time in which nothing was called. */
@Tag("slow")
class IdleTimeTest {
    private static final int PAIRS = Simulated.PAIRS;
    private static final int LONGEST_BURST = 10;
    private static final int LONGEST_REST = 18;
    private static final long HALF_SECOND = 500_000_000;

    @TempDir
    private Path temp;

    /** Calls of a function that is called for 0.5 to 5 s and then not for 0.5 to 9 s, or all the time. */
    private static ComparedSession recording(String name, SplittableRandom random, int intervals, double burst, boolean rests) {
        SliceCollector collector = new SliceCollector();
        List<Distribution> told = new ArrayList<>();
        boolean on = !rests || random.nextBoolean();
        int left = 1 + random.nextInt(on ? LONGEST_BURST : LONGEST_REST);
        double slow = Math.exp(burst * random.nextGaussian());
        for (int i = 0; i < intervals; i++) {
            if (rests && left-- == 0) {
                on = !on;
                left = 1 + random.nextInt(on ? LONGEST_BURST : LONGEST_REST);
                slow = Math.exp(burst * random.nextGaussian());
            }
            if (on) {
                Distribution.Builder calls = new Distribution.Builder();
                for (int call = 190 + random.nextInt(20); call > 0; call--) {
                    calls.add(Math.round(1e6 * slow * Math.exp(0.2 * random.nextGaussian())));
                }
                told.add(calls.build());
                long end = (i + 1) * HALF_SECOND + random.nextInt(80_000_000) - 40_000_000;
                collector.interval(0, Metric.WALL, end, told.getLast());
                collector.interval(0, Metric.ON_CPU, end, told.getLast());
            }
        }
        SessionInfo info = Recordings.INFO;
        long nanos = intervals * HALF_SECOND;
        return Recordings.session(name, Recorded.info(info.target(), info.host(), info.kernel(), info.pid(), info.command(),
                info.filter(), "", info.start(), Duration.ofNanos(nanos), info.state(), ""),
                List.of(Recordings.latency(Recordings.function(0, "f0", "b"), told)), collector.slices(List.of(0), nanos));
    }

    /** The share of pairs in which a figure differs. */
    private static double differ(int intervals, double burst, boolean second, Predicate<Statistic> of) {
        return IntStream.range(0, PAIRS).parallel().filter(pair -> {
            SplittableRandom random = new SplittableRandom(pair * 31L + 7);
            FunctionComparison function = Comparer.compare(recording("a", random.split(), intervals, burst, true),
                    recording("b", random.split(), intervals, burst, second)).functions().getFirst();
            return function.wall().values().stream().anyMatch(c -> of.test(c.statistic()) && c.isBeyondNoise());
        }).count() / (double) PAIRS;
    }

    /** By slices of calls alone, as if the program had never rested, 55 to 90 % did. */
    @ParameterizedTest
    @CsvSource({"20, 0", "60, 0", "60, 0.1", "240, 0"})
    void equalRecordingsOfBurstsAreCalledEquallyOften(int intervals, double burst) {
        double share = differ(intervals, burst, true, Statistic.RATES::contains);
        Measured.tell("differ", share);
        assertThat(share).isLessThanOrEqualTo(0.05);
    }

    /** What slows a burst slows all calls of it, and a short recording has one or two: by slices of calls alone, 26 % differed. */
    @ParameterizedTest
    @CsvSource({"20, 0.2", "60, 0.05"})
    void equalRecordingsOfBurstsTakeEquallyLong(int intervals, double most) {
        double share = differ(intervals, 0.1, true, s -> !Statistic.RATES.contains(s));
        Measured.tell("differ", share);
        assertThat(share).isLessThanOrEqualTo(most);
    }

    @Test
    void aProgramThatNeverRestsIsCalledMoreOften() {
        assertThat(differ(240, 0, false, Statistic.RATES::contains)).isGreaterThan(0.95);
    }

    /** In sessions of older versions a line begins where the one before ended, however long before it that was. */
    @ParameterizedTest
    @ValueSource(strings = {"2.500,0.500", "1.000,2.000"})
    void aSessionTellsWhenNothingWasCalled(String line) throws Exception {
        Path folder = temp.resolve("s.kview");
        ProbedFunction function = Recordings.function(0, "f0", "/usr/bin/checkout");
        try (SessionWriter writer = SessionWriter.create(folder, Recordings.INFO, List.of(function), Optional.empty())) {
            for (int i = 0; i < 9; i++) {
                long begin = i * HALF_SECOND;
                Distribution one = new Distribution.Builder().add(1000).build();
                List<FunctionInterval> called = i == 1 || i == 5
                        ? List.of(new FunctionInterval(0, i == 1 ? 1 : 2, 0, 0, Map.of(Metric.WALL, one))) : List.of();
                writer.append(Recorded.interval(begin, begin + HALF_SECOND, called, Losses.NONE, i == 8));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        Path log = folder.resolve("latency.hlog");
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(":wall,0.500,0.500,").contains(":wall,2.500,0.500,");
        Files.writeString(log, text.replace("2.500,0.500", line), StandardCharsets.ISO_8859_1);
        try (SessionReader reader = SessionReader.open(folder)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(ComparedSession.read("s", reader, Progress.NONE).slices().get(0))
                    .hasToString("FunctionSlices[0, 1, 0, 0, 0, 1, 0, 0, 0]");
        }
    }
}
