// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

import org.junit.jupiter.api.Test;
import org.kview.compare.Recordings.Shape;
import org.kview.compare.report.ComparisonJson;
import org.kview.compare.report.ComparisonTable;
import org.kview.compare.report.ComparisonText;
import org.kview.model.CallFates;
import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.session.report.TableStyle;
import org.kview.statistics.FunctionSlices;
import org.kview.statistics.Statistic;
import org.kview.testing.Recorded;

class ComparerTest {
    private static final Shape SHAPE = new Shape(20, 200, 1e6, 0.5, 0, 0);

    private static final ProbedFunction FUNCTION = Recorded.function(0, "f", "f", "/bin/b", 0, 0, 0,
            ProbedFunction.ExitKind.URETPROBE, 0, 2000);

    private final Recordings recordings = new Recordings(1);

    private static FunctionComparison only(ComparedSession a, ComparedSession b) {
        Comparison comparison = Comparer.compare(a, b);
        assertThat(comparison.functions()).hasSize(1);
        return comparison.functions().getFirst();
    }

    private static ComparedSession of(List<Distribution> slices) {
        return Recordings.session("s", List.of(slices));
    }

    private static Distribution same(long nanos, int calls) {
        Distribution.Builder builder = new Distribution.Builder();
        Collections.nCopies(calls, nanos).forEach(builder::add);
        return builder.build();
    }

    @Test
    void aSlowerFunctionIsToldWithItsCause() {
        Comparison comparison = Comparer.compare(of(recordings.slices(SHAPE)), of(recordings.slices(SHAPE.times(2))));
        FunctionComparison function = comparison.functions().getFirst();
        assertThat(Statistic.PER_CALL).allMatch(s -> function.wall().get(s).isBeyondNoise());
        assertThat(function.mainCause()).map(Change::metric).contains(Metric.ON_CPU);
        assertThat(ComparisonText.verdict(comparison, function)).matches("\\w+ \\+[0-9.]+ ms, \\+\\d+ % \\(.* → .*\\), on-CPU; "
                + "total \\+\\d+ % \\(.* → .*\\); differs in these two recordings");
        Change median = function.wall().get(Statistic.P50);
        assertThat(median.interval().orElseThrow().lowNanos()).isBetween(0.7e6, 1e6);
        assertThat(median.interval().orElseThrow().highNanos()).isBetween(1e6, 1.3e6);
        assertThat(median.relative()).isBetween(0.8, 1.2);
    }

    @Test
    void theSameInputGivesTheSameAnswerAndSwappedTheOpposite() {
        ComparedSession a = of(recordings.slices(SHAPE));
        ComparedSession b = of(recordings.slices(SHAPE.times(1.02)));
        assertThat(Comparer.compare(a, b)).isEqualTo(Comparer.compare(a, b));
        Change there = only(a, b).wall().get(Statistic.P90);
        Change back = only(b, a).wall().get(Statistic.P90);
        assertThat(back.interval().orElseThrow().lowNanos()).isEqualTo(-there.interval().orElseThrow().highNanos());
        assertThat(back.significance()).isEqualTo(there.significance());
    }

    /** All calls take a little more, which puts them into the next bucket: it looks like 2 % and is a nanosecond. */
    @Test
    void aStepIntoTheNextBucketIsBelowResolution() {
        List<Distribution> a = Collections.nCopies(20, same(106_495, 100));
        List<Distribution> b = Collections.nCopies(20, same(106_496, 100));
        Change change = only(of(a), of(b)).wall().get(Statistic.P50);
        assertThat(change.difference()).isGreaterThan(2000);
        assertThat(change.significance()).isEqualTo(Significance.BELOW_RESOLUTION);
        assertThat(ComparisonText.verdict(Comparer.compare(of(a), of(b)), only(of(a), of(b)))).doesNotContain("p50");
    }

    @Test
    void twoBucketsOnAreAChange() {
        List<Distribution> a = Collections.nCopies(20, same(100_000, 100));
        List<Distribution> b = Collections.nCopies(20, same(112_000, 100));
        assertThat(Statistic.PER_CALL).allMatch(s -> only(of(a), of(b)).wall().get(s).isBeyondNoise());
    }

