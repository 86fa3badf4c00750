// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.model.Distribution;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.session.CallCounts;
import org.kview.session.SampleRecording;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

class IntervalTotalsTest {
    private static final LogTag TAG = new LogTag(3, "pay, 100%", Metric.WALL);
    private static final Distribution CALLS = new Distribution.Builder().add(1000).add(1003).add(70_001).build();

    @TempDir
    Path folder;

    private static String log() {
        return new String(LatencyLog.interval(0, 500_000_000, Map.of(TAG, CALLS), ""), StandardCharsets.ISO_8859_1);
    }

    private List<Distribution> read(String text) throws IOException {
        List<Distribution> read = new ArrayList<>();
        Path file = Files.writeString(folder.resolve("l"), text, StandardCharsets.ISO_8859_1);
        LatencyLogReader reader = LatencyLogReader.read(file, Long.MAX_VALUE, (tag, end, d) -> read.add(d));
        assertThat(reader.badLines()).isZero();
        return read;
    }

    @Test
    void theSumOfAnIntervalIsExact() throws IOException {
        Distribution read = read(log()).getFirst();
        assertThat(read.count()).isEqualTo(3);
        assertThat(read.totalNanos()).isEqualTo(72_004);
    }

    @Test
    void aSessionGivesTheSumsOfItsIntervals() throws IOException {
        SampleRecording.record(folder.resolve("s.kview"));
        try (SessionReader session = SessionReader.open(folder.resolve("s.kview"))) {
            Distribution.Builder sum = new Distribution.Builder();
            session.intervals(() -> (id, metric, end, d) -> {
                if (id == 0 && metric == Metric.WALL) {
                    sum.add(d);
                }
            });
            Distribution wall = session.snapshot().functions().getFirst().wall();
            assertThat(sum.build().totalNanos()).isEqualTo(wall.totalNanos()).isPositive();
            assertThat(sum.build().count()).isEqualTo(wall.count());
        }
    }

    /** The counts at each interval's end, in order; the last are those of the whole session. */
    @Test
    void aSessionGivesCallsAndLossesOfItsIntervals() throws IOException {
        SampleRecording.record(folder.resolve("s.kview"));
        List<CallCounts> calls = new ArrayList<>();
        List<Losses> losses = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        try (SessionReader session = SessionReader.open(folder.resolve("s.kview"))) {
            session.intervals(() -> new IntervalVisitor() {
                @Override
                public void interval(int id, Metric metric, long end, Distribution d) {
                    // Looked at above.
                }

                @Override
                public void calls(int id, long end, CallCounts counts) {
                    if (id == 1) {
                        calls.add(counts);
                        ends.add(end);
                    }
                }

                @Override
                public void losses(long end, Losses sum) {
                    losses.add(sum);
                }
            });
            assertThat(calls).extracting(CallCounts::calls).containsExactly(20L, 40L, 60L);
            assertThat(ends).containsExactly(500_000_000L, 1_000_000_000L, 1_500_000_000L);
            assertThat(losses).containsExactly(session.snapshot().losses());
            var last = session.snapshot().functions().get(1);
            assertThat(calls.getLast()).isEqualTo(new CallCounts(last.calls(), last.abandoned(), last.unfinished(), 0));
        }
    }

    /** Functions that were entered and have not returned yet have calls and no times. */
    @Test
    void callsWithoutTimesAreLoggedToo() throws IOException {
        try (SessionWriter writer = SessionWriter.create(folder.resolve("s.kview"), SampleRecording.INFO,
                SampleRecording.functions(), java.util.Optional.empty())) {
            writer.append(Recorded.interval(10, 20, List.of(new org.kview.model.FunctionInterval(2, 5, 0, 0,
                    Map.of())), Losses.NONE, true));
        }
        assertThat(Files.readString(folder.resolve("s.kview/latency.hlog")))
                .contains("#[Calls: 2 end=0.000000010 calls=5 abandoned=0 unfinished=0 lost=0]");
    }

    /** So versions before it, which pass over comments as well, open the session. */
    @Test
    void otherReadersPassOverIt() throws IOException {
        Path file = Files.write(folder.resolve("l"), LatencyLog.interval(0, 500_000_000, Map.of(TAG, CALLS), ""));
        HistogramLogReader reader = new HistogramLogReader(file.toFile());
        EncodableHistogram histogram = reader.nextIntervalHistogram();
        assertThat(((Histogram) histogram).getTotalCount()).isEqualTo(3);
        assertThat(reader.nextIntervalHistogram()).isNull();
    }

    /** What does not fit the buckets was not written with them. */
    @ParameterizedTest
    @CsvSource({"count=3,count=4", "total=72004,total=9", "total=72004,total=99999999", "3:pay,4:pay", "total=72004,total=-5",
            "total=72004,total=99999999999999999999", "#[Totals,#[Sums"})
    void whatDoesNotFitIsNotTaken(String written, String changed) throws IOException {
        assertThat(log()).contains(written);
        Distribution read = read(log().replaceFirst(java.util.regex.Pattern.quote(written), changed)).getFirst();
        assertThat(read.count()).isZero();
        assertThat(read.bucketLimit()).isEqualTo(CALLS.bucketLimit());
    }

    @Test
    void ofALogWithoutThemOnlyBucketsAreKnown() throws IOException {
        Distribution read = read(log().lines().filter(l -> !l.startsWith("#")).reduce("", (a, b) -> a + b + "\n")).getFirst();
        assertThat(read.count()).isZero();
        assertThat(read.hasBuckets()).isTrue();
    }
}
