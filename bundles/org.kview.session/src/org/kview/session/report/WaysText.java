// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Cost;
import org.kview.model.ComparedWays.Way;
import org.kview.model.CostToOthers.Interval;
import org.kview.model.LatencyFormat;

/** What ways to record cost on a host, in words. */
public final class WaysText {
    private static final double MICROSECOND = 1000;
    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd, HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ComparedWays compared;
    private final long callsEachSecond;

    /** @param callsEachSecond for what a machine would be short of that makes so many */
    public WaysText(ComparedWays compared, long callsEachSecond) {
        this.compared = compared;
        this.callsEachSecond = callsEachSecond;
    }

    /** Of the lines. */
    public List<String> headings() {
        return headings(callsEachSecond);
    }

    public static List<String> headings(long callsEachSecond) {
        return List.of("Way", "The recorded process, a call", "Others, a call", "Others, a switch",
                "Others, " + LatencyFormat.count(callsEachSecond) + " calls/s");
    }

    /** One for each way. */
    public List<List<String>> lines() {
        return compared.ways().stream().map(this::line).toList();
    }

    private List<String> line(Way way) {
        if (way.costs().isEmpty()) {
            return List.of(way.kind().label(), "–", "–", "–", "–");
        }
        Cost call = way.costs().getFirst();
        return List.of(way.kind().label(), more(call.traced()), more(call.others()),
                way.costs().size() > 1 ? more(way.costs().get(1).others()) : "–", call.others().map(this::cpus).orElse("–"));
    }

    /** What was measured and how, and which ways are missing, each with what would bring it; a sentence each. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        measured().map(Cost::operation).findFirst().ifPresent(call -> sentences.add(
                call + " took " + nanos(measured().mapToDouble(Cost::untouchedNanos).sorted().skip(measured().count() / 2).findFirst()
                        .orElse(0)) + " on this host (" + compared.target() + ", Linux " + compared.kernel() + ") before a way was attached. "
                        + "Two processes of the agent's own made that call in turn, one of them recorded, in at least "
                        + measured().mapToInt(Cost::rounds).min().orElse(0) + " rounds of each way, and as many before and after"
                        + " it; all ways in turn. A range holds what these rounds show and is no probability; where it holds 0, the"
                        + " cost is not told apart from nothing. What other programs have attached to system calls or context switches"
                        + " there is in all of these figures."
                        + " Compared on " + WHEN.format(compared.begun()) + "."));
        compared.ways().stream().filter(way -> !way.missing().isEmpty()).forEach(way -> sentences.add(way.kind().label() + ": "
                + way.missing()));
        compared.ways().stream().filter(way -> !way.note().isEmpty()).forEach(way -> sentences.add(way.kind().label() + ": " + way.note()));
        compared.ways().stream().filter(way -> way.kind().isForComparisonOnly()).findFirst().ifPresent(way -> sentences.add(
                way.kind().label() + ": for comparison only, no recording is made so."));
        return sentences;
    }

    private Stream<Cost> measured() {
        return compared.ways().stream().flatMap(way -> way.costs().stream().limit(1));
    }

    private String cpus(Interval more) {
        if (!more.isToldApart()) {
            return "–";
        }
        double share = ComparedWays.cpus(more.nanos(), callsEachSecond) * 100;
        return share < 0 ? "–" : LatencyFormat.fixed(share, share < 10 ? 1 : 0) + " % of a CPU";
    }

    /** "+146.2 ns (+140.1 ns to +151.0 ns)". */
    public static String more(Optional<Interval> more) {
        return more.map(interval -> (!interval.isToldApart() ? "nothing seen" : signed(interval.nanos())) + " (" + signed(interval.lowNanos())
                + " to " + signed(interval.highNanos()) + ")").orElse("too few rounds");
    }

    private static String signed(double nanos) {
        return (nanos < 0 ? "−" : "+") + nanos(Math.abs(nanos));
    }

    /** With tenths of ns: what is added may be less than one. */
    private static String nanos(double nanos) {
        return nanos < MICROSECOND ? LatencyFormat.fixed(nanos, 1) + " ns" : LatencyFormat.nanos(nanos);
    }

    /** Numbers for a spreadsheet, in ns. */
    public String csv() {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("way", "operation", "process", "untouched_ns", "more_ns", "low_ns", "high_ns",
                "missing")));
        for (Way way : compared.ways()) {
            if (way.costs().isEmpty()) {
                csv.append(CsvLine.of(List.of(way.kind().id(), "", "", "", "", "", "", way.missing())));
            }
            for (Cost cost : way.costs()) {
                append(csv, way, cost, "recorded", cost.traced());
                append(csv, way, cost, "other", cost.others());
            }
        }
        return csv.toString();
    }

    private static void append(StringBuilder csv, Way way, Cost cost, String process, Optional<Interval> more) {
        csv.append(CsvLine.of(List.of(way.kind().id(), cost.operation(), process, tenths(cost.untouchedNanos()),
                more.map(interval -> tenths(interval.nanos())).orElse(""), more.map(interval -> tenths(interval.lowNanos())).orElse(""),
                more.map(interval -> tenths(interval.highNanos())).orElse(""), "")));
    }

    private static String tenths(double nanos) {
        return LatencyFormat.fixed(nanos, 1);
    }
}