    /** In which the middle of a bucket would stand for every call, and no slice would differ from another. */
    @Test
    void callsOfOneBucketVaryByTheirExactSums() {
        int found = 0;
        for (int run = 0; run < 20; run++) {
            Recordings own = new Recordings(run);
            Shape constant = new Shape(20, 200, 102_000, 0.005, 0, 0);
            Change mean = only(of(own.slices(constant)), of(own.slices(constant))).wall().get(Statistic.MEAN);
            found += mean.adjusted() < Comparer.RATE ? 1 : 0;
        }
        assertThat(found).isLessThanOrEqualTo(2);
    }

    @Test
    void whatIsHardlyCalledAnyMoreComesFirst() {
        List<Distribution> never = new java.util.ArrayList<>(Collections.nCopies(20, Distribution.EMPTY));
        never.set(7, same(400_000, 8));
        Comparison comparison = Comparer.compare(
                Recordings.session("a", List.of(recordings.slices(SHAPE), Collections.nCopies(20, same(400_000, 250)))),
                Recordings.session("b", List.of(recordings.slices(SHAPE.times(1.2)), never)));
        FunctionComparison first = comparison.functions().getFirst();
        assertThat(first.name()).isEqualTo("f1");
        assertThat(ComparisonText.verdict(comparison, first))
                .isEqualTo("calls −99.8 % (500/s → 0.80/s), total −99.8 % (200 ms/s → 320 µs/s); differs in these two recordings");
    }

