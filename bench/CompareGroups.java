// SPDX-License-Identifier: EPL-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.model.FunctionLatency;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.statistics.Statistic;

/**
 * Run by bench/compare-groups: POOL DRAWS SLOWER. Judges the rounds of a pool, and groups that are drawn from it.
 *
 * <p>A round's groups are as a user records them, and no two rounds share a recording: what is said of these is an ordinary
 * proportion, of few trials. For more, three of all pairs of neighbouring recordings are drawn, of any rounds; of pairs of
 * the same program either recording may be A. Pairs are kept together, so sides stay in turns. Such groups share recordings,
 * so many draws are no more trials: the error that is told is found by leaving out one round after the other (jackknife).
 * And their pairs are further apart in time than a user's: what the host does meanwhile is noise among the recordings of a
 * side, so that less is called changed, rightly or wrongly.
 */
final class CompareGroups {
    private static final int SIDE = 3;

    private CompareGroups() {
    }

    /** Two recordings that were made one after the other, in a round. */
    private record Pair(int round, ComparedSession a, ComparedSession b) {
        Pair swapped() {
            return new Pair(round, b, a);
        }
    }

    /** What one comparison said: by function, whether it changed. */
    private record Verdicts(Set<Integer> rounds, Map<String, Boolean> changed) {
    }

    public static void main(String[] arguments) throws Exception {
        Path pool = Path.of(arguments[0]);
        int draws = Integer.parseInt(arguments[1]);
        Set<String> slower = new TreeSet<>(List.of(arguments[2].split(",")));
        List<Pair> same = pairs(pool, "same-");
        List<Pair> changed = pairs(pool, "slower-");
        SplittableRandom random = new SplittableRandom(1);
        System.out.printf(Locale.ROOT, "%d rounds of the same program, %d with a slower one%n", same.size() / SIDE,
                changed.size() / SIDE);
        tell("same program, called changed", same, draws, true, random, _ -> true);
        tell("10 % slower, found", changed, draws, false, random, slower::contains);
        tell("beside slower ones, called changed", changed, draws, false, random, name -> !slower.contains(name));
        functions(same, changed, draws, slower);
    }

    private static List<Pair> pairs(Path pool, String prefix) throws IOException, SessionException {
        List<Pair> pairs = new ArrayList<>();
        List<Path> rounds;
        try (Stream<Path> all = Files.list(pool)) {
            rounds = all.filter(p -> p.getFileName().toString().startsWith(prefix)).sorted().toList();
        }
        for (Path round : rounds) {
            if (IntStream.rangeClosed(1, SIDE).allMatch(i -> Files.exists(round.resolve("a-" + i + ".kview"))
                    && Files.exists(round.resolve("b-" + i + ".kview")))) {
                for (int i = 1; i <= SIDE; i++) {
                    pairs.add(new Pair(pairs.size() / SIDE, read(round.resolve("a-" + i + ".kview")),
                            read(round.resolve("b-" + i + ".kview"))));
                }
            }
        }
        return pairs;
    }

