/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.report;

import java.util.List;
import java.util.Map;

import org.kview.chart.Area;
import org.kview.chart.BreakdownBar;
import org.kview.chart.DistributionChart;
import org.kview.chart.DistributionSeries;
import org.kview.chart.Markup;
import org.kview.chart.SvgSurface;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
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
    private final SessionText text;
    private final Map<Integer, String> names;
    private final List<FunctionLatency> functions;
    private final StringBuilder out = new StringBuilder();

    private HtmlReport(LatencySnapshot snapshot) {
        this.snapshot = snapshot;
        text = new SessionText(snapshot);
        names = Figures.names(snapshot);
        functions = Figures.byTime(snapshot);
    }

    public static String of(LatencySnapshot snapshot) {
        HtmlReport report = new HtmlReport(snapshot);
        report.page();
        return report.out.toString();
    }

    private void page() {
        out.append(HtmlStyle.head(text.title()));
        out.append("<h1>").append(Markup.escape(text.title())).append("</h1>\n");
        paragraph("muted", text.recorded());
        list("warnings", text.warnings());
        table();
        legend();
        functions.stream().limit(MOST_PICTURES).forEach(this::card);
        if (functions.size() > MOST_PICTURES) {
            paragraph("muted", "Pictures of the " + MOST_PICTURES + " functions that took most time; the table has all.");
        }
        out.append("<h2>Cost and method of this recording</h2>\n");
        list("notes", text.cost());
        list("notes", text.method());
        out.append("</main></body></html>\n");
    }

    private void table() {
        header("Function");
        for (FunctionLatency latency : functions) {
            int id = latency.function().id();
            String name = Markup.escape(names.get(id));
            row(latency, functions.indexOf(latency) < MOST_PICTURES ? "<a href=\"#f" + id + "\">" + name + "</a>" : name);
        }
        out.append("</tbody></table>\n");
        if (functions.isEmpty()) {
            paragraph("muted", "No function was probed.");
        }
    }

    private void header(String first) {
        out.append("<table class=\"functions\"><thead><tr><th>").append(first).append("""
                </th><th class="n">Calls</th><th class="n">Total</th>\
                <th class="n">Wall p50</th><th class="n">p90</th><th class="n">p99</th><th class="n">max</th>\
                <th class="n">CPU p50</th><th class="n">p99</th><th>Where the time went</th><th>Verdict</th></tr></thead>
                <tbody>
                """);
    }

    /** @param name as markup */
    private void row(FunctionLatency latency, String name) {
        out.append("<tr><td class=\"name\">").append(name).append("</td>");
        number(LatencyFormat.count(latency.calls()));
        number(Figures.totalText(latency.wall()));
        Figures.PERCENTILES.forEach(p -> number(Figures.percentileText(latency.wall(), p)));
        number(Figures.maxText(latency.wall()));
        number(Figures.percentileText(latency.onCpu(), 50));
        number(Figures.percentileText(latency.onCpu(), 99));
        SvgSurface bar = SvgSurface.embedded(BAR_WIDTH, BAR_HEIGHT);
        BreakdownBar.of(latency).draw(bar, new Area(0, 0, BAR_WIDTH, BAR_HEIGHT));
        out.append("<td>").append(bar.text()).append("</td><td>")
                .append(Markup.escape(Verdict.of(latency).text())).append("</td></tr>\n");
    }

    private void legend() {
        out.append("<p class=\"legend\">");
        for (Metric metric : Metric.values()) {
            out.append("<span>").append(square(metric)).append(Markup.escape(metric.label())).append("</span>");
        }
        out.append("</p>\n");
    }

    private void card(FunctionLatency latency) {
        out.append("<section id=\"f").append(latency.function().id()).append("\"><h2>")
                .append(Markup.escape(latency.function().name())).append("</h2>\n");
        paragraph("muted", latency.function().binary());
        out.append("<p><strong>").append(Markup.escape(Verdict.of(latency).text())).append("</strong></p>\n");
        Figures.withoutTime(latency).ifPresent(sentence -> paragraph("muted", sentence));
        SvgSurface picture = SvgSurface.embedded(CHART_WIDTH, CHART_HEIGHT);
        DistributionChart.of(List.of(DistributionSeries.of(latency, Metric.WALL).withLabel(Metric.WALL.label()),
                DistributionSeries.of(latency, Metric.ON_CPU).withLabel(Metric.ON_CPU.label())))
                .withTooltips().draw(picture, new Area(0, 0, CHART_WIDTH, CHART_HEIGHT));
        out.append("<div class=\"pair\"><div class=\"picture\">").append(picture.text()).append("</div>\n");
        breakdown(latency);
        out.append("</div>\n");
        byHost(latency);
        out.append("</section>\n");
    }

    private void byHost(FunctionLatency latency) {
        List<Figures.OnHost> parts = Figures.byHost(snapshot, latency);
        if (!parts.isEmpty()) {
            header("Host");
            parts.forEach(part -> row(part.latency(), Markup.escape(part.target())));
            out.append("</tbody></table>\n");
        }
    }

    private void breakdown(FunctionLatency latency) {
        if (latency.wall().isEmpty()) {
            return;
        }
        out.append("""
                <table><thead><tr><th>Time</th><th class="n">Calls with it</th><th class="n">Total</th>\
                <th class="n">Share</th><th class="n">Mean</th><th class="n">p50</th><th class="n">p90</th>\
                <th class="n">p99</th><th class="n">max</th></tr></thead><tbody>
                """);
        for (Metric metric : Metric.values()) {
            Distribution d = latency.distribution(metric);
            if (d.isEmpty()) {
                continue;
            }
            out.append("<tr><td>").append(square(metric)).append(Markup.escape(metric.label())).append("</td>");
            number(LatencyFormat.count(d.count()));
            number(Figures.totalText(d));
            number(LatencyFormat.percent(latency.share(metric)));
            number(LatencyFormat.nanos(d.meanNanos()));
            Figures.PERCENTILES.forEach(p -> number(Figures.percentileText(d, p)));
            number(Figures.maxText(d));
            out.append("</tr>\n");
        }
        out.append("</tbody></table>\n");
    }

    private static String square(Metric metric) {
        return String.format("<i style=\"background:#%06x\"></i>", metric.rgb());
    }

    private void number(String cell) {
        out.append("<td class=\"n\">").append(Markup.escape(cell)).append("</td>");
    }

    private void paragraph(String style, String sentence) {
        out.append("<p class=\"").append(style).append("\">").append(Markup.escape(sentence)).append("</p>\n");
    }

    private void list(String style, List<String> sentences) {
        if (!sentences.isEmpty()) {
            out.append("<ul class=\"").append(style).append("\">\n");
            sentences.forEach(sentence -> out.append("<li>").append(Markup.escape(sentence)).append("</li>\n"));
            out.append("</ul>\n");
        }
    }
}
