// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import org.kview.calls.CallBox.Range;
import org.kview.calls.CallField;
import org.kview.calls.CallQueries;
import org.kview.calls.Pyramid;
import org.kview.calls.Pyramid.HeatMap;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencyFormat;
import org.kview.session.read.SessionReader;

/** What can be asked of a {@link SessionCallStore} while it is open. Each call has a number, from 0. */
public final class StoredSession {
    /** A damaged session may claim that it began in any millennium: more than this there is no start. */
    private static final long MOST_SECONDS = TimeUnit.NANOSECONDS.toSeconds(StorePart.LARGE);

    private final List<StorePart> parts;
    private final boolean several;
    private final long startNanos;
    private final List<String> findings;
    /** Its clauses; asked for when somebody looks. */
    private final Optional<Supplier<String>> soFar;
    private final Optional<Supplier<String>> reached;

    /**
     * The last of the parts is not whole.
     *
     * @param hosts    how many there are to be
     * @param recorded whether the others are still being recorded, and not only stored
     * @param late     how many events came so late, while it is recorded, that they are left out
     * @param anew     why they are stored anew, in a clause, if they were stored while they were recorded
     */
    record Unfinished(int hosts, BooleanSupplier recorded, long late, Optional<String> anew) {

        /** While it is recorded. */
        static Unfinished live(BooleanSupplier recorded, long late) {
            return new Unfinished(1, recorded, late, Optional.empty());
        }
    }

    /** @param unfinished empty if all calls are there */
    StoredSession(SessionReader session, List<StorePart> parts, Optional<Unfinished> unfinished) {
        this.parts = List.copyOf(parts);
        CallFindings found = new CallFindings(session.snapshot());
        session.hostsWithoutEvents().forEach(found::without);
        several = !session.snapshot().hosts().isEmpty();
        Instant start = session.snapshot().info().start();
        startNanos = TimeUnit.SECONDS.toNanos(Math.clamp(start.getEpochSecond(), -MOST_SECONDS, MOST_SECONDS)) + start.getNano();
        for (StorePart part : parts) {
            found.read(several ? part.host().target() + ": " : "", part.host().events(), part.store().findings(),
                    unfinished.isEmpty() || part != parts.getLast());
        }
        findings = found.ofCalls();
        reached = unfinished.flatMap(how -> parts.getLast().time()
                .map(time -> () -> reached(how, time.most(), session.snapshot().info().duration())));
        soFar = unfinished.flatMap(how -> reached.map(until -> () -> until.get() + ". Figures are of these; " + others(how) + "."));
    }

    private static String others(Unfinished how) {
        return how.recorded().getAsBoolean() ? "the recording goes on" : how.anew().isEmpty() ? "the others are still being stored"
                : "all are stored anew, as " + how.anew().get();
    }

    private String reached(Unfinished how, long lastNanos, Duration duration) {
        int hosts = how.hosts();
        boolean recorded = how.recorded().getAsBoolean();
        long until = Math.max(0, lastNanos - startNanos);
        String reached = "until " + LatencyFormat.nanos(until)
                + (!recorded && until < duration.toNanos() ? " of " + LatencyFormat.nanos(duration.toNanos()) : "");
        String target = parts.getLast().host().target();
        String which = !several ? "Calls " + reached
                : parts.size() == 1 ? "Calls of " + target + " " + reached + ", the first of " + hosts + " hosts"
                : "Calls of " + (parts.size() - 1) + " of " + hosts + " hosts, and of " + target + " those " + reached;
        String late = how.late() == 0 ? "" : ", without " + LatencyFormat.count(how.late()) + (how.late() == 1 ? " event" : " events")
                + " that came too late";
        return which + late;
    }

    /** What is there so far, in one sentence, if not all calls are: {@link org.kview.model.SafeText}. */
    public Optional<String> soFar() {
        return soFar.map(Supplier::get);
    }

    /** Which calls are there, in one clause, if not all are: {@link org.kview.model.SafeText}. */
    public Optional<String> reached() {
        return reached.map(Supplier::get);
    }

    List<StorePart> parts() {
        return parts;
    }

    /** Whether it was recorded on several hosts. */
    boolean isOfSeveral() {
        return several;
    }

    /** When its recording began, of several hosts the first of them: in ns since 1970, as {@link StoredCall#time()}. */
    long startNanos() {
        return startNanos;
    }

    /** How many calls there are. */
    public int calls() {
        return parts.stream().mapToInt(part -> (int) part.store().calls()).sum();
    }

    /** Sentences for what is missing of the calls, or not known of them, most serious first. */
    public List<String> findings() {
        return findings;
    }

    /** When the first call was entered and the last one returned, in ns since 1970; empty if there are none. */
    public Optional<Range> time(Optional<String> target) {
        List<Range> times = parts.stream().filter(part -> part.isOf(CallSelector.ALL.withTarget(target)))
                .flatMap(part -> part.time().stream()).toList();
        return times.isEmpty() ? Optional.empty()
                : Optional.of(new Range(times.stream().mapToLong(Range::least).min().getAsLong(),
                        times.stream().mapToLong(Range::most).max().getAsLong()));
    }

