// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.chart.Area;
import org.kview.chart.DistributionChart;
import org.kview.chart.Markup;
import org.kview.chart.SvgSurface;
import org.kview.compare.Change;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.QuantityChanges;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.session.report.HtmlPage;
import org.kview.session.report.SessionText;
import org.kview.statistics.Statistic;

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
    /** On paper: in landscape, and small enough for all columns. */
    private static final String PRINT_STYLE = """
            tr{break-inside:avoid}
            @page{size:A4 landscape;margin:10mm}
            @media print{body{font-size:10px}main{padding:0}th{font-size:9px}th,td{padding:2px 6px 2px 0}\
            .pair{flex-wrap:nowrap}.pair table{font-size:9px}.picture svg{width:560px;height:auto}}
            """;
    private static final List<Statistic> COLUMNS = List.of(Statistic.P50, Statistic.P90, Statistic.P99, Statistic.MEAN);
    private static final int SPREAD_WIDTH = 120;
    private static final int SPREAD_HEIGHT = 18;

    private final Comparison comparison;
    private final Map<FunctionComparison, String> names;
    private final HtmlPage page;
    private final QuantityChanges quantities;

    private ComparisonHtml(Comparison comparison) {
        this.comparison = comparison;
        names = ComparisonText.names(comparison);
        quantities = QuantityChanges.of(comparison);
        page = new HtmlPage(comparison.nameA() + " → " + comparison.nameB(), PRINT_STYLE);
    }

    public static String of(Comparison comparison) {
        return new ComparisonHtml(comparison).write();
    }

    private String write() {
        side("A", comparison.recordingsA());
        side("B", comparison.recordingsB());
        page.list("warnings", comparison.warnings())
                .markup("<p>").text(ComparisonText.summary(comparison), true).markup("</p>\n");
        if (!comparison.functions().isEmpty()) {
            table();
            page.legend(Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL).toList());
        }
        only("Only in A", comparison.onlyA());
        only("Only in B", comparison.onlyB());
        only("In B among other values", comparison.amongOthersB());
        only("In A among other values", comparison.amongOthersA());
        for (int i = 0; i < Math.min(MOST_PICTURES, comparison.functions().size()); i++) {
            card(i, comparison.functions().get(i));
        }
        if (comparison.functions().size() > MOST_PICTURES) {
            page.paragraph("muted", "Pictures of the " + MOST_PICTURES + " functions that changed most; the table has all.");
        }
        return page.heading("How changes were judged").list("notes", ComparisonText.method(comparison)).end();
    }

    private void side(String letter, List<Comparison.Recorded> recordings) {
        for (Comparison.Recorded recording : recordings) {
            SessionText text = new SessionText(recording.figures());
            page.markup("<p class=\"muted\">").square(ComparisonPictures.rgb(letter.equals("A"))).text(letter, true)
                    .text(" " + recording.name() + ": " + text.title() + ", " + text.recorded()).markup("</p>\n");
        }
    }

    private void table() {
        page.markup("<table class=\"functions\"><thead><tr><th>Function</th><th class=\"n\">Calls A → B</th><th class=\"n\">Total a second A → B</th>");
        COLUMNS.forEach(s -> page.markup("<th class=\"n\">").markup(s.id()).markup(" A → B</th>"));
        page.markup("<th>Mean call, A over B</th><th>Verdict</th></tr></thead>\n<tbody>\n");
        for (int i = 0; i < comparison.functions().size(); i++) {
            FunctionComparison function = comparison.functions().get(i);
            String name = Markup.escape(names.get(function));
            page.markup("<tr><td class=\"name\">")
                    .markup(i < MOST_PICTURES ? "<a href=\"#f" + i + "\">" + name + "</a>" : name).markup("</td>");
            page.number(LatencyFormat.count(function.pair().a().calls()) + " → "
                    + LatencyFormat.count(function.pair().b().calls()), false);
            for (Statistic statistic : Stream.concat(Stream.of(Statistic.TOTAL), COLUMNS.stream()).toList()) {
                Change change = function.wall().get(statistic);
                page.markup("<td class=\"n\">").text(ComparisonText.value(change, true) + " → "
                        + ComparisonText.value(change, false)).markup("<br/>")
                        .text(ComparisonText.difference(change), change.isBeyondNoise()).markup("</td>");
            }
            SvgSurface bars = SvgSurface.embedded(BARS_WIDTH, BARS_HEIGHT);
            ComparisonPictures.drawBars(function.pair(), bars, new Area(0, 0, BARS_WIDTH, BARS_HEIGHT));
            page.markup("<td>").markup(bars.text()).markup("</td><td>")
                    .text(ComparisonText.verdict(comparison, function), function.differs());
            ComparisonText.marks(function).forEach(marks -> page.markup("<br/>").text(marks));
            page.markup("</td></tr>\n");
        }
        page.markup("</tbody></table>\n");
    }

    private void card(int index, FunctionComparison function) {
        page.markup("<section id=\"f" + index + "\">").heading(names.get(function))
                .paragraph("muted", function.pair().b().function().point().binary())
                .markup("<p>").text(ComparisonText.verdict(comparison, function), true).markup("</p>\n");
        ComparisonText.quantities(quantities, function).forEach(line -> page.paragraph("muted", line));
        ComparisonText.marks(function).forEach(marks -> page.paragraph("muted", marks));
        if (!function.pair().note().isEmpty()) {
            page.paragraph("muted", function.pair().note());
        }
        SvgSurface picture = SvgSurface.embedded(CHART_WIDTH, CHART_HEIGHT);
        DistributionChart.of(ComparisonPictures.series(function.pair())).withTooltips()
                .draw(picture, new Area(0, 0, CHART_WIDTH, CHART_HEIGHT));
        page.markup("<div class=\"pair\"><div class=\"picture\">").markup(picture.text()).markup("</div>\n");
        changes(function);
        page.markup("</div></section>\n");
    }

    private static String max(FunctionLatency latency) {
        return latency.wall().isEmpty() ? "–" : LatencyFormat.nanos(latency.wall().maxNanos());
    }

    private void changes(FunctionComparison function) {
        page.markup("""
                <table><thead><tr><th>Wall-clock</th><th class="n">A</th><th class="n">B</th><th class="n">Difference</th>\
                <th class="n"></th><th class="n">95 % interval</th><th></th>""")
                .markup(comparison.isPair() ? "" : "<th>Recordings, A over B</th>").markup("</tr></thead><tbody>\n");
        for (Statistic statistic : Statistic.RATES) {
            page.markup("<tr><td>");
            row(ComparisonText.label(statistic) + " a second", function.wall().get(statistic));
        }
        for (Statistic statistic : COLUMNS) {
            page.markup("<tr><td>");
            row(statistic.id(), function.wall().get(statistic));
        }
        if (ComparisonText.isMeasured(function, Statistic.UNDISTURBED)) {
            page.markup("<tr><td>");
            row(ComparisonText.label(Statistic.UNDISTURBED), function.wall().get(Statistic.UNDISTURBED));
        }
        page.markup("<tr><td>max</td>");
        page.number(max(function.pair().a()), false);
        page.number(max(function.pair().b()), false);
        page.markup("<td colspan=\"" + (comparison.isPair() ? 4 : 5) + "\"></td></tr>\n");
        page.markup("<tr><th colspan=\"" + (comparison.isPair() ? 7 : 8) + "\">Mean of all calls, by what it was spent on</th></tr>\n");
        function.perCall().forEach((metric, change) -> {
            page.markup("<tr><td>").square(metric.rgb());
            row(metric.label(), change);
        });
        page.markup("</tbody></table>\n");
    }

    /** The rest of a row whose first cell is begun. */
    private void row(String title, Change change) {
        page.text(title).markup("</td>");
        page.number(ComparisonText.value(change, true), false);
        page.number(ComparisonText.value(change, false), false);
        page.number(ComparisonText.difference(change), change.isBeyondNoise());
        page.number(ComparisonText.relative(change), change.isBeyondNoise());
        page.number(ComparisonText.interval(change), false);
        page.markup("<td>").text(ComparisonText.outcome(comparison, change), change.isBeyondNoise()).markup("</td>");
        if (!comparison.isPair()) {
            SvgSurface spread = SvgSurface.embedded(SPREAD_WIDTH, SPREAD_HEIGHT);
            ComparisonPictures.drawSpread(change, spread, new Area(0, 0, SPREAD_WIDTH, SPREAD_HEIGHT));
            page.markup("<td>").markup(spread.text()).markup("</td>");
        }
        page.markup("</tr>\n");
    }

    private void only(String title, List<FunctionLatency> functions) {
        if (!functions.isEmpty()) {
            page.paragraph("muted", title + ": " + functions.stream().map(f -> f.function().name())
                    .collect(Collectors.joining(", ")));
        }
    }
}
