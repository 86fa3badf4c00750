/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;


/**
 * Compares two recordings. The same two always give the same result: the pseudo-random numbers of the
 * resampling are seeded with the functions' names.
 */
public final class Comparer {
    /** The false discovery rate. */
    public static final double RATE = 0.05;
    public static final int REPLICATES = 4000;
    /** Slices of half a second, with calls in each of them. */
    static final double LEAST_SLICES = 5;
    static final double LEAST_BLOCKS = 3;

    private static final long SEED = 0x6b76696577L;

    private final ComparedSession a;
    private final ComparedSession b;
    private final BooleanSupplier cancelled;

    private Comparer(ComparedSession a, ComparedSession b, BooleanSupplier cancelled) {
        this.a = a;
        this.b = b;
        this.cancelled = cancelled;
    }

    public static Comparison compare(ComparedSession a, ComparedSession b) {
        return compare(a, b, () -> false);
    }

    /**
     * Compares; takes some 10 ms a function.
     *
     * @param cancelled asked now and then, by several threads
     * @throws java.util.concurrent.CancellationException once it says so
     */
    public static Comparison compare(ComparedSession a, ComparedSession b, BooleanSupplier cancelled) {
        return new Comparer(a, b, cancelled).compare();
    }

    private Comparison compare() {
        FunctionMatcher matches = new FunctionMatcher(a.figures().functions(), b.figures().functions());
        List<FunctionJudge> judges = matches.pairs().stream().map(this::judge).toList();
        judges.parallelStream().forEach(judge -> judge.resample(cancelled));
        adjust(judges.stream().flatMap(j -> j.wall().stream()).toList());
        adjust(judges.stream().flatMap(j -> j.perCall().stream()).toList());
        List<FunctionComparison> functions = judges.stream().map(FunctionJudge::comparison)
                .sorted(MOST_CHANGED_FIRST).toList();
        return new Comparison(a.name(), b.name(), a.figures(), b.figures(), functions, matches.onlyA(),
                matches.onlyB(), new ComparisonWarnings(a.figures(), b.figures(), matches).sentences());
    }

    /** By time, as that is what a caller waits: first what is beyond noise, then the rest, by the mean. */
    static final Comparator<FunctionComparison> MOST_CHANGED_FIRST = Comparator
            .comparing((FunctionComparison f) -> f.headline().isEmpty())
            .thenComparing(f -> !f.isJudged())
            .thenComparing(Comparator.comparingDouble((FunctionComparison f) -> Math.abs(f.headline()
                    .orElse(f.wall().get(Statistic.MEAN)).difference())).reversed())
            .thenComparing(FunctionComparison::name)
            .thenComparing(f -> f.pair().a().function().id());

    private FunctionJudge judge(FunctionPair pair) {
        Optional<FunctionSlices> slicesA = Optional.ofNullable(a.slices().get(pair.a().function().id()));
        Optional<FunctionSlices> slicesB = Optional.ofNullable(b.slices().get(pair.b().function().id()));
        return new FunctionJudge(pair, slicesA, slicesB, new SplittableRandom(SEED ^ pair.name().hashCode()));
    }

    private static void adjust(List<Finding> family) {
        List<Finding> tested = family.stream().filter(f -> f.difference().isPresent()).toList();
        double[] adjusted = FalseDiscovery.adjust(tested.stream().mapToDouble(f -> f.difference().get().p()).toArray());
        for (int i = 0; i < adjusted.length; i++) {
            tested.get(i).adjust(adjusted[i]);
        }
    }
}
