// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.kview.model.ProbedFunction.ExitKind;

/**
 * Adds up what was measured on several hosts. Functions are the same if their name, their kind, their symbol
 * and the file name of their binary are the same. Counts, totals, maxima and buckets are combined exactly.
 */
public final class MergedHosts {
    private final List<LatencySnapshot> hosts;

    private MergedHosts(List<LatencySnapshot> hosts) {
        this.hosts = hosts;
    }

    /**
     * The sum.
     *
     * @param hosts at least one
     */
    public static LatencySnapshot of(List<LatencySnapshot> hosts) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("There is no host");
        }
        return new MergedHosts(hosts).merged();
    }

    /**
     * The sum of functions that are the same.
     *
     * @param same at least one; the sum has the first one's id
     */
    public static FunctionLatency sum(List<FunctionLatency> same) {
        return same.size() == 1 ? same.getFirst() : function(same.getFirst().function().id(), same);
    }

    private LatencySnapshot merged() {
        List<String> problems = new ArrayList<>();
        hosts.forEach(host -> host.problems().forEach(p -> problems.add(host.info().target() + ": " + p)));
        return new LatencySnapshot(info(hosts.stream().map(LatencySnapshot::info).toList()), functions(), losses(), overhead(), problems, hosts);
    }

    /**
     * What was recorded, where and when, of all.
     *
     * @param hosts at least one
     */
    public static SessionInfo info(List<SessionInfo> hosts) {
        Instant start = hosts.stream().map(SessionInfo::start).min(Instant::compareTo).orElseThrow();
        Instant end = hosts.stream().map(info -> info.start().plus(info.duration())).max(Instant::compareTo)
                .orElseThrow();
        List<Scope> scopes = hosts.size() == 1 ? hosts.getFirst().scopes() : List.of();
        return new SessionInfo(new SessionInfo.Host(joined(hosts, SessionInfo::target), joined(hosts, SessionInfo::host),
                joined(hosts, SessionInfo::kernel), Optional.empty()),
                scopes, joined(hosts, SessionInfo::command),
                new SessionInfo.Filtering(joined(hosts, SessionInfo::filter), joined(hosts, SessionInfo::filterNote)), start,
                between(start, end), new SessionInfo.Ending(state(hosts), notes(hosts), Optional.empty()), Provenance.UNKNOWN);
    }

    /** Limited to what fits in ns: hosts may claim that they recorded in different millennia. */
    private static Duration between(Instant start, Instant end) {
        Duration most = Duration.ofNanos(Long.MAX_VALUE);
        Duration all = Duration.between(start, end);
        return all.compareTo(most) > 0 ? most : all;
    }

    private static String joined(List<SessionInfo> hosts, Function<SessionInfo, String> value) {
        return hosts.stream().map(value).filter(text -> !text.isEmpty()).distinct().collect(Collectors.joining(", "));
    }

    /** Failed if one has failed; otherwise still recording if one is. */
    private static SessionInfo.State state(List<SessionInfo> hosts) {
        for (SessionInfo.State state : List.of(SessionInfo.State.FAILED, SessionInfo.State.RECORDING,
                SessionInfo.State.STOPPED)) {
            if (hosts.stream().anyMatch(info -> info.state() == state)) {
                return state;
            }
        }
        return SessionInfo.State.PROCESS_ENDED;
    }

    private static String notes(List<SessionInfo> hosts) {
        return hosts.stream().filter(info -> !info.stateNote().isEmpty())
                .map(info -> info.target() + ": " + info.stateNote()).collect(Collectors.joining(" "));
    }

    /** Comparable, so that finding them is fast even if somebody chose names that have the same hash. */
    private record Key(String name, String kind, String symbol, String binary) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.comparing(Key::name).thenComparing(Key::kind)
                .thenComparing(Key::symbol).thenComparing(Key::binary);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }

        static Key of(ProbedFunction function) {
            ProbePoint point = function.point();
            return new Key(function.name(), point.kind(), point.symbol(), fileName(point.binary()));
        }
    }

    /** Whether two functions of two hosts are added up. */
    public static boolean isSame(ProbedFunction one, ProbedFunction other) {
        return Key.of(one).equals(Key.of(other));
    }

    /** An object that is equal for functions that are added up. */
    public static Object identity(ProbedFunction function) {
        return Key.of(function);
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private List<FunctionLatency> functions() {
        Map<Key, List<FunctionLatency>> same = hosts.stream().flatMap(h -> h.functions().stream())
                .collect(Collectors.groupingBy(f -> Key.of(f.function()), LinkedHashMap::new, Collectors.toList()));
        List<FunctionLatency> merged = new ArrayList<>();
        same.values().forEach(functions -> merged.add(function(merged.size(), functions)));
        return merged;
    }

    private static FunctionLatency function(int id, List<FunctionLatency> same) {
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            Distribution sum = sum(same, f -> f.distribution(metric));
            if (!sum.isEmpty()) {
                distributions.put(metric, sum);
            }
        }
        return new FunctionLatency(probed(id, same), total(same, FunctionLatency::calls),
                total(same, FunctionLatency::abandoned), total(same, FunctionLatency::unfinished), fates(same), distributions,
                values(same), quantities(same), same.stream().anyMatch(FunctionLatency::atLeast));
    }

    /** What all of them count. */
    private static List<Quantity> counted(List<FunctionLatency> same) {
        return same.getFirst().function().quantities().stream()
                .filter(quantity -> same.stream().allMatch(f -> f.function().quantities().contains(quantity))).toList();
    }

    private static Map<Quantity, Distribution> quantities(List<FunctionLatency> same) {
        Map<Quantity, Distribution> sums = new HashMap<>();
        for (Quantity quantity : counted(same)) {
            Distribution sum = sum(same, f -> f.quantity(quantity));
            if (!sum.isEmpty()) {
                sums.put(quantity, sum);
            }
        }
        return sums;
    }

    /** Only where all are split alike. Each had room for some values, and not for the same ones. */
    private static List<ValueFigures> values(List<FunctionLatency> same) {
        return by(same).isEmpty() ? List.of() : ValueFigures.sums(same.stream().flatMap(f -> f.values().stream())).stream()
                .map(sum -> same.stream().anyMatch(f -> f.mayHaveCallsOf(sum.value())) ? sum.andPerhapsMore() : sum).toList();
    }

    private static String by(List<FunctionLatency> same) {
        String first = same.getFirst().function().by();
        return same.stream().allMatch(f -> f.function().by().equals(first)) ? first : "";
    }

    /** Not known for all if one host doesn't say it. */
    private static Optional<CallFates> fates(List<FunctionLatency> same) {
        return same.stream().allMatch(f -> f.fates().isPresent())
                ? same.stream().map(FunctionLatency::knownFates).reduce(CallFates::plus) : Optional.empty();
    }

    /** Without buckets if one host's were lost: otherwise percentiles of the rest would seem to be those of all. */
    private static Distribution sum(List<FunctionLatency> same, Function<FunctionLatency, Distribution> part) {
        Distribution.Builder builder = new Distribution.Builder();
        boolean whole = same.stream().allMatch(f -> part.apply(f).hasBuckets());
        for (FunctionLatency latency : same) {
            Distribution d = part.apply(latency);
            if (whole) {
                builder.add(d);
            } else {
                builder.addTotals(d.count(), d.totalNanos(), d.maxNanos());
            }
        }
        return builder.build();
    }

    private static ProbedFunction probed(int id, List<FunctionLatency> same) {
        ProbedFunction first = same.getFirst().function();
        String path = first.point().binary();
        String binary = same.stream().allMatch(f -> f.function().point().binary().equals(path)) ? path : fileName(path);
        ExitKind exit = same.stream().allMatch(f -> f.function().exit() == first.exit()) ? first.exit()
                : ExitKind.UNKNOWN;
        Mechanism mechanism = same.stream().allMatch(f -> f.function().mechanism().equals(first.mechanism()))
                ? first.mechanism() : Mechanism.UNKNOWN;
        return new ProbedFunction(id, first.name(), in(binary, first.point()), mechanism, measured(same),
                new ProbedFunction.Ends(exit, same.stream().flatMap(f -> f.function().ends().goesOnTo().stream()).distinct().toList(),
                        same.stream().anyMatch(f -> f.function().ends().forced())),
                new ProbedFunction.Cost(perCall(same, f -> f.function().cost().innerNanos()), perCall(same, f -> f.function().cost().callNanos())),
                same.stream().mapToInt(f -> f.function().inlinedPlaces()).max().orElse(0), waits(same), first.condition(), by(same),
                counted(same));
    }

    /** Not known of all where the hosts differ. */
    private static Waits.Told waits(List<FunctionLatency> same) {
        Waits.Told first = same.getFirst().function().waits();
        return same.stream().allMatch(f -> f.function().waits() == first) ? first : Waits.Told.UNKNOWN;
    }

    /** A metric that one host doesn't measure is not known for all. */
    private static Set<Metric> measured(List<FunctionLatency> same) {
        return same.stream().map(f -> f.function().measured()).reduce((one, other) ->
                one.stream().filter(other::contains).collect(Collectors.toSet())).orElseThrow();
    }

    private static ProbePoint in(String binary, ProbePoint point) {
        return switch (point) {
            case ProbePoint.UserFunction f -> new ProbePoint.UserFunction(binary, f.symbol(), f.address(), f.fileOffset(),
                    f.sizeBytes());
            case ProbePoint.Usdt usdt -> new ProbePoint.Usdt(binary, usdt.provider(), usdt.name());
            case ProbePoint.Unknown unknown -> new ProbePoint.Unknown(unknown.kind(), binary);
            case ProbePoint.KernelFunction _, ProbePoint.SystemCall _, ProbePoint.Tracepoint _ -> point;
        };
    }

    private static long perCall(List<FunctionLatency> same, ToLongFunction<FunctionLatency> nanos) {
        double calls = total(same, FunctionLatency::calls);
        return calls == 0 ? nanos.applyAsLong(same.getFirst())
                : Math.round(same.stream().mapToDouble(f -> f.calls() / calls * nanos.applyAsLong(f)).sum());
    }

    private static <T> long total(List<T> values, ToLongFunction<T> count) {
        return values.stream().mapToLong(count).sum();
    }

    private Losses losses() {
        return hosts.stream().map(LatencySnapshot::losses).reduce(Losses.NONE, Losses::plus);
    }

    /** A cost that one host doesn't know is not known for all. */
    private Overhead overhead() {
        double calls = total(hosts, MergedHosts::calls);
        boolean known = hosts.stream().allMatch(h -> calls(h) == 0 || h.overhead().perCallNanos() > 0);
        double perCall = hosts.stream().mapToDouble(h -> calls == 0 ? 0 : calls(h) / calls * h.overhead().perCallNanos())
                .sum();
        boolean shared = hosts.stream().allMatch(h -> h.overhead().process().isKnown());
        return new Overhead(known ? Math.round(perCall) : 0, hosts.stream().allMatch(h -> h.overhead().calibrated()),
                Optional.empty(), notes(Overhead::note), shared ? new ProcessShare(
                        total(hosts, h -> h.overhead().process().probesNanos()),
                        total(hosts, h -> h.overhead().process().processNanos()),
                        hosts.stream().map(h -> h.overhead().process().children()).reduce(ForkedChildren.NONE,
                                ForkedChildren::plus)) : ProcessShare.UNKNOWN, budget(), notes(Overhead::waitsNote));
    }

    /** The hosts' notes, each sentence once. */
    private String notes(Function<Overhead, String> note) {
        return hosts.stream().map(h -> note.apply(h.overhead())).filter(text -> !text.isEmpty()).distinct()
                .collect(Collectors.joining(" "));
    }

    /** The budget, if it is the same for all. */
    private Optional<Budget> budget() {
        Optional<Budget> first = hosts.getFirst().overhead().budget();
        return hosts.stream().allMatch(h -> h.overhead().budget().equals(first)) ? first : Optional.empty();
    }

    private static long calls(LatencySnapshot host) {
        return total(host.functions(), FunctionLatency::calls);
    }
}
