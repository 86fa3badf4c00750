// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.kview.model.CallValue;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.ValueFigures;
import org.kview.statistics.FalseDiscovery;

/**
 * Compares recordings: one with another, or two groups of the same program's. The same ones always
 * give the same result: the pseudo-random numbers of the resampling are seeded with the functions'
 * names and times.
 */
public final class Comparer {
    /** The false discovery rate. */
    public static final double RATE = 0.05;
    public static final int REPLICATES = 4000;
    /** Differences of less than this part of the smaller figure are not reported unless asked for. */
    public static final double MINIMUM_EFFECT = 0.05;
    /**
     * With at least so many recordings a side, a difference counts as one between the programs; with fewer, only as one
     * between the recordings.
     */
    public static final int ENOUGH_RECORDINGS = 3;
    /** Slices of half a second, with calls in each of them. */
    static final double LEAST_SLICES = 5;
    static final double LEAST_BLOCKS = 3;

    private static final long SEED = 0x6b76696577L;

    private final List<ComparedSession> recordingsA;
    private final List<ComparedSession> recordingsB;
    private final double minimumEffect;
    private final BooleanSupplier cancelled;

    private Comparer(List<ComparedSession> a, List<ComparedSession> b, double minimumEffect,
            BooleanSupplier cancelled) {
        recordingsA = List.copyOf(a);
        recordingsB = List.copyOf(b);
        this.minimumEffect = minimumEffect;
        this.cancelled = cancelled;
    }

    /** Two recordings, with {@link #MINIMUM_EFFECT}. */
    public static Comparison compare(ComparedSession a, ComparedSession b) {
        return compare(List.of(a), List.of(b), MINIMUM_EFFECT, () -> false);
    }

    /**
     * Whether so many recordings can be compared: one with one, or two and more with two and more.
     *
     * @param a the number of A
     * @param b the number of B
     */
    public static boolean isComparable(int a, int b) {
        return a == 1 && b == 1 || Math.min(a, b) >= GroupJudge.LEAST_RECORDINGS;
    }

    /**
     * Compares; takes about 10 ms for each function.
     *
     * @param minimumEffect as a part of the smaller figure, 0 or more; smaller differences are not reported
     * @param cancelled     asked now and then, by several threads
     * @throws CancellationException    once it says so
     * @throws IllegalArgumentException unless {@link #isComparable}
     */
    public static Comparison compare(List<ComparedSession> a, List<ComparedSession> b, double minimumEffect,
            BooleanSupplier cancelled) {
        if (!isComparable(a.size(), b.size()) || !(minimumEffect >= 0)) {
            throw new IllegalArgumentException(a.size() + " and " + b.size() + " recordings, " + minimumEffect);
        }
        Comparer comparer = new Comparer(a, b, minimumEffect, cancelled);
        return a.size() == 1 ? comparer.pair() : comparer.groups();
    }

    private Comparison pair() {
        ComparedSession a = recordingsA.getFirst();
        ComparedSession b = recordingsB.getFirst();
        FunctionMatcher matches = matches(a.figures(), b.figures());
        List<PairJudge> judges = matches.pairs().stream().map(pair -> new PairJudge(pair, minimumEffect,
                part(a, pair.a()), part(b, pair.b()), new SplittableRandom(SEED ^ pair.name().hashCode()))).toList();
        judges.parallelStream().forEach(judge -> {
            stopIfCancelled();
            judge.resample();
        });
        return comparison(a.figures(), b.figures(), matches, judges, OptionalDouble.empty(), Optional.empty());
    }

    private static RecordingGroup.Part part(ComparedSession session, FunctionLatency latency) {
        return new RecordingGroup.Part(latency, Optional.ofNullable(session.slices().get(latency.function().id())),
                session.seconds());
    }

    private Comparison groups() {
        RecordingGroup a = new RecordingGroup(recordingsA);
        RecordingGroup b = new RecordingGroup(recordingsB);
        FunctionMatcher matches = matches(a.sum(), b.sum());
        List<GroupJudge> judges = matches.pairs().parallelStream().map(pair -> {
            stopIfCancelled();
            return new GroupJudge(pair, minimumEffect, a.parts(pair.a().function()), b.parts(pair.b().function()), SEED);
        }).toList();
        OptionalDouble moved = GroupJudge.test(judges);
        return comparison(a.sum(), b.sum(), matches, judges, moved, PartlyAmongOthers.sentence(matches.pairs(), a, b));
    }

