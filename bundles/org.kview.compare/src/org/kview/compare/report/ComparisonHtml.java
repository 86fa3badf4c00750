/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.chart.Area;
import org.kview.chart.DistributionChart;
import org.kview.chart.Markup;
import org.kview.chart.SvgSurface;
import org.kview.compare.Change;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.Statistic;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.report.HtmlStyle;
import org.kview.session.report.SessionText;

/**
 * The comparison for a browser: one file that needs nothing else, runs no script, and follows the
 * reader's choice of a light or dark page.
 */
public final class ComparisonHtml {
    /** Each picture takes some 40 KB. */
    private static final int MOST_PICTURES = 50;
    private static final int BARS_WIDTH = 160;
    private static final int BARS_HEIGHT = 30;
    private static final int CHART_WIDTH = 690;
    private static final int CHART_HEIGHT = 250;
    /** On paper: across, and small enough for all columns. */
    private static final String PRINT_STYLE = """
            tr{break-inside:avoid}
            @page{size:A4 landscape;margin:10mm}
            @media print{body{font-size:10px}main{padding:0}th{font-size:9px}th,td{padding:2px 6px 2px 0}\
            .pair{flex-wrap:nowrap}.pair table{font-size:9px}.picture svg{width:560px;height:auto}}
            """;
    private static final List<Statistic> COLUMNS = List.of(Statistic.P50, Statistic.P90, Statistic.P99, Statistic.MEAN);

    private final Comparison comparison;
    private final Map<FunctionComparison, String> names;
    private final StringBuilder out = new StringBuilder();

    private ComparisonHtml(Comparison comparison) {
        this.comparison = comparison;
        names = ComparisonText.names(comparison);
    }

    public static String of(Comparison comparison) {
        ComparisonHtml report = new ComparisonHtml(comparison);
        report.page();
        return report.out.toString();
    }

    private void page() {
        String title = comparison.nameA() + " → " + comparison.nameB();
        out.append(HtmlStyle.head(title, PRINT_STYLE)).append("<h1>").append(Markup.escape(title)).append("</h1>\n");
        side("A", comparison.nameA(), comparison.a());
        side("B", comparison.nameB(), comparison.b());
        list("warnings", comparison.warnings());
        out.append("<p><strong>").append(Markup.escape(ComparisonText.summary(comparison))).append("</strong></p>\n");
        if (!comparison.functions().isEmpty()) {
            table();
            legend();
        }
        only("Only in A", comparison.onlyA());
        only("Only in B", comparison.onlyB());
        for (int i = 0; i < Math.min(MOST_PICTURES, comparison.functions().size()); i++) {
            card(i, comparison.functions().get(i));
        }
        if (comparison.functions().size() > MOST_PICTURES) {
            paragraph("muted", "Pictures of the " + MOST_PICTURES + " functions that changed most; the table has all.");
        }
        out.append("<h2>How changes were judged</h2>\n");
        list("notes", ComparisonText.method());
        out.append("</main></body></html>\n");
    }

    private void side(String letter, String name, LatencySnapshot figures) {
        SessionText text = new SessionText(figures);
        out.append("<p class=\"muted\">").append(square(ComparisonPictures.rgb(letter.equals("A"))))
                .append("<strong>").append(letter).append("</strong> ")
                .append(Markup.escape(name + ": " + text.title() + ", " + text.recorded())).append("</p>\n");
    }