    /** It was called on, and nobody counted. */
    @Test
    void howOftenItIsCalledIsNotKnownOnceItsProbesCameOff() {
        List<Distribution> slices = new java.util.ArrayList<>(Collections.nCopies(20, Distribution.EMPTY));
        slices.set(0, same(400_000, 250));
        FunctionLatency all = Recordings.latency(FUNCTION, slices);
        CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0,
                Optional.of(new CallFates.ProbesOff(1, "They cost too much.", Optional.empty(), 0)));
        ComparedSession cut = Recordings.session("b", Recordings.INFO, List.of(new FunctionLatency(FUNCTION, all.calls(),
                0, 0, Optional.of(fates), all.distributions())), Map.of(0, FunctionSlices.ofWall(slices)));
        List<Distribution> whole = Collections.nCopies(20, same(400_000, 250));
        ComparedSession uncut = Recordings.session("a", Recordings.INFO, List.of(Recordings.latency(FUNCTION, whole)),
                Map.of(0, FunctionSlices.ofWall(whole)));
        FunctionComparison found = only(uncut, cut);
        assertThat(Statistic.RATES).allMatch(s -> found.wall().get(s).significance() == Significance.UNKNOWN);
    }

    @Test
    void lessThanTheMinimumIsNotTold() {
        List<Distribution> a = Collections.nCopies(20, same(1_000_000, 100));
        List<Distribution> b = Collections.nCopies(20, same(1_040_000, 100));
        assertThat(only(of(a), of(b)).wall().get(Statistic.MEAN).significance()).isEqualTo(Significance.BELOW_MINIMUM);
        assertThat(ComparisonText.verdict(Comparer.compare(of(a), of(b)), only(of(a), of(b))))
                .isEqualTo("no difference as large as asked for");
        Comparison asked = Comparer.compare(List.of(of(a)), List.of(of(b)), 0.01, () -> false);
        assertThat(asked.functions().getFirst().wall().get(Statistic.MEAN).isBeyondNoise()).isTrue();
    }

    @Test
    void groupsAreOfOneEachOrOfSeveral() {
        ComparedSession s = of(recordings.slices(SHAPE));
        assertThat(Comparer.isComparable(1, 1)).isTrue();
        assertThat(Comparer.isComparable(2, 3)).isTrue();
        assertThat(Comparer.isComparable(1, 3)).isFalse();
        assertThatThrownBy(() -> Comparer.compare(List.of(s), List.of(), 0, () -> false))
                .isInstanceOf(IllegalArgumentException.class);
        Comparison few = Comparer.compare(List.of(s, s), List.of(s, s), 0, () -> false);
        assertThat(few.isEnough()).isFalse();
        assertThat(few.warnings()).anyMatch(w -> w.startsWith("One recording is given more than once"));
        assertThat(ComparisonText.summary(few)).isEqualTo("No function differs in these few recordings.");
    }

    @Test
    void groupsAreSymmetricAndRepeatable() {
        SimulatedProgram program = new SimulatedProgram(5, 0.02, 0.5);
        List<ComparedSession> a = program.runs(3);
        List<ComparedSession> b = program.runs(3, 2, 1.2);
        Comparison there = Comparer.compare(a, b, 0.05, () -> false);
        assertThat(there).isEqualTo(Comparer.compare(a, b, 0.05, () -> false));
        Comparison back = Comparer.compare(b, a, 0.05, () -> false);
        assertThat(there.changed()).isEqualTo(back.changed()).isEqualTo(2);
        assertThat(ComparisonText.summary(there)).isEqualTo("2 of 8 functions changed.");
        assertThat(there.functions().getFirst().wall().get(Statistic.MEAN).inA()).hasSize(3);
    }

    /** The probes' own time, which is subtracted, is known no better than from one calibration to the next. */
    @Test
    void lessThanCalibrationsDifferIsBelowResolution() {
        List<Distribution> a = Collections.nCopies(20, same(300, 1000));
        List<Distribution> b = Collections.nCopies(20, same(500, 1000));
        assertThat(only(calibrated(a, 0), calibrated(b, 0)).headline()).isPresent();
        FunctionComparison doubtful = only(calibrated(a, 900), calibrated(b, 1150));
        assertThat(List.of(Statistic.MEAN, Statistic.P50, Statistic.P99, Statistic.TOTAL))
                .allMatch(s -> doubtful.wall().get(s).significance() == Significance.BELOW_RESOLUTION);
    }

    /** Each recording says by how much its times may be wrong, and how many calls have none. */
    @Test
    void whatRecordingsThemselvesDoNotKnowIsBelowResolution() {
        List<Distribution> a = Collections.nCopies(20, same(1000, 500));
        List<Distribution> b = Collections.nCopies(20, same(1300, 500));
        assertThat(only(uncertain(a, 0, 0), uncertain(b, 0, 0)).headline()).isPresent();
        for (FunctionComparison function : List.of(only(uncertain(a, 200, 0), uncertain(b, 200, 0)),
                only(uncertain(a, 0, 0.2), uncertain(b, 0, 0.2)))) {
            assertThat(List.of(Statistic.MEAN, Statistic.P50, Statistic.TOTAL))
                    .allMatch(s -> function.wall().get(s).significance() == Significance.BELOW_RESOLUTION);
        }
        assertThat(only(uncertain(a, 100, 0.01), uncertain(b, 100, 0.01)).headline()).isPresent();
    }

    /** @param lost calls that were not timed, by timed one */
    private static ComparedSession uncertain(List<Distribution> slices, long nanosOfEach, double lost) {
        FunctionLatency all = Recordings.latency(FUNCTION, slices);
        long untimed = Math.round(lost * all.calls());
        CallFates fates = Recorded.fates(new LostCalls(untimed, 0, 0, 0, 0), 0, 0, 0, nanosOfEach * all.calls(), 0, 0,
                Optional.empty());
        return Recordings.session("s", Recordings.INFO, List.of(new FunctionLatency(FUNCTION, all.calls() + untimed, 0, 0,
                Optional.of(fates), all.distributions())), Map.of(0, FunctionSlices.ofWall(slices)));
    }

    private static ComparedSession calibrated(List<Distribution> slices, long innerNanos) {
        ProbedFunction function = Recorded.function(0, "f", "f", "/bin/b", 0, 0, 0, ProbedFunction.ExitKind.URETPROBE,
                innerNanos, 2000);
        return Recordings.session("s", Recordings.INFO, List.of(Recordings.latency(function, slices)),
                Map.of(0, FunctionSlices.ofWall(slices)));
    }

    @Test
    void fewCallsAreNotJudged() {
        Shape few = new Shape(20, 3, 1e6, 0.5, 0, 0);
        FunctionComparison function = only(of(recordings.slices(few)), of(recordings.slices(few.times(3))));
        assertThat(function.wall().get(Statistic.P99).significance()).isEqualTo(Significance.TOO_FEW_CALLS);
        assertThat(function.wall().get(Statistic.P50).isBeyondNoise()).isTrue();
        FunctionComparison none = only(of(List.of(same(100, 7))), of(List.of(same(5000, 5))));
        assertThat(none.wall().values()).allMatch(c -> c.significance() == Significance.TOO_FEW_CALLS);
        assertThat(ComparisonText.verdict(Comparer.compare(of(List.of(same(100, 7))), of(List.of(same(5000, 5)))), none)).isEqualTo("too few calls (7 and 5)");
    }

    /** A thousand calls within one moment say nothing of other moments. */
    @Test
    void oneBurstIsTooShort() {
        List<Distribution> burst = new java.util.ArrayList<>(Collections.nCopies(20, Distribution.EMPTY));
        burst.set(3, same(1000, 5000));
        List<Distribution> steady = Collections.nCopies(20, same(2000, 100));
        FunctionComparison function = only(of(burst), of(steady));
        assertThat(Statistic.PER_CALL)
                .allMatch(s -> function.wall().get(s).significance() == Significance.TOO_SHORT);
        assertThat(function.headline()).isEmpty();
    }

    @Test
    void functionsWithoutCallsAndWithoutBucketsAreNotJudged() {
        FunctionComparison uncalled = only(of(List.of(Distribution.EMPTY)), of(recordings.slices(SHAPE)));
        assertThat(ComparisonText.verdict(Comparer.compare(of(recordings.slices(SHAPE)), of(recordings.slices(SHAPE))),
                uncalled)).startsWith("too few calls (0 and ");
        FunctionLatency lost = new FunctionLatency(Recordings.function(0, "f0", "/usr/bin/checkout"), 500, 0, 0,
                Map.of(Metric.WALL, new Distribution.Builder().addTotals(500, 1_000_000, 4000).build()));
        FunctionComparison damaged = only(Recordings.session("a", Recordings.INFO, List.of(lost), Map.of()),
                of(recordings.slices(SHAPE)));
        assertThat(damaged.wall().values()).allMatch(c -> c.significance() == Significance.UNKNOWN);
        assertThat(damaged.wall().get(Statistic.P50).a()).isNaN();
        assertThat(damaged.wall().get(Statistic.MEAN).a()).isEqualTo(2000);
    }

    @Test
    void whatChangedMostComesFirst() {
        Shape slow = SHAPE.times(100);
        Comparison comparison = Comparer.compare(
                Recordings.session("a", List.of(recordings.slices(SHAPE), recordings.slices(slow), recordings.slices(SHAPE))),
                Recordings.session("b", List.of(recordings.slices(SHAPE.times(4)), recordings.slices(slow.times(1.5)),
                        recordings.slices(SHAPE))));
        assertThat(comparison.functions()).map(FunctionComparison::name).containsExactly("f1", "f0", "f2");
        assertThat(comparison.slowerBy(0)).isEqualTo(2);
        assertThat(comparison.slowerBy(1)).isEqualTo(1);
    }

    @Test
    void recordingsThatAreHardToCompareAreToldSo() {
        List<FunctionLatency> functions = List.of();
        LatencySnapshot a = new LatencySnapshot(Recordings.INFO, functions, new Losses(0, 3, 0, 0, 0),
                Recorded.overhead(0, false), List.of("latency.hlog is missing."));
        var info = Recordings.INFO;
        LatencySnapshot b = new LatencySnapshot(Recorded.info(info.target(), "web-4", "6.1.0", 1,
                info.command(), "post", "", info.start(), info.duration(), info.state(), ""), functions, Losses.NONE,
                Recorded.overhead(1, true), List.of());
        assertThat(Comparer.compare(new ComparedSession("a", a, Map.of()), new ComparedSession("b", b, Map.of())).warnings())
                .anyMatch(w -> w.equals("A: latency.hlog is missing."))
                .anyMatch(w -> w.startsWith("A: 3 returns were not reported"))
                .anyMatch(w -> w.startsWith("A: not calibrated"))
                .anyMatch(w -> w.contains("different hosts: web-3 and web-4"))
                .anyMatch(w -> w.contains("different kernels"))
                .anyMatch(w -> w.contains("filtered out differently: in and post"));
    }

    /** Of three recordings a side, two that have a function are no more than two. */
    @Test
    void aFunctionTakesThreeRecordingsToHaveChanged() {
        List<ComparedSession> a = new java.util.ArrayList<>();
        List<ComparedSession> b = new java.util.ArrayList<>();
        for (int i = 0; i < 3; i++) {
            a.add(Recordings.session("a", Recordings.info(i, 2 * i), List.of(recordings.slices(SHAPE))));
            b.add(Recordings.session("b", Recordings.info(i + 3, 2 * i + 1), i == 1 ? List.of()
                    : List.of(recordings.slices(SHAPE.times(9)))));
        }
        Comparison three = Comparer.compare(a, b, Comparer.MINIMUM_EFFECT, () -> false);
        assertThat(three.isEnough()).isTrue();
        assertThat(three.functions().getFirst().wall().values())
                .allMatch(c -> c.significance() == Significance.TOO_FEW_RECORDINGS);
        assertThat(three.changed()).isZero();
        b.remove(1);
        assertThat(Comparer.compare(a, b, Comparer.MINIMUM_EFFECT, () -> false).changed()).as("no more is claimed").isOne();
    }

    /** Those that throw or hang have no time, and the others may be as quick as ever. */
    @Test
    void callsWithoutATimeAreToldOf() {
        Distribution wall = same(1000, 500);
        FunctionLatency all = new FunctionLatency(FUNCTION, 500, 0, 0, Map.of(Metric.WALL, wall));
        FunctionLatency half = new FunctionLatency(FUNCTION, 1000, 400, 100, Map.of(Metric.WALL, wall));
        FunctionLatency cutOff = new FunctionLatency(FUNCTION, 502, 0, 2, Map.of(Metric.WALL, wall));
        assertThat(warnings(all, half)).containsOnlyOnce("Of the calls of f, 0 % of A and 50 % of B were abandoned or not"
                + " finished and have no time: what is compared are the others.");
        assertThat(warnings(all, cutOff)).noneMatch(w -> w.contains("no time"));
        assertThat(warnings(half, half)).noneMatch(w -> w.contains("no time")).noneMatch(w -> w.startsWith("Recorded for"));
    }

    @Test
    void sidesOfOtherLengthsAreToldOf() {
        var info = Recordings.INFO;
        var longer = Recorded.info(info.target(), info.host(), info.kernel(), info.pid(), info.command(),
                info.filter(), "", info.start(), info.duration().multipliedBy(7), info.state(), "");
        assertThat(Comparer.compare(Recordings.session("a", info, List.of(), Map.of()),
                Recordings.session("b", longer, List.of(), Map.of())).warnings())
                .anyMatch(w -> w.startsWith("Recorded for 10.0 s in A and for 70.0 s in B"));
    }

    @Test
    void callsThatWereChosenOtherwiseAreToldOf() {
        ComparedSession all = Recordings.conditional("", List.of()), large = Recordings.conditional("arg0 > 4096", List.of());
        assertThat(Comparer.compare(all, large).warnings()).anyMatch(w -> w.startsWith("Other calls of handle were measured in A, all,"
                + " than in B, where arg0 > 4096"));
        assertThat(Comparer.compare(large, Recordings.conditional("arg0 > 4096", List.of())).warnings()).noneMatch(w -> w.contains("arg0"));
    }

    private static Distribution times(int calls, long nanos) {
        Distribution.Builder times = new Distribution.Builder();
        for (int i = 0; i < calls; i++) {
            times.add(nanos);
        }
        return times.build();
    }

    @Test
    void valuesAreComparedWithTheSameValues() {
        List<Distribution> slices = List.of(times(200, 2_000), times(200, 2_000));
        ComparedSession a = Recordings.split("arg1", slices, Map.of(3L, times(200, 1_000), 4L, times(200, 3_000)));
        ComparedSession b = Recordings.split("arg1", slices, Map.of(4L, times(200, 9_000), 5L, times(200, 500)));
        Comparison compared = Comparer.compare(a, b);
        assertThat(compared.functions()).extracting(FunctionComparison::name).containsExactlyInAnyOrder("handle", "handle · arg1 = 4");
        assertThat(compared.onlyA()).extracting(f -> f.function().name()).containsExactly("handle · arg1 = 3");
        assertThat(compared.onlyB()).extracting(f -> f.function().name()).containsExactly("handle · arg1 = 5");
        Comparison groups = Comparer.compare(List.of(a, a), List.of(b, b), Comparer.MINIMUM_EFFECT, () -> false);
        assertThat(groups.functions()).extracting(FunctionComparison::name).containsExactlyInAnyOrder("handle", "handle · arg1 = 4");
        Comparison otherwise = Comparer.compare(a, Recordings.split("arg2", slices, Map.of(4L, times(200, 9_000))));
        assertThat(otherwise.functions()).extracting(FunctionComparison::name).as("by other values").containsExactly("handle");
        assertThat(otherwise.onlyA()).isEmpty();
    }

    /** Each recording has room for some values. */
    @Test
    void whatOneSideCountsAmongOtherValuesIsNotOnlyInTheOther() {
        List<Distribution> slices = List.of(times(200, 2_000), times(200, 2_000));
        ComparedSession a = Recordings.splitBy("arg1", slices, Map.of(CallValue.of(3), times(200, 1_000), CallValue.of(4), times(200, 3_000)));
        ComparedSession b = Recordings.splitBy("arg1", slices, Map.of(CallValue.of(4), times(200, 3_000), CallValue.of(5), times(100, 500),
                CallValue.of(CallValue.Kind.OTHERS), times(100, 500)));
        Comparison compared = Comparer.compare(a, b);
        assertThat(compared.onlyA()).isEmpty();
        assertThat(compared.amongOthersB()).extracting(f -> f.function().name()).containsExactly("handle · arg1 = 3");
        assertThat(compared.onlyB()).as("A had room for more").extracting(f -> f.function().name()).containsExactly("handle · arg1 = 5");
        assertThat(Comparer.compare(b, b).functions()).as("the same other values").anyMatch(f -> f.name().endsWith("other values"));
        ComparedSession c = Recordings.splitBy("arg1", slices, Map.of(CallValue.of(6), times(200, 1_000), CallValue.of(CallValue.Kind.OTHERS), times(100, 500)));
        assertThat(Comparer.compare(b, c).functions()).as("not the same ones").extracting(FunctionComparison::name).containsExactly("handle");
        assertThat(compared.warnings()).noneMatch(warning -> warning.contains("Different functions"));
        assertThat(ComparisonTable.of(compared, TableStyle.PLAIN)).contains("In B among other values: handle · arg1 = 3").doesNotContain("Only in A");
        assertThat(ComparisonJson.of(compared)).containsPattern("\"among_others_b\" : \\[ \\{\\s*\"name\" : \"handle · arg1 = 3\"");
        assertThat(Comparer.compare(b, a).amongOthersA()).isEqualTo(compared.amongOthersB());
        Comparison groups = Comparer.compare(List.of(a, b), List.of(b, b), 0, () -> false);
        assertThat(groups.functions()).filteredOn(f -> f.name().endsWith("= 5")).first().extracting(f -> f.pair().a().atLeast()).isEqualTo(false);
        assertThat(groups.amongOthersB()).first().extracting(FunctionLatency::atLeast).as("A's second recording counts it among others too").isEqualTo(true);
        Comparison partly = Comparer.compare(List.of(a, c), List.of(b, b), 0, () -> false);
        assertThat(partly.warnings()).as("what is left out").contains("Of handle · arg1 = 4, 1 of 2 recordings of A and 2 of 2 recordings of B are judged:"
                + " the others may count this value among their other values.");
    }

    private static List<String> warnings(FunctionLatency a, FunctionLatency b) {
        return Comparer.compare(Recordings.session("a", Recordings.INFO, List.of(a), Map.of()),
                Recordings.session("b", Recordings.INFO, List.of(b), Map.of())).warnings();
    }

    @Test
    void itCanBeCancelled() {
        ComparedSession a = of(recordings.slices(SHAPE));
        assertThatThrownBy(() -> Comparer.compare(List.of(a), List.of(a), 0, () -> true)).isInstanceOf(CancellationException.class);
    }
}