    private static FunctionMatcher matches(LatencySnapshot a, LatencySnapshot b) {
        Set<String> by = bys(a);
        by.retainAll(bys(b));
        return new FunctionMatcher(calls(a, b, by), calls(b, a, by));
    }

    private static Set<String> bys(LatencySnapshot figures) {
        return figures.functions().stream().map(f -> f.function().by()).collect(Collectors.toCollection(HashSet::new));
    }

    /** Hits of tracepoints take no time that could be compared. Values are compared as functions, where both sides split figures by them. */
    private static List<FunctionLatency> calls(LatencySnapshot figures, LatencySnapshot other, Set<String> by) {
        return figures.functions().stream().filter(f -> !f.function().countsHits())
                .flatMap(f -> Stream.concat(Stream.of(f), by.contains(f.function().by()) ? values(f, other) : Stream.of())).toList();
    }

    /** Other values are the same ones where both sides have figures of the same values, and are not compared elsewhere. */
    private static Stream<FunctionLatency> values(FunctionLatency function, LatencySnapshot other) {
        Set<CallValue> own = single(function);
        boolean same = other.functions().stream().filter(f -> f.function().name().equals(function.function().name())).allMatch(f -> single(f).equals(own));
        List<FunctionLatency> byValue = function.byValue();
        return IntStream.range(0, byValue.size()).filter(i -> same || function.values().get(i).value().kind() != CallValue.Kind.OTHERS).mapToObj(byValue::get);
    }

    private static Set<CallValue> single(FunctionLatency function) {
        return function.values().stream().map(ValueFigures::value).filter(value -> value.kind().isOne()).collect(Collectors.toSet());
    }

    private void stopIfCancelled() {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
    }

    /**
     * @param moved  how all functions changed together, as a logarithm
     * @param partly what is left out of what is judged
     */
    private Comparison comparison(LatencySnapshot a, LatencySnapshot b, FunctionMatcher matches,
            List<? extends FunctionJudge> judges, OptionalDouble moved, Optional<String> partly) {
        adjust(judges.stream().map(FunctionJudge::wall), recordingsA.size() > 1);
        adjust(judges.stream().map(FunctionJudge::perCall), recordingsA.size() > 1);
        OneSided inA = OneSided.ofA(a, matches);
        OneSided inB = OneSided.ofB(b, matches);
        ComparisonWarnings warnings = new ComparisonWarnings(recorded(recordingsA), recorded(recordingsB), matches,
                inA.hasFunctions() || inB.hasFunctions(), moved);
        return new Comparison(recorded(recordingsA), recorded(recordingsB), a, b,
                judges.stream().map(FunctionJudge::comparison).sorted(MOST_CHANGED_FIRST).toList(),
                inA.only(), inB.only(), inA.amongOthers(), inB.amongOthers(),
                Stream.concat(warnings.sentences().stream(), partly.stream()).toList(), minimumEffect);
    }

    private static List<Comparison.Recorded> recorded(List<ComparedSession> sessions) {
        return sessions.stream().map(s -> new Comparison.Recorded(s.name(), s.figures())).toList();
    }

    /**
     * What is found to differ comes first. Sorted by the program's time in the function, as the time of a call
     * says little if their number changed.
     */
    static final Comparator<FunctionComparison> MOST_CHANGED_FIRST = Comparator
            .comparing((FunctionComparison f) -> !f.differs())
            .thenComparing(f -> !f.isJudged())
            .thenComparing(Comparator.comparingDouble((FunctionComparison f) -> Math.abs(f.programNanos())).reversed())
            .thenComparing(FunctionComparison::name)
            .thenComparing(f -> f.pair().a().function().id());

    /**
     * @param families the findings of each function
     * @param groups   whether there are several recordings a side
     */
    static void adjust(Stream<List<Finding>> families, boolean groups) {
        List<List<Finding>> tested = families
                .map(family -> family.stream().filter(f -> f.difference().isPresent()).toList())
                .filter(family -> !family.isEmpty()).toList();
        List<double[]> adjusted = FalseDiscovery.adjust(tested.stream().map(family -> family.stream()
                .mapToDouble(f -> f.difference().get().p()).toArray()).toList(), RATE, groups);
        for (int i = 0; i < tested.size(); i++) {
            for (int k = 0; k < tested.get(i).size(); k++) {
                tested.get(i).get(k).adjust(adjusted.get(i)[k]);
            }
        }
    }
}
