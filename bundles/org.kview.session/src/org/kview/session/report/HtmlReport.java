// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.kview.chart.Area;
import org.kview.chart.BreakdownBar;
import org.kview.chart.DistributionChart;
import org.kview.chart.Markup;
import org.kview.chart.SvgSurface;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.Quantity;
import org.kview.model.Verdict;

/**
 * The report for a browser: one file that needs nothing else, runs no script, and follows the
 * reader's choice of a light or dark page.
 */
public final class HtmlReport {
    /** Each picture takes some 30 KB. */
    private static final int MOST_PICTURES = 50;
    private static final int BAR_WIDTH = 220;
    private static final int BAR_HEIGHT = 14;
    private static final int CHART_WIDTH = 690;
    private static final int CHART_HEIGHT = 250;

    private final LatencySnapshot snapshot;
    private final HostFigures hosts;
    private final SessionText text;
    private final Map<Integer, String> names;
    private final List<FunctionLatency> functions;
    private final List<FunctionLatency> hits;
    private final HtmlPage page;
    private final Consumer<HtmlPage> calls;

    private HtmlReport(LatencySnapshot snapshot, Consumer<HtmlPage> calls) {
        this.snapshot = snapshot;
        this.calls = calls;
        hosts = new HostFigures(snapshot);
        text = new SessionText(snapshot);
        names = Figures.names(snapshot);
        functions = Figures.byTime(snapshot);
        hits = Hits.of(snapshot);
        page = new HtmlPage(text.title(), "");
    }

    public static String of(LatencySnapshot snapshot) {
        return of(snapshot, _ -> { });
    }

    /** @param calls writes what is told of single calls */
    public static String of(LatencySnapshot snapshot, Consumer<HtmlPage> calls) {
        return new HtmlReport(snapshot, calls).write();
    }

    private String write() {
        page.paragraph("muted", text.recorded()).list("warnings", text.warnings());
        table();
        page.legend(Hits.areAllOf(snapshot) ? List.of(Metric.BETWEEN) : Metric.OF_CALLS);
        functions.stream().limit(MOST_PICTURES).filter(f -> !NeverCalled.is(f)).forEach(this::card);
        hits.stream().limit(MOST_PICTURES).filter(f -> !NeverCalled.is(f)).forEach(this::card);
        if (functions.size() > MOST_PICTURES) {
            page.paragraph("muted", "Pictures of the " + MOST_PICTURES + " functions that took most time; the table has all.");
        }
        calls.accept(page);
        page.heading("Cost and method of this recording");
        if (snapshot.hosts().isEmpty()) {
            others(text.cost(), snapshot);
        } else {
            page.list("notes", text.cost());
        }
        snapshot.hosts().forEach(host -> {
            page.paragraph("muted", host.info().target());
            others(List.of(), host);
        });
        return page.list("notes", text.method()).end();
    }

    /** @param before sentences that come first */
    private void others(List<String> before, LatencySnapshot host) {
        OthersText others = new OthersText(host);
        page.list("notes", Stream.concat(before.stream(), others.sentences().stream()).toList());
        if (others.lines().isEmpty()) {
            return;
        }
        page.markup("<table><thead><tr>");
        OthersText.HEADINGS.forEach(heading -> page.markup("<th>").text(heading).markup("</th>"));
        page.markup("</tr></thead><tbody>\n");
        others.lines().forEach(line -> {
            page.markup("<tr><td>").text(line.getFirst()).markup("</td>");
            line.subList(1, line.size() - 1).forEach(this::number);
            page.markup("<td>").text(line.getLast()).markup("</td></tr>\n");
        });
        page.markup("</tbody></table>\n");
    }

    private void table() {
        if (!functions.isEmpty()) {
            functions();
        }
        if (!hits.isEmpty()) {
            hits();
        }
        if (snapshot.functions().isEmpty()) {
            page.paragraph("muted", "No function was probed.");
        }
        NeverCalled.line(snapshot).ifPresent(line -> page.paragraph("muted", line));
    }

    private String name(FunctionLatency latency, List<FunctionLatency> all) {
        int id = latency.function().id();
        String name = Markup.escape(names.get(id));
        return all.indexOf(latency) < MOST_PICTURES && !NeverCalled.is(latency) ? "<a href=\"#f" + id + "\">" + name + "</a>" : name;
    }

    private void hits() {
        hitsHeader(Hits.heading(hits));
        hits.forEach(latency -> hitsRow(latency, name(latency, hits), snapshot));
        page.markup("</tbody></table>\n");
    }

    private void hitsHeader(String first) {
        page.markup("<table class=\"functions\"><thead><tr><th>").markup(first).markup("""
                </th><th class="n">Hits</th><th class="n">a second</th><th class="n">Time between a thread's hits: p50</th>\
                <th class="n">p90</th><th class="n">p99</th><th class="n">max</th><th>Notes</th></tr></thead><tbody>
                """);
    }

    /** @param name as markup */
    private void hitsRow(FunctionLatency latency, String name, LatencySnapshot of) {
        page.markup("<tr><td class=\"name\">").markup(name).markup("</td>");
        number(LatencyFormat.count(latency.calls()));
        number(Hits.perSecondText(latency, of.info().duration()));
        Figures.PERCENTILES.forEach(p -> number(Figures.percentileText(latency.between(), p)));
        number(Figures.maxText(latency.between()));
        page.markup("<td>").text(FunctionNotes.marks(latency).orElse("")).markup("</td></tr>\n");
    }

    private void functions() {
        header("Function");
        for (FunctionLatency latency : functions) {
            row(latency, name(latency, functions));
        }
        page.markup("</tbody></table>\n");
    }