    private void table() {
        out.append("<table class=\"functions\"><thead><tr><th>Function</th><th class=\"n\">Calls A → B</th>");
        COLUMNS.forEach(s -> out.append("<th class=\"n\">").append(s.id()).append(" A → B</th>"));
        out.append("<th>Mean call, A over B</th><th>Verdict</th></tr></thead>\n<tbody>\n");
        for (int i = 0; i < comparison.functions().size(); i++) {
            FunctionComparison function = comparison.functions().get(i);
            String name = Markup.escape(names.get(function));
            out.append("<tr><td class=\"name\">")
                    .append(i < MOST_PICTURES ? "<a href=\"#f" + i + "\">" + name + "</a>" : name).append("</td>");
            cell(LatencyFormat.count(function.pair().a().calls()) + " → "
                    + LatencyFormat.count(function.pair().b().calls()), false);
            for (Statistic statistic : COLUMNS) {
                Change change = function.wall().get(statistic);
                out.append("<td class=\"n\">").append(Markup.escape(ComparisonText.value(change, true) + " → "
                        + ComparisonText.value(change, false))).append("<br/>")
                        .append(emphasised(ComparisonText.difference(change), change.isBeyondNoise())).append("</td>");
            }
            SvgSurface bars = SvgSurface.embedded(BARS_WIDTH, BARS_HEIGHT);
            ComparisonPictures.drawBars(function.pair(), bars, new Area(0, 0, BARS_WIDTH, BARS_HEIGHT));
            out.append("<td>").append(bars.text()).append("</td><td>")
                    .append(emphasised(ComparisonText.verdict(function), function.headline().isPresent()))
                    .append("</td></tr>\n");
        }
        out.append("</tbody></table>\n");
    }

    private void legend() {
        out.append("<p class=\"legend\">");
        for (Metric metric : Metric.values()) {
            if (metric != Metric.WALL) {
                out.append("<span>").append(square(metric.rgb())).append(Markup.escape(metric.label())).append("</span>");
            }
        }
        out.append("</p>\n");
    }

    private void card(int index, FunctionComparison function) {
        out.append("<section id=\"f").append(index).append("\"><h2>").append(Markup.escape(names.get(function)))
                .append("</h2>\n");
        paragraph("muted", function.pair().b().function().binary());
        out.append("<p>").append(emphasised(ComparisonText.verdict(function), true)).append("</p>\n");
        if (!function.pair().note().isEmpty()) {
            paragraph("muted", function.pair().note());
        }
        SvgSurface picture = SvgSurface.embedded(CHART_WIDTH, CHART_HEIGHT);
        DistributionChart.of(ComparisonPictures.series(function.pair())).withTooltips()
                .draw(picture, new Area(0, 0, CHART_WIDTH, CHART_HEIGHT));
        out.append("<div class=\"pair\"><div class=\"picture\">").append(picture.text()).append("</div>\n");
        changes(function);
        out.append("</div></section>\n");
    }

    private void changes(FunctionComparison function) {
        out.append("""
                <table><thead><tr><th>Wall-clock</th><th class="n">A</th><th class="n">B</th><th class="n">Change</th>\
                <th class="n"></th><th class="n">95 % interval</th><th></th></tr></thead><tbody>
                """);
        COLUMNS.forEach(s -> row(Markup.escape(s.id()), function.wall().get(s)));
        out.append("<tr><td>max</td>");
        cell(LatencyFormat.nanos(function.pair().a().wall().maxNanos()), false);
        cell(LatencyFormat.nanos(function.pair().b().wall().maxNanos()), false);
        out.append("<td colspan=\"4\"></td></tr>\n");
        out.append("<tr><th colspan=\"7\">Mean of all calls, by what it was spent on</th></tr>\n");
        function.perCall().forEach((metric, change) -> row(square(metric.rgb()) + Markup.escape(metric.label()), change));
        out.append("</tbody></table>\n");
    }

    private void row(String title, Change change) {
        out.append("<tr><td>").append(title).append("</td>");
        cell(ComparisonText.value(change, true), false);
        cell(ComparisonText.value(change, false), false);
        cell(ComparisonText.difference(change), change.isBeyondNoise());
        cell(ComparisonText.relative(change), change.isBeyondNoise());
        cell(ComparisonText.interval(change), false);
        out.append("<td>").append(emphasised(change.significance().label(), change.isBeyondNoise()))
                .append("</td></tr>\n");
    }

    private void only(String title, List<FunctionLatency> functions) {
        if (!functions.isEmpty()) {
            paragraph("muted", title + ": " + functions.stream().map(f -> f.function().name())
                    .collect(Collectors.joining(", ")));
        }
    }

    private static String square(int rgb) {
        return String.format("<i style=\"background:#%06x\"></i>", rgb);
    }

    private static String emphasised(String text, boolean strong) {
        return strong ? "<strong>" + Markup.escape(text) + "</strong>" : Markup.escape(text);
    }

    private void cell(String text, boolean strong) {
        out.append("<td class=\"n\">").append(emphasised(text, strong)).append("</td>");
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
