// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

import org.kview.model.Metric;
import org.kview.statistics.BlockBootstrap;
import org.kview.statistics.Difference;
import org.kview.statistics.ModeratedStatistics;
import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.statistics.RunWideFactor;
import org.kview.statistics.Statistic;

/** Gathers what is to be compared of one function in two groups of recordings. */
final class GroupJudge extends FunctionJudge {
    static final int LEAST_RECORDINGS = 2;
    /** Enough to estimate a variance to within a seventh, in each of several recordings. */
    private static final int REPLICATES = 100;
    /** Added to figures before their logarithm is taken, as they may be 0: half a call, 1 ns, or this part of a mean call. */
    private static final double HALF_A_CALL = 0.5;
    private static final double START_SHARE = 0.1;
    /** A call that takes longer moves three of a function's seven figures at least, so that p need not be seven times as small. */
    private static final double FIGURES_A_FINDING = 7.0 / 3;

    private final List<Side> a;
    private final List<Side> b;
    private final int given;
    private final List<Trial> trials = new ArrayList<>();

    /** A function in one recording, resampled. */
    private record Side(RecordingGroup.Part part, Optional<BlockBootstrap.Replicates> replicates) {
    }

    /**
     * A figure that is going to be tested, as logarithms of it and a start.
     *
     * @param figure       what
     * @param observations in all recordings that have it
     * @param start        what was added before the logarithm was taken
     */
    record Trial(Finding.Figure figure, Observations observations, double start) {

        /**
         * Turns the result back from logarithms. The interval of the difference is made of how far each side may be off by
         * itself (Zou and Donner, "Construction of confidence limits about effect measures: a general approach", Statistics
         * in Medicine 27 (2008)): where B is a small part of A, the difference is as uncertain as A.
         *
         * @param visible how large a difference must be to be found if no other function differs, in standard errors
         */
        Finding finding(ModeratedStatistics.Result result, double visible) {
            double from = figure.a() + start;
            double to = from * Math.exp(result.difference());
            double reach = (result.high() - result.low()) / 2;
            double shareOfA = observations.b().length / (double) (observations.a().length + observations.b().length);
            double reachA = reach * Math.sqrt(shareOfA);
            double reachB = reach * Math.sqrt(1 - shareOfA);
            double low = to - from - Math.hypot(to * -Math.expm1(-reachB), from * Math.expm1(reachA));
            double high = to - from + Math.hypot(to * Math.expm1(reachB), from * -Math.expm1(-reachA));
            return Finding.of(figure, new Difference(figure.b() - figure.a(), low, high, result.p()),
                    Math.expm1(visible * result.error()));
        }
    }

    GroupJudge(FunctionPair pair, double leastShare, List<Optional<RecordingGroup.Part>> a,
            List<Optional<RecordingGroup.Part>> b, long seed) {
        super(pair, leastShare);
        this.a = sides(a, seed);
        this.b = sides(b, seed);
        given = Math.min(a.size(), b.size());
        gather();
    }

    /** Each recording keeps its random numbers on either side, so that the answer stays the same when they are swapped. */
    private static List<Side> sides(List<Optional<RecordingGroup.Part>> parts, long seed) {
        return parts.stream().flatMap(Optional::stream).map(part -> new Side(part, part.slices()
                .filter(s -> s.count() >= Comparer.LEAST_SLICES && !part.latency().wall().isEmpty())
                .map(s -> new BlockBootstrap(part.latency(), s, part.seconds()).replicates(REPLICATES,
                        new SplittableRandom(seed ^ part.latency().function().name().hashCode()
                                ^ part.latency().wall().totalNanos()))))).toList();
    }

    private void gather() {
        for (Statistic statistic : Statistic.values()) {
            List<Double> inA = a.stream().map(s -> statistic.of(s.part().latency(), s.part().seconds())).toList();
            List<Double> inB = b.stream().map(s -> statistic.of(s.part().latency(), s.part().seconds())).toList();
            Finding.Figure figure = figure(statistic, mean(inA), mean(inB), inA, inB, true);
            Optional<Significance> reason = tooFew(statistic).or(() -> tooFewInOne(statistic))
                    .or(() -> untold(inA, inB));
            if (reason.isPresent()) {
                wall().add(Finding.untold(figure, reason.get()));
            } else {
                trials.add(trial(figure, start(statistic), side -> side.wall().get(statistic)));
            }
        }
        double meanCall = (pair().a().wall().totalNanos() + pair().b().wall().totalNanos())
                / (double) Math.max(1, pair().a().wall().count() + pair().b().wall().count());
        for (Metric metric : Metric.values()) {
            List<Double> inA = a.stream().map(s -> meanOverCalls(s.part().latency(), metric)).toList();
            List<Double> inB = b.stream().map(s -> meanOverCalls(s.part().latency(), metric)).toList();
            if (metric == Metric.WALL || inA.stream().allMatch(x -> x == 0) && inB.stream().allMatch(x -> x == 0)) {
                continue;
            }
            Finding.Figure figure = figure(metric, mean(inA), mean(inB), inA, inB, true);
            Optional<Significance> reason = tooFew(Statistic.MEAN).or(() -> tooFewInOne(Statistic.MEAN))
                    .or(() -> untold(inA, inB));
            if (reason.isPresent()) {
                perCall().add(Finding.untold(figure, reason.get()));
            } else {
                trials.add(trial(figure, Math.max(1, START_SHARE * meanCall),
                        side -> side.perCall().getOrDefault(metric, new double[REPLICATES])));
            }
        }
    }