    private void header(String first) {
        page.markup("<table class=\"functions\"><thead><tr><th>").markup(first).markup("""
                </th><th class="n">Calls</th><th class="n">Total</th>\
                <th class="n">Wall p50</th><th class="n">p90</th><th class="n">p99</th><th class="n">max</th>\
                <th class="n">CPU p50</th><th class="n">p99</th><th>Where the time went</th><th>Verdict</th></tr></thead>
                <tbody>
                """);
    }

    /** @param name as markup */
    private void row(FunctionLatency latency, String name) {
        page.markup("<tr><td class=\"name\">").markup(name).markup("</td>");
        number(LatencyFormat.count(latency.calls()));
        number(Figures.totalText(latency.wall()));
        Figures.PERCENTILES.forEach(p -> number(Figures.percentileText(latency.wall(), p)));
        number(Figures.maxText(latency.wall()));
        number(Figures.onCpuText(latency, 50));
        number(Figures.onCpuText(latency, 99));
        SvgSurface bar = SvgSurface.embedded(BAR_WIDTH, BAR_HEIGHT);
        BreakdownBar.of(latency).draw(bar, new Area(0, 0, BAR_WIDTH, BAR_HEIGHT));
        page.markup("<td>").markup(bar.text()).markup("</td><td>")
                .text(FunctionNotes.verdict(latency)).markup("</td></tr>\n");
    }

    private void card(FunctionLatency latency) {
        page.markup("<section id=\"f" + latency.function().id() + "\">").heading(latency.function().name())
                .paragraph("muted", latency.function().point().binary())
                .markup("<p>").text(Verdict.of(latency).text(), true).markup("</p>\n");
        FunctionNotes.of(latency).forEach(note -> page.paragraph("muted", note));
        SvgSurface picture = SvgSurface.embedded(CHART_WIDTH, CHART_HEIGHT);
        DistributionChart.of(Figures.series(latency)).withTooltips().draw(picture, new Area(0, 0, CHART_WIDTH, CHART_HEIGHT));
        page.markup("<div class=\"pair\"><div class=\"picture\">").markup(picture.text()).markup("</div>\n");
        breakdown(latency);
        page.markup("</div>\n");
        quantities(latency);
        byValue(latency);
        byHost(latency);
        page.markup("</section>\n");
    }

    private void byValue(FunctionLatency latency) {
        if (latency.values().isEmpty()) {
            return;
        }
        header(Markup.escape("By " + latency.function().by()));
        List<FunctionLatency> values = latency.byValue();
        for (int i = 0; i < values.size(); i++) {
            row(values.get(i), Markup.escape(latency.values().get(i).value().text()));
        }
        page.markup("</tbody></table>\n");
    }

    private void byHost(FunctionLatency latency) {
        List<HostFigures.OnHost> parts = hosts.of(latency);
        if (!parts.isEmpty() && latency.function().countsHits()) {
            hitsHeader("Host");
            snapshot.hosts().forEach(host -> host.functions().stream()
                    .filter(part -> MergedHosts.isSame(part.function(), latency.function()))
                    .forEach(part -> hitsRow(part, Markup.escape(host.info().target()), host)));
            page.markup("</tbody></table>\n");
        } else if (!parts.isEmpty()) {
            header("Host");
            parts.forEach(part -> row(part.latency(), Markup.escape(part.target())));
            page.markup("</tbody></table>\n");
        }
    }

    private void breakdown(FunctionLatency latency) {
        if (latency.wall().isEmpty()) {
            return;
        }
        page.markup("""
                <table><thead><tr><th>Time</th><th class="n">Calls with it</th><th class="n">Total</th>\
                <th class="n">Share</th><th class="n">Mean</th><th class="n">p50</th><th class="n">p90</th>\
                <th class="n">p99</th><th class="n">max</th></tr></thead><tbody>
                """);
        for (Metric metric : Metric.OF_CALLS) {
            Distribution d = latency.distribution(metric);
            if (d.isEmpty()) {
                continue;
            }
            page.markup("<tr><td>").square(metric.rgb()).text(metric.label()).markup("</td>");
            number(LatencyFormat.count(d.count()));
            number(Figures.totalText(d));
            number(LatencyFormat.percent(latency.share(metric)));
            number(LatencyFormat.nanos(d.meanNanos()));
            Figures.PERCENTILES.forEach(p -> number(Figures.percentileText(d, p)));
            number(Figures.maxText(d));
            page.markup("</tr>\n");
        }
        page.markup("</tbody></table>\n");
    }

    private void quantities(FunctionLatency latency) {
        if (latency.function().quantities().isEmpty() || latency.wall().isEmpty()) {
            return;
        }
        page.markup("""
                <table><thead><tr><th>Beside time</th><th class="n">Calls with it</th><th class="n">Total</th>\
                <th class="n">A call</th><th class="n">p50</th><th class="n">p90</th>\
                <th class="n">p99</th><th class="n">max</th></tr></thead><tbody>
                """);
        for (Quantity quantity : latency.function().quantities()) {
            Distribution d = latency.quantity(quantity);
            page.markup("<tr><td>").text(quantity.title()).markup("</td>");
            number(LatencyFormat.count(d.count()) + (quantity.of().isEmpty() ? "" : " " + quantity.of()));
            number(quantity.text(d.totalNanos()));
            number(quantity.text(latency.perCall(quantity)));
            Figures.PERCENTILES.forEach(p -> number(QuantityText.percentile(d, quantity, p)));
            number(d.isEmpty() ? Figures.NONE : quantity.text(d.maxNanos()));
            page.markup("</tr>\n");
        }
        page.markup("</tbody></table>\n");
        QuantityText.perCycle(latency).ifPresent(text -> page.markup("<p>").text(text).markup("</p>\n"));
    }

    private void number(String cell) {
        page.number(cell, false);
    }
}
