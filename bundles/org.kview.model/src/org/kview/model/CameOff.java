// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Functions whose probes were removed before the recording's end: which, when and why, in sentences. */
public final class CameOff {
    private static final int NAMED = 5;
    private static final String OF_CPU_TIME = " of the process's CPU time";

    private CameOff() {
    }

    /** Whether the probes of this function were removed. */
    public static boolean is(FunctionLatency latency) {
        return latency.knownFates().probesOff().isPresent();
    }

    /** To follow "its probes": "came off after 46 ms, when they took 41 % of the process's CPU time". */
    public static Optional<String> note(FunctionLatency latency) {
        return latency.knownFates().probesOff().map(off -> mark(off) + (off.share() > 0
                ? ", when they took " + percent(off.share()) + OF_CPU_TIME : ": " + reason(off)));
    }

    /** The same in few words: "came off after 46 ms". */
    public static Optional<String> mark(FunctionLatency latency) {
        return latency.knownFates().probesOff().map(CameOff::mark);
    }

    /**
     * The message while recording: "after 46 ms the probes of f (41 % of the process's CPU time) came off, to keep to
     * the budget of 5 %; its figures end there". One sentence for all that were removed for one reason at one time.
     */
    public static List<String> news(List<FunctionLatency> functions, Optional<Budget> budget) {
        return byReason(functions, off -> off.after() + (off.share() > 0 ? "" : off.why())).values().stream().map(same -> {
            CallFates.ProbesOff first = off(same.getFirst());
            return first.after().map(after -> "after " + time(after) + " ").orElse("") + "the probes of "
                    + names(same, CameOff::share) + " came off"
                    + (first.share() > 0 ? why(budget) : ": " + reason(first)) + "; " + (same.size() == 1 ? "its" : "their")
                    + " figures end there";
        }).toList();
    }

    /** The message for a whole recording: when the probes of each were removed, and what to do about it. */
    public static List<String> summary(LatencySnapshot snapshot) {
        Duration whole = snapshot.info().duration();
        List<String> sentences = new ArrayList<>();
        byReason(snapshot.functions(), off -> off.share() > 0 ? "" : off.why()).values().forEach(same -> {
            CallFates.ProbesOff first = off(same.getFirst());
            boolean over = first.share() > 0;
            sentences.add("The probes of " + names(same, (off, named) -> when(off, whole, named)) + " came off"
                    + (over ? why(snapshot.overhead().budget()) : ": " + reason(first)) + ". " + (same.size() == 1
                            ? "Its figures end" : "Their figures end") + " there, so totals do not compare with those of other"
                    + " functions." + (over ? " To measure " + (same.size() == 1 ? "it" : "them")
                            + " for longer, choose fewer functions or another budget (--budget none sets no limit)." : ""));
        });
        return sentences;
    }

    private interface Key {
        String of(CallFates.ProbesOff off);
    }

    private interface Beside {
        /** @param first whether it follows the first name: what is true of all is said only there */
        String of(CallFates.ProbesOff off, boolean first);
    }

    /** The most expensive first. */
    private static Map<String, List<FunctionLatency>> byReason(List<FunctionLatency> functions, Key key) {
        Map<String, List<FunctionLatency>> groups = new LinkedHashMap<>();
        functions.stream().filter(CameOff::is)
                .sorted(Comparator.comparingDouble((FunctionLatency f) -> off(f).share()).reversed())
                .forEach(f -> groups.computeIfAbsent(key.of(off(f)), _ -> new ArrayList<>()).add(f));
        return groups;
    }

    private static CallFates.ProbesOff off(FunctionLatency latency) {
        return latency.knownFates().probesOff().orElseThrow();
    }

    /** "a (41 %), b (3 %) and 4 more". */
    private static String names(List<FunctionLatency> functions, Beside beside) {
        List<String> named = functions.stream().limit(NAMED).map(f -> f.function().name()
                + beside.of(off(f), f == functions.getFirst())).toList();
        String shown = named.size() == functions.size() && named.size() > 1
                ? String.join(", ", named.subList(0, named.size() - 1)) + " and " + named.getLast()
                : String.join(", ", named);
        return shown + (functions.size() > NAMED ? " and " + LatencyFormat.count(functions.size() - NAMED) + " more" : "");
    }

    private static String share(CallFates.ProbesOff off, boolean first) {
        return off.share() > 0 ? " (" + percent(off.share()) + (first ? OF_CPU_TIME : "") + ")" : "";
    }

    private static String when(CallFates.ProbesOff off, Duration whole, boolean first) {
        String after = off.after().map(d -> "after " + time(d) + (first ? " of " + time(whole) : "")).orElse("");
        String share = off.share() > 0 ? percent(off.share()) + (first ? OF_CPU_TIME : "") : "";
        String both = after + (after.isEmpty() || share.isEmpty() ? "" : ", ") + share;
        return both.isEmpty() ? "" : " (" + both + ")";
    }

    private static String mark(CallFates.ProbesOff off) {
        return "came off" + off.after().map(after -> " after " + time(after)).orElse(" before the end");
    }

    private static String why(Optional<Budget> budget) {
        return ", to keep to the budget" + budget.filter(Budget::isLimited).map(b -> " of " + b.text()).orElse("");
    }

    /** The agent's sentence without its full stop, and without what these sentences say anyway. */
    private static String reason(CallFates.ProbesOff off) {
        return off.why().replaceFirst("(: (they|its probes) came off)?[.]$", "");
    }

    private static String time(Duration duration) {
        return LatencyFormat.nanos(duration.toNanos());
    }

    /** Some per cent differ from others here. */
    private static String percent(double share) {
        return share < 0.1 && share > 0.0005 ? String.format(Locale.ROOT, "%.2g %%", share * 100) : LatencyFormat.percent(share);
    }
}