    private double start(Statistic statistic) {
        double seconds = a.getFirst().part().seconds();
        return switch (statistic) {
            case CALLS -> HALF_A_CALL / seconds;
            case TOTAL -> Math.max(1, HALF_A_CALL * pair().a().wall().meanNanos() / seconds);
            default -> 1;
        };
    }

    private Optional<Significance> tooFewInOne(Statistic statistic) {
        if (Statistic.RATES.contains(statistic)) {
            return Optional.empty();
        }
        long fewest = Stream.concat(a.stream(), b.stream())
                .mapToLong(s -> s.part().latency().wall().count()).min().orElse(0);
        return fewest < statistic.callsNeeded() ? Optional.of(Significance.TOO_FEW_CALLS) : Optional.empty();
    }

    /** If a side has enough recordings to detect a change, a function must be in at least that many of them. */
    private Optional<Significance> untold(List<Double> inA, List<Double> inB) {
        if (Math.min(inA.size(), inB.size()) < Math.clamp(given, LEAST_RECORDINGS, Comparer.ENOUGH_RECORDINGS)) {
            return Optional.of(Significance.TOO_FEW_RECORDINGS);
        }
        return inA.stream().anyMatch(x -> x.isNaN()) || inB.stream().anyMatch(x -> x.isNaN())
                ? Optional.of(Significance.UNKNOWN) : Optional.empty();
    }

    private Trial trial(Finding.Figure figure, double start,
            Function<BlockBootstrap.Replicates, double[]> replicates) {
        double sampling = Stream.concat(a.stream(), b.stream())
                .mapToDouble(s -> s.replicates().map(r -> variance(logs(replicates.apply(r), start))).orElse(Double.NaN))
                .average().orElse(Double.NaN);
        return new Trial(figure, new Observations(logs(figure.inA(), start), logs(figure.inB(), start), sampling), start);
    }

    private static double[] logs(List<Double> values, double start) {
        return logs(values.stream().mapToDouble(Double::doubleValue).toArray(), start);
    }

    private static double[] logs(double[] values, double start) {
        double[] logs = new double[values.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = Math.log(values[i] + start);
        }
        return logs;
    }

    private static double variance(double[] values) {
        DoubleSummaryStatistics sum = new DoubleSummaryStatistics();
        for (double value : values) {
            sum.accept(value);
        }
        double mean = sum.getAverage();
        DoubleSummaryStatistics squares = new DoubleSummaryStatistics();
        for (double value : values) {
            squares.accept((value - mean) * (value - mean));
        }
        return squares.getSum() / (values.length - 1);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /**
     * Tests a figure of all functions together, and gives each its finding.
     *
     * @return by how much the time of a call changed in most functions alike, as a logarithm; empty if in few
     */
    static OptionalDouble test(List<GroupJudge> judges) {
        double needed = Comparer.RATE / (1 + Comparer.RATE) / Math.max(1, judges.size()) / FIGURES_A_FINDING;
        Map<Statistic, List<Entry>> byStatistic = new EnumMap<>(Statistic.class);
        List<Entry> causes = new ArrayList<>();
        for (GroupJudge judge : judges) {
            for (Trial trial : judge.trials) {
                if (trial.figure().metric() == Metric.WALL) {
                    byStatistic.computeIfAbsent(trial.figure().statistic(), s -> new ArrayList<>())
                            .add(new Entry(trial, judge.wall()));
                } else {
                    causes.add(new Entry(trial, judge.perCall()));
                }
            }
        }
        OptionalDouble moved = OptionalDouble.empty();
        for (Map.Entry<Statistic, List<Entry>> entries : byStatistic.entrySet()) {
            RunWideFactor test = new RunWideFactor(observations(entries.getValue()));
            take(entries.getValue(), test.results(), needed);
            moved = entries.getKey() == Statistic.MEAN ? test.moved() : moved;
        }
        // The causes' parts of a call's time have no common factor: a call that waits longer may compute less.
        take(causes, new ModeratedStatistics(observations(causes)).results(), needed);
        return moved;
    }

    /** A trial, and where its finding is put. */
    private record Entry(Trial trial, List<Finding> findings) {
    }

    private static List<Observations> observations(List<Entry> entries) {
        return entries.stream().map(e -> e.trial().observations()).toList();
    }

    /** @param needed how small p must be for a function to be found if no other one is */
    private static void take(List<Entry> entries, List<ModeratedStatistics.Result> results, double needed) {
        Map<Double, Double> visible = new HashMap<>();
        for (int i = 0; i < results.size(); i++) {
            double errors = visible.computeIfAbsent(results.get(i).degrees(), degrees -> ModeratedStatistics.visibleErrors(degrees, needed));
            entries.get(i).findings().add(entries.get(i).trial().finding(results.get(i), errors));
        }
    }
}
