// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;

import org.kview.chart.ChartTheme;
import org.kview.chart.Markup;
import org.kview.chart.SvgSurface;
import org.kview.model.Metric;

/**
 * An HTML report that is being written: its style, and what all reports are made of. Whatever is given
 * as text is escaped; only {@link #markup} goes in as it is.
 */
public final class HtmlPage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>%s</title>
            <style>
            :root{color-scheme:light dark;%s}
            @media (prefers-color-scheme:dark){:root{%s}}
            body{margin:0;background:var(--kview-background);color:var(--kview-text);\
            font:14px/1.45 system-ui,"DejaVu Sans",sans-serif}
            main{max-width:1400px;margin:0 auto;padding:24px}
            h1{font-size:20px;margin:0 0 4px;overflow-wrap:anywhere}
            h2{font-size:16px;margin:32px 0 2px;overflow-wrap:anywhere}
            p{margin:4px 0}
            a{color:inherit;text-decoration-color:var(--kview-axis);text-underline-offset:2px}
            table{border-collapse:collapse;margin:14px 0;font-variant-numeric:tabular-nums}
            th{text-align:left;font-weight:600;font-size:12px;color:var(--kview-muted);white-space:nowrap}
            th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--kview-grid);vertical-align:middle}
            .n{text-align:right;white-space:nowrap}
            .functions{width:100%%}
            .functions .name{overflow-wrap:anywhere;min-width:140px}
            .muted{color:var(--kview-muted);overflow-wrap:anywhere}
            .warnings{margin:14px 0;padding:10px 10px 10px 30px;border-left:4px solid #d55e00;\
            background:color-mix(in srgb,#d55e00 12%%,transparent);font-weight:600}
            .notes{margin:6px 0;padding-left:20px}
            .legend span{display:inline-block;margin:0 16px 4px 0;font-size:12px;color:var(--kview-muted)}
            i{display:inline-block;width:10px;height:10px;margin-right:6px;outline:1px solid var(--kview-axis)}
            .pair{display:flex;flex-wrap:wrap;gap:0 24px;align-items:flex-start}
            .pair table{font-size:13px}
            .pair th,.pair td{padding:3px 9px 3px 0}
            .picture{overflow-x:auto;margin-top:10px}
            svg{display:block}
            section{break-inside:avoid}
            %s</style></head><body><main>
            """;

    private final StringBuilder out = new StringBuilder();

    /**
     * Begins it, with the colours of both themes, so that nothing is loaded and no script runs.
     *
     * @param rules more of them for the style sheet
     */
    public HtmlPage(String title, String rules) {
        out.append(HEAD.formatted(Markup.escape(title), SvgSurface.themeCss(ChartTheme.LIGHT),
                SvgSurface.themeCss(ChartTheme.DARK), rules));
        markup("<h1>").text(title).markup("</h1>\n");
    }

    /** Ends it. @return all of it */
    public String end() {
        return markup("</main></body></html>\n").out.toString();
    }

    public HtmlPage markup(String markup) {
        out.append(markup);
        return this;
    }

    public HtmlPage text(String text) {
        return markup(Markup.escape(text));
    }

    /** @param strong whether it stands out */
    public HtmlPage text(String text, boolean strong) {
        return strong ? markup("<strong>").text(text).markup("</strong>") : text(text);
    }

    public HtmlPage heading(String text) {
        return markup("<h2>").text(text).markup("</h2>\n");
    }

    /** @param style a class of the style sheet */
    public HtmlPage paragraph(String style, String sentence) {
        return markup("<p class=\"" + style + "\">").text(sentence).markup("</p>\n");
    }

    /** Nothing where there are no sentences. @param style a class of the style sheet */
    public HtmlPage list(String style, List<String> sentences) {
        if (!sentences.isEmpty()) {
            markup("<ul class=\"" + style + "\">\n");
            sentences.forEach(sentence -> markup("<li>").text(sentence).markup("</li>\n"));
            markup("</ul>\n");
        }
        return this;
    }

    /** A table's cell that is aligned as numbers are. */
    public HtmlPage number(String text, boolean strong) {
        return markup("<td class=\"n\">").text(text, strong).markup("</td>");
    }

    /** What the colours stand for. */
    public HtmlPage legend(List<Metric> metrics) {
        markup("<p class=\"legend\">");
        metrics.forEach(metric -> markup("<span>").square(metric.rgb()).text(metric.label()).markup("</span>"));
        return markup("</p>\n");
    }

    /** A square of a colour, as legends have it. */
    public HtmlPage square(int rgb) {
        return markup(String.format("<i style=\"background:#%06x\"></i>", rgb));
    }
}