    private static ComparedSession read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return ComparedSession.read(session.toString(), reader, Progress.NONE);
        }
    }

    private static Verdicts compare(List<Pair> pairs) {
        Comparison comparison = Comparer.compare(pairs.stream().map(Pair::a).toList(), pairs.stream().map(Pair::b).toList(),
                Comparer.MINIMUM_EFFECT, () -> false);
        Map<String, Boolean> changed = new TreeMap<>();
        for (FunctionComparison function : comparison.functions()) {
            changed.put(function.name(), comparison.isEnough() && function.differs());
        }
        Set<Integer> rounds = new TreeSet<>();
        pairs.forEach(pair -> rounds.add(pair.round()));
        return new Verdicts(rounds, changed);
    }

    private static List<Verdicts> asRecorded(List<Pair> pairs) {
        return IntStream.range(0, pairs.size() / SIDE).mapToObj(i -> compare(pairs.subList(SIDE * i, SIDE * (i + 1)))).toList();
    }

    /** Groups of three pairs of any rounds. */
    private static List<Verdicts> drawn(List<Pair> pairs, int draws, boolean swap, SplittableRandom random) {
        List<Pair> order = new ArrayList<>(pairs);
        List<Verdicts> verdicts = new ArrayList<>();
        for (int i = 0; i < draws; i++) {
            Collections.shuffle(order, random);
            verdicts.add(compare(order.subList(0, SIDE).stream()
                    .map(pair -> swap && random.nextBoolean() ? pair.swapped() : pair).toList()));
        }
        return verdicts;
    }

    private static void tell(String what, List<Pair> pairs, int draws, boolean swap, SplittableRandom random,
            Predicate<String> functions) {
        int rounds = pairs.size() / SIDE;
        if (rounds < 2) {
            System.out.println(what + ": too few rounds");
            return;
        }
        List<Verdicts> own = asRecorded(pairs);
        tell(what + ", as recorded", own, functions, rounds);
        tell(what + ", drawn from all", drawn(pairs, draws, swap, random), functions, rounds);
    }

    private static void tell(String what, List<Verdicts> verdicts, Predicate<String> functions, int rounds) {
        double[] without = IntStream.range(0, rounds).mapToDouble(round -> share(verdicts.stream()
                .filter(v -> !v.rounds().contains(round)).toList(), functions)).filter(x -> !Double.isNaN(x)).toArray();
        double mean = Arrays.stream(without).average().orElse(Double.NaN);
        double error = Math.sqrt(Arrays.stream(without).map(x -> (x - mean) * (x - mean)).sum() * (without.length - 1)
                / without.length);
        long any = verdicts.stream().filter(v -> v.changed().entrySet().stream()
                .anyMatch(e -> functions.test(e.getKey()) && e.getValue())).count();
        System.out.printf(Locale.ROOT, "%-50s %5d of %5d functions, %5.1f %% (standard error %.1f %%); any in %d of %d comparisons%n",
                what, changed(verdicts, functions, true), changed(verdicts, functions, false), 100 * share(verdicts, functions),
                100 * error, any, verdicts.size());
    }

    private static long changed(List<Verdicts> verdicts, Predicate<String> functions, boolean only) {
        return verdicts.stream().flatMap(v -> v.changed().entrySet().stream()).filter(e -> functions.test(e.getKey()))
                .filter(e -> !only || e.getValue()).count();
    }

    private static double share(List<Verdicts> verdicts, Predicate<String> functions) {
        return (double) changed(verdicts, functions, true) / changed(verdicts, functions, false);
    }

    /** By function: how recordings of a side differ, by how much the slower program is slower, and what was said. */
    private static void functions(List<Pair> same, List<Pair> changed, int draws, Set<String> slower) {
        List<Verdicts> sameOwn = asRecorded(same);
        List<Verdicts> changedOwn = asRecorded(changed);
        List<Verdicts> changedDrawn = drawn(changed, draws, false, new SplittableRandom(2));
        System.out.printf(Locale.ROOT, "%-14s %34s %12s %18s %18s %10s%n", "function", "run to run: mean, p50, no waits", "B to A, mean",
                "same: changed", "slower: changed", "drawn");
        for (String name : sameOwn.getFirst().changed().keySet()) {
            double[] ratios = changed.stream().mapToDouble(p -> Math.log(mean(p.b(), name) / mean(p.a(), name))).toArray();
            System.out.printf(Locale.ROOT, "%-14s %15.1f %% %6.1f %% %6.1f %% %+10.1f %% %11d of %3d %11d of %3d %8.0f %%%s%n", name,
                    100 * deviation(same, changed, s -> mean(s, name)), 100 * deviation(same, changed, s -> median(s, name)),
                    100 * deviation(same, changed, s -> undisturbed(s, name)),
                    100 * Math.expm1(Arrays.stream(ratios).average().orElse(Double.NaN)),
                    changed(sameOwn, name::equals, true), sameOwn.size(), changed(changedOwn, name::equals, true),
                    changedOwn.size(), 100 * share(changedDrawn, name::equals), slower.contains(name) ? "  (10 % slower)" : "");
        }
    }

    @FunctionalInterface
    private interface Figure {
        double of(ComparedSession session);
    }

    /** Of the logarithm, within the sides of rounds. */
    private static double deviation(List<Pair> same, List<Pair> changed, Figure figure) {
        double squares = 0;
        int freedom = 0;
        for (List<Pair> pairs : List.of(same, changed)) {
            for (int i = 0; i + SIDE <= pairs.size(); i += SIDE) {
                for (boolean ofA : new boolean[] {true, false}) {
                    double[] logs = pairs.subList(i, i + SIDE).stream().mapToDouble(p -> Math.log(figure.of(ofA ? p.a() : p.b())))
                            .toArray();
                    double mean = Arrays.stream(logs).average().orElseThrow();
                    squares += Arrays.stream(logs).map(x -> (x - mean) * (x - mean)).sum();
                    freedom += SIDE - 1;
                }
            }
        }
        return Math.sqrt(squares / freedom);
    }

    private static double mean(ComparedSession session, String name) {
        return function(session, name).wall().meanNanos();
    }

    private static double median(ComparedSession session, String name) {
        return function(session, name).wall().percentileNanos(50);
    }

    /** Without what calls waited for a CPU. */
    private static double undisturbed(ComparedSession session, String name) {
        return Statistic.UNDISTURBED.of(function(session, name), 1);
    }

    private static FunctionLatency function(ComparedSession session, String name) {
        return session.figures().functions().stream().filter(f -> f.function().name().equals(name)).findFirst().orElseThrow();
    }
}
