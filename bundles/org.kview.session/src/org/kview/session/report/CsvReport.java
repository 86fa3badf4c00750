// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

import org.kview.model.CallFates;
import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.Quantity;
import org.kview.model.SessionInfo;
import org.kview.model.Verdict;

/**
 * The report for spreadsheets, as RFC 4180 has it: a line of names, then a line a function, behind it one for each
 * value by which its figures are split, and where several hosts were recorded the same for each of them, too. Times are whole nanoseconds; a percentile
 * that was lost is an empty field, and so is what was not measured, as how many calls with a value were abandoned. Losses and problems have no
 * place in it: whoever writes it tells them elsewhere. What was counted beside time has columns of its own behind all others.
 */
public final class CsvReport {
    private CsvReport() {
    }

    public static String of(LatencySnapshot snapshot) {
        List<Quantity> quantities = snapshot.functions().stream().flatMap(f -> f.function().quantities().stream()).distinct().toList();
        StringBuilder csv = new StringBuilder(CsvLine.of(names(quantities)));
        lines(csv, snapshot, quantities);
        snapshot.hosts().forEach(host -> lines(csv, host, quantities));
        return csv.toString();
    }

    private static void lines(StringBuilder csv, LatencySnapshot figures, List<Quantity> quantities) {
        for (FunctionLatency latency : figures.functions()) {
            String by = latency.function().by();
            line(csv, latency, figures.info(), List.of(by, "", ""), quantities);
            List<FunctionLatency> values = latency.byValue();
            for (int i = 0; i < values.size(); i++) {
                CallValue value = latency.values().get(i).value();
                line(csv, values.get(i), figures.info(), List.of(by, value.text(), value.kind().id()), quantities);
            }
        }
    }

    private static void line(StringBuilder csv, FunctionLatency latency, SessionInfo info, List<String> split, List<Quantity> quantities) {
        List<String> fields = fields(latency, info);
        fields.addAll(split);
        quantities.forEach(quantity -> fields(fields, latency, quantity));
        csv.append(CsvLine.of(fields));
    }

    private static List<String> names(List<Quantity> quantities) {
        List<String> names = new ArrayList<>(List.of("function", "symbol", "binary", "calls", "abandoned",
                "unfinished"));
        Metric.OF_CALLS.forEach(metric -> names(names, metric));
        names.addAll(List.of("verdict_cause", "verdict_share", "verdict", "lost", "cut_calls", "removed_ns",
                "uncertain_ns", "notes", "host", "hits_per_s"));
        names(names, Metric.BETWEEN);
        names.addAll(List.of("by", "value", "value_kind"));
        for (Quantity quantity : quantities) {
            names.addAll(List.of(quantity.id() + "_count", quantity.id() + "_total"));
            Figures.PERCENTILES.forEach(p -> names.add(quantity.id() + "_p" + p));
            names.add(quantity.id() + "_max");
        }
        return names;
    }

    private static void names(List<String> names, Metric metric) {
        names.add(metric.id() + "_count");
        names.add(metric.id() + "_total_ns");
        names.add(metric.id() + "_mean_ns");
        Figures.PERCENTILES.forEach(p -> names.add(metric.id() + "_p" + p + "_ns"));
        names.add(metric.id() + "_max_ns");
    }

    private static void fields(List<String> fields, FunctionLatency latency, Metric metric) {
        if (!latency.isMeasured(metric)) {
            fields.addAll(Collections.nCopies(4 + Figures.PERCENTILES.size(), ""));
            return;
        }
        Distribution d = latency.distribution(metric);
        fields.add(Long.toString(d.count()));
        fields.add(Long.toString(d.totalNanos()));
        fields.add(Long.toString(Math.round(d.meanNanos())));
        percentiles(fields, d);
    }

    private static void fields(List<String> fields, FunctionLatency latency, Quantity quantity) {
        if (!latency.function().quantities().contains(quantity)) {
            fields.addAll(Collections.nCopies(3 + Figures.PERCENTILES.size(), ""));
            return;
        }
        Distribution d = latency.quantity(quantity);
        fields.add(Long.toString(d.count()));
        fields.add(Long.toString(d.totalNanos()));
        percentiles(fields, d);
    }

    /** And the greatest. */
    private static void percentiles(List<String> fields, Distribution d) {
        Figures.PERCENTILES.forEach(p -> {
            var value = Figures.percentile(d, p);
            fields.add(value.isPresent() ? Long.toString(Math.round(value.getAsDouble())) : "");
        });
        fields.add(Long.toString(d.maxNanos()));
    }

    /** What nobody counts by value. */
    private static String ofAll(FunctionLatency latency, long count) {
        return latency.function().isOfValue() ? "" : Long.toString(count);
    }

    private static List<String> fields(FunctionLatency latency, SessionInfo info) {
        List<String> fields = new ArrayList<>(List.of(latency.function().name(), latency.function().point().symbol(),
                latency.function().point().binary(), Long.toString(latency.calls()), ofAll(latency, latency.abandoned()),
                ofAll(latency, latency.unfinished())));
        Metric.OF_CALLS.forEach(metric -> fields(fields, latency, metric));
        Verdict verdict = Verdict.of(latency);
        fields.addAll(List.of(verdict.metric().id(), Double.toString(Math.round(verdict.share() * 1e4) / 1e4),
                verdict.text()));
        if (latency.fates().isPresent()) {
            CallFates fates = latency.fates().get();
            LongStream.of(fates.lost().total(), fates.cutCalls(), fates.cost().removedNanos())
                    .mapToObj(count -> ofAll(latency, count)).forEach(fields::add);
            fields.add(Long.toString(fates.cost().uncertainNanos()));
        } else {
            fields.addAll(Collections.nCopies(4, ""));
        }
        fields.addAll(List.of(String.join("; ", FunctionNotes.of(latency)), info.host()));
        OptionalDouble rate = latency.function().countsHits() ? Hits.perSecond(latency, info.duration()) : OptionalDouble.empty();
        fields.add(rate.isPresent() ? Double.toString(Math.round(rate.getAsDouble() * 1e3) / 1e3) : "");
        fields(fields, latency, Metric.BETWEEN);
        return fields;
    }
}