    /**
     * How many of the selected calls returned when, and how long they took. Each count is exact; the first and the last slot of
     * time may begin before the selected time and end after it.
     *
     * @param mostBins into how many slots of time at most
     * @param wanted asked now and then: whether to go on
     * @return with times in ns since 1970; without slots if there are no calls in the selected time
     * @throws java.util.concurrent.CancellationException if it is not wanted any more
     */
    public HeatMap heatMap(CallSelector selector, int mostBins, BooleanSupplier wanted) {
        List<StorePart> chosen = parts.stream().filter(part -> part.isOf(selector)).toList();
        Optional<Range> all = time(selector.target());
        if (all.isEmpty() || selector.ends().least() > all.get().most() || selector.ends().most() < all.get().least()) {
            return new HeatMap(0, 1, new long[0][]);
        }
        if (chosen.size() == 1) {
            return chosen.getFirst().heatMap(selector, mostBins, wanted);
        }
        // What was counted beforehand has slots of each host's own clock.
        long from = Math.max(selector.ends().least(), all.get().least());
        long to = Math.min(selector.ends().most(), all.get().most()) + 1;
        int shift = Pyramid.shift(from, to, mostBins);
        HeatMap sum = new HeatMap(from >> shift << shift, 1L << shift,
                new long[(int) Pyramid.bins(from, to, shift)][LatencyBuckets.COUNT]);
        chosen.forEach(part -> part.addTo(sum, selector, shift, wanted));
        return sum;
    }

    /**
     * How long the selected calls took: the same buckets and totals as the session's figures have of them.
     *
     * @param wanted as with {@link #heatMap}
     */
    public Distribution distribution(CallSelector selector, BooleanSupplier wanted) {
        Distribution.Builder sum = new Distribution.Builder();
        for (StorePart part : parts) {
            if (part.isOf(selector)) {
                sum.add(new CallQueries(part.store()).distribution(part.box(selector), wanted));
            }
        }
        return sum.build();
    }

    /** The names of threads that called, or woke one that did; {@link org.kview.model.SafeText}. */
    public List<String> threads() {
        return parts.stream().flatMap(part -> part.store().texts().stream()).filter(name -> !name.isEmpty()).map(CallHost::shown)
                .distinct().sorted().toList();
    }

    /** The call of a number. */
    public StoredCall call(int number) {
        return part(number).call(number);
    }

    CallRow row(int number) {
        return part(number).row(number);
    }

    private StorePart part(int number) {
        StorePart found = parts.getFirst();
        for (StorePart part : parts) {
            found = part.firstIndex() <= number ? part : found;
        }
        return found;
    }

    /**
     * The numbers of calls in an order.
     *
     * @param progress hears now and then how many calls were looked at; says whether to go on
     * @throws java.util.concurrent.CancellationException if that is no longer wanted
     */
    public CallList list(CallSelector selector, CallFilter filter, CallOrder order, LongPredicate progress) {
        return new CallListing(parts, selector, Long.MAX_VALUE, filter, order, progress).list();
    }

    /**
     * The first of the calls that {@link #list} lists by {@link CallOrder#SLOWEST_FIRST} without a filter, in the same order: found
     * long before all of them are sorted.
     *
     * @param most   of them at most
     * @param wanted as with {@link #heatMap}
     */
    public CallList slowest(CallSelector selector, int most, BooleanSupplier wanted) {
        record Slow(int number, long wallNanos) {
        }

        List<Slow> found = new ArrayList<>();
        for (StorePart part : parts) {
            if (part.isOf(selector)) {
                for (long row : new CallQueries(part.store()).slowest(part.box(selector), most, wanted)) {
                    found.add(new Slow(part.firstIndex() + (int) row, part.store().value(row, CallField.WALL)));
                }
            }
        }
        found.sort(Comparator.comparingLong(Slow::wallNanos).reversed().thenComparingInt(Slow::number));
        List<Slow> first = found.subList(0, Math.min(most, found.size()));
        Distribution.Builder wall = new Distribution.Builder();
        first.forEach(slow -> wall.add(slow.wallNanos()));
        return new CallList(first.stream().mapToInt(Slow::number).toArray(), first.size(), wall.build());
    }

    /**
     * The calls that ran in a stretch of time, the longest first: also those that were entered before it, or returned after it.
     *
     * @param selector   but for its times
     * @param time       in ns since 1970
     * @param leastNanos shorter ones are left out
     * @param progress   as with {@link #list}
     */
    public CallList running(CallSelector selector, Range time, long leastNanos, LongPredicate progress) {
        CallSelector returned = selector.withEnds(new Range(time.least(), Long.MAX_VALUE)).withWall(new Range(leastNanos, Long.MAX_VALUE));
        return new CallListing(parts, returned, time.most(), CallFilter.ALL, CallOrder.SLOWEST_FIRST, progress).list();
    }

    /**
     * What the threads that made calls did in a stretch of time between their switches, also where they were in no call.
     *
     * @param selector   its host and threads
     * @param time       in ns since 1970
     * @param leastNanos shorter states can't be told apart, and are summed up
     * @param wanted     as with {@link #heatMap}
     */
    public StoredStates states(CallSelector selector, Range time, long leastNanos, BooleanSupplier wanted) {
        return StoredStates.of(parts, selector, time, leastNanos, wanted);
    }

    /**
     * What is different about some of the selected calls: about those that returned in a stretch of time and took a range of
     * latencies, held against the rest.
     *
     * @param of       all of them
     * @param ends     in ns since 1970
     * @param progress as with {@link #list}
     */
    public TailReasons.Found reasons(CallSelector of, Range ends, Range wall, LongPredicate progress) {
        return TailReasons.of(parts, of, ends, wall, progress);
    }

    /** Some calls as {@code kview calls --csv} writes them. */
    public String csv(int[] numbers) {
        CallForm form = CallForm.csv();
        StringBuilder text = new StringBuilder(form.header(parts.stream().map(StorePart::host).toList(), parts.size() > 1));
        for (int number : numbers) {
            text.append(form.row(row(number)));
        }
        return text.toString();
    }
}
