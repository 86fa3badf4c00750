// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What a function's calls waited for, and who woke their threads. Calls that have no end yet count as well. Empty where nobody asked for it. */
public record Waits(List<Wait> all) {
    public static final Waits NONE = new Waits(List.of());
    /** How many of the wakers and locks of one cause are named. */
    private static final int NAMED = 3;
    /** What has a smaller share of a cause's waits is not named in a verdict. */
    private static final double MOST = 0.5;
    private static final double NEARLY_ALL = 0.95;
    /** Functions of the kernel, of several versions, in which threads wait for whatever comes first. */
    private static final Set<String> POLLS = Set.of("core_sys_select", "do_epoll_wait", "do_poll", "do_pselect", "do_select", "do_sys_poll",
            "ep_poll");

    /** Whether a recording tells what a function's calls wait for. If it does and has no waits, then none was seen. */
    public enum Told {
        /** Not known: in sessions of older versions, in traces of other tools, and where several hosts differ in this. */
        UNKNOWN,
        /** They are told. */
        YES,
        /** Nobody asked for it, or it can't be told by how the function is measured. */
        NO
    }

    /** How many of the waits for sockets and pipes wait for whichever of several becomes ready first. */
    enum Polled {
        FEW, MOST, NEARLY_ALL
    }

    /** A name, and how long threads waited for what it names, or until that woke them. */
    private record Part(String name, long nanos, long count) {
        private Part plus(Part other) {
            return new Part(name, CallFates.sum(nanos, other.nanos), CallFates.sum(count, other.count));
        }
    }

    public Waits {
        all = List.copyOf(all);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Both together: they are of two hosts, so threads and locks of one number are not the same. */
    public Waits plus(Waits other) {
        List<Wait> both = new ArrayList<>(all);
        both.addAll(other.all);
        return new Waits(both);
    }

    /**
     * A sentence for each cause, the longest first: who woke its waits, and of locks, which these are, or else in which function
     * of the kernel it waited; which files, pipes or sockets it waited with; and one if the kernel does not show the names of its functions.
     *
     * @param timed by cause, how long calls waited that have a time: where all waits together were longer, others waited as well
     */
    public List<String> sentences(ToLongFunction<Metric> timed) {
        Map<Metric, Long> causes = new LinkedHashMap<>();
        all.forEach(wait -> causes.merge(wait.cause(), wait.nanos(), CallFates::sum));
        List<String> sentences = new ArrayList<>();
        causes.entrySet().stream().sorted(Map.Entry.<Metric, Long>comparingByValue(Comparator.reverseOrder()))
                .forEach(each -> sentences.add(sentence(each.getKey())
                        + (each.getValue() > timed.applyAsLong(each.getKey()) ? "; calls without a time waited as well" : "")));
        if (hasPlace(WaitPlace.Kind.HIDDEN)) {
            // Where several hosts are together, some of them may show the names.
            sentences.add("the kernel does not show the names of its functions to the agent's user, so where in it "
                    + (hasPlace(WaitPlace.Kind.STACK) || hasPlace(WaitPlace.Kind.OTHERS) ? "some of them" : "they") + " waited was not told");
        }
        return sentences;
    }

    private boolean hasPlace(WaitPlace.Kind kind) {
        return all.stream().anyMatch(wait -> wait.place().kind() == kind);
    }

    private String sentence(Metric cause) {
        String locks = all.stream().anyMatch(wait -> wait.cause() == cause && wait.hasLock())
                ? "; locks: " + text(parts(cause, Wait::hasLock, Wait::lockText)) : "";
        List<Part> places = parts(cause, Waits::isNamedByPlace, wait -> wait.place().text());
        List<Part> calls = calls(cause);
        List<Part> holders = holders(cause);
        List<Part> program = parts(cause, wait -> !wait.program().text().isEmpty(), wait -> wait.program().text());
        return cause.label() + ", woken by " + text(parts(cause, _ -> true, wait -> wait.waker().text())) + locks
                + (holders.isEmpty() ? "" : "; held by " + text(holders))
                + (places.isEmpty() ? "" : "; in " + text(places)) + (calls.isEmpty() ? "" : "; system calls: " + text(calls))
                + (program.isEmpty() ? "" : "; in the program at " + text(program));
    }

    /** If the lock is known, it adds nothing to say in which function a thread waits for it. */
    private static boolean isNamedByPlace(Wait wait) {
        return !wait.hasLock() && !wait.place().text().isEmpty();
    }

    /**
     * What a verdict on this cause adds: ", for cache_lock, mostly behind thread 17 (worker), in flush", or who woke it if nobody knows who held it: ",
     * for cache_lock, mostly woken by thread 17 (worker)", or ", in pipe_read", or
     * ", in read of pipe (descriptor 3), there in pipe_read"; empty where no single lock, place or thread has most of it, and no descriptor
     * nearly all. A thread may have waited for something else than what the descriptor is open for: that the place says.
     *
     * @param causeNanos what calls waited for it in all: some waits may not have been seen
     */
    String inVerdict(Metric cause, long causeNanos) {
        long whole = whole(cause, causeNanos);
        return most(parts(cause, Wait::hasLock, Wait::lockText), whole).map(part -> ", for " + part.name).orElse("")
                + oneCall(cause, whole).map(waits -> ", in " + waits.all.getFirst().call().text()
                        + waits.place(cause, whole, wait -> !POLLS.contains(wait.place().text()), ", there "))
                        .orElseGet(() -> place(cause, whole, _ -> true, ", "))
                + most(holders(cause), whole).map(part -> mostly(part, whole, "behind ")).orElseGet(() -> wokenBy(cause, whole));
    }

    private List<Part> holders(Metric cause) {
        return parts(cause, wait -> wait.holder().isPresent(), wait -> wait.holder().orElseThrow().text());
    }

    private static String mostly(Part part, long whole, String what) {
        return (part.nanos >= NEARLY_ALL * whole ? ", " : ", mostly ") + what + part.name;
    }

    private String wokenBy(Metric cause, long whole) {
        return most(parts(cause, wait -> wait.waker().kind() == Waker.Kind.THREAD, wait -> wait.waker().text()), whole)
                .map(part -> mostly(part, whole, "woken by ")).orElse("");
    }

    /** The waits in the system call that has nearly all of a cause with one descriptor: several may have one text. */
    private Optional<Waits> oneCall(Metric cause, long whole) {
        return all.stream().filter(wait -> wait.cause() == cause && wait.call().descriptor().isPresent())
                .collect(Collectors.groupingBy(wait -> wait.call().withoutWatched())).values().stream().map(Waits::new)
                .filter(waits -> waits.nanos() > 0 && waits.nanos() >= NEARLY_ALL * whole).findFirst();
    }

    private long nanos() {
        return all.stream().mapToLong(Wait::nanos).reduce(0, CallFates::sum);
    }

    /** Empty where no place has most of it. */
    private String place(Metric cause, long whole, Predicate<Wait> which, String before) {
        return most(parts(cause, which.and(Waits::isWorthTelling), wait -> wait.place().text()), whole)
                .map(part -> before + "in " + part.name).orElse("");
    }

    /** If several descriptors have the same text, it says how many there are. */
    private List<Part> calls(Metric cause) {
        Map<String, Set<WaitCall>> different = all.stream().filter(wait -> wait.cause() == cause).map(Wait::call)
                .collect(Collectors.groupingBy(WaitCall::text, Collectors.mapping(WaitCall::withoutWatched, Collectors.toSet())));
        return parts(cause, wait -> wait.call().hasDescriptor(), wait -> wait.call().text(different.get(wait.call().text()).size()));
    }

    /** It tells a user nothing that a sleeping thread is in hrtimer_nanosleep or common_nsleep; that it reads from a timerfd does. */
    private static boolean isWorthTelling(Wait wait) {
        String place = wait.place().text();
        return wait.place().kind() == WaitPlace.Kind.STACK && isNamedByPlace(wait) && !place.contains("nanosleep") && !place.contains("nsleep");
    }

    private long whole(Metric cause, long causeNanos) {
        return Math.max(causeNanos,
                all.stream().filter(wait -> wait.cause() == cause).mapToLong(Wait::nanos).reduce(0, CallFates::sum));
    }

    /** How much of the cause network was spent waiting for the first of several to become ready, not for one socket or pipe. */
    Polled polled(long causeNanos) {
        long polled = all.stream().filter(wait -> wait.cause() == Metric.NETWORK && POLLS.contains(wait.place().text()))
                .mapToLong(Wait::nanos).reduce(0, CallFates::sum);
        double whole = whole(Metric.NETWORK, causeNanos);
        return polled <= MOST * whole ? Polled.FEW : polled < NEARLY_ALL * whole ? Polled.MOST : Polled.NEARLY_ALL;
    }

    private static Optional<Part> most(List<Part> parts, long whole) {
        return parts.stream().findFirst().filter(part -> part.nanos > 0 && part.nanos > MOST * whole);
    }

    private List<Part> parts(Metric cause, Predicate<Wait> which, Function<Wait, String> name) {
        Map<String, Part> parts = all.stream().filter(wait -> wait.cause() == cause).filter(which)
                .map(wait -> new Part(name.apply(wait), wait.nanos(), wait.count()))
                .collect(Collectors.toMap(Part::name, Function.identity(), Part::plus, LinkedHashMap::new));
        return parts.values().stream().sorted(Comparator.comparingLong(Part::nanos).reversed()).toList();
    }

    private static String text(List<Part> parts) {
        List<String> texts = new ArrayList<>();
        parts.stream().limit(NAMED).forEach(part -> texts.add(part.name + ": " + times(part)));
        parts.stream().skip(NAMED).reduce(Part::plus).ifPresent(rest -> texts.add((parts.size() - NAMED) + " more: " + times(rest)));
        return String.join(", ", texts);
    }

    private static String times(Part part) {
        return LatencyFormat.nanos(part.nanos) + " in " + LatencyFormat.count(part.count) + (part.count == 1 ? " wait" : " waits");
    }
}
