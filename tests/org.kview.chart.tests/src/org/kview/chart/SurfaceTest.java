// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.kview.chart.Ink.Tone;
import org.w3c.dom.Document;

class SurfaceTest {

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void namesCantBreakOutOfAnSvg() throws Exception {
        SvgSurface surface = SvgSurface.file(100, 50, ChartTheme.LIGHT);
        String hostile = "</text><script>alert('1' & \"2\")</script>\u0000\u202e";
        surface.drawText(hostile, 1, 2, TextStyle.NORMAL);
        surface.tooltip(new Area(0, 0, 5, 5), hostile);
        Document document = parsed(surface.text());
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getElementsByTagName("text").item(0).getTextContent())
                .isEqualTo("</text><script>alert('1' & \"2\")</script>\ufffd\ufffd");
        assertThat(document.getElementsByTagName("title").getLength()).isEqualTo(1);
    }

    @Test
    void anSvgFileHasItsThemesColoursAndAPagesHasThePages() {
        SvgSurface file = SvgSurface.file(10, 10, ChartTheme.DARK);
        file.fillRectangle(new Area(0, 0, 5, 5), Tone.TEXT);
        assertThat(file.text()).contains("#1c1f24", "#e8eaed");
        SvgSurface embedded = SvgSurface.embedded(10, 10);
        embedded.fillRectangle(new Area(0, 0, 5, 5), Tone.TEXT);
        embedded.fillRectangle(new Area(0, 0, 5, 5), Ink.of(0x3465A4, 0.5));
        assertThat(embedded.text()).contains("fill:var(--kview-text)", "fill=\"#3465a4\" fill-opacity=\"0.5\"");
        assertThat(SvgSurface.themeCss(ChartTheme.LIGHT)).contains("--kview-text:#1f2328;");
    }

    @Test
    void numbersHaveTwoDecimalsAtMostAndColoursSixDigits() {
        SvgSurface surface = SvgSurface.embedded(10, 10);
        surface.drawLine(-0.051, 1.5, -2, 100.006, Stroke.solid(Ink.of(0x00000A), 0.125));
        surface.drawLine(0.999, -0.001, -12.34, 7, Stroke.solid(Ink.of(0xABCDEF), 1));
        assertThat(surface.text()).contains("x1=\"-0.05\" y1=\"1.5\" x2=\"-2\" y2=\"100.01\"", "stroke=\"#00000a\" stroke-width=\"0.13\"",
                "x1=\"1\" y1=\"0\" x2=\"-12.34\" y2=\"7\"", "stroke=\"#abcdef\" stroke-width=\"1\"");
    }

    @Test
    void whatIsClippedStaysInside() throws Exception {
        BufferedImage image = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        Java2dSurface surface = new Java2dSurface(graphics, ChartTheme.LIGHT);
        surface.clipped(new Area(0, 0, 10, 20), () -> surface.fillPolygon(List.of(new Surface.Point(0, 0),
                new Surface.Point(20, 0), new Surface.Point(20, 20), new Surface.Point(0, 20)), Ink.of(0xFF0000)));
        graphics.dispose();
        assertThat(image.getRGB(5, 5) & 0xFFFFFF).isEqualTo(0xFF0000);
        assertThat(image.getRGB(15, 5) & 0xFFFFFF).isZero();
        SvgSurface svg = SvgSurface.file(20, 20, ChartTheme.LIGHT);
        svg.clipped(new Area(0, 0, 10, 20), () -> svg.fillRectangle(new Area(0, 0, 20, 20), Tone.TEXT));
        assertThat(parsed(svg.text()).getElementsByTagName("svg").getLength()).isEqualTo(2);
    }

    @Test
    void textIsAnchoredWhereAsked() {
        assertThat(TextStyle.NORMAL.left(100, 30)).isEqualTo(100);
        assertThat(TextStyle.NORMAL.with(TextStyle.Anchor.MIDDLE).left(100, 30)).isEqualTo(85);
        assertThat(TextStyle.NORMAL.with(TextStyle.Anchor.END).left(100, 30)).isEqualTo(70);
    }

    @Test
    void estimatedWidthsAreNoNarrowerThanACommonFontsByMuch() {
        BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        Java2dSurface real = new Java2dSurface(graphics, ChartTheme.LIGHT);
        SvgSurface estimated = SvgSurface.embedded(1, 1);
        for (String text : List.of("wall p99 4.18 ms", "price_basket wall-clock · 18,204 calls", "100 µs")) {
            assertThat(estimated.textWidth(text, TextStyle.SMALL))
                    .isBetween(real.textWidth(text, TextStyle.SMALL) * 0.85, real.textWidth(text, TextStyle.SMALL) * 1.4);
        }
        graphics.dispose();
    }

    @Test
    void aLegendBreaksIntoRows() {
        RecordingSurface surface = new RecordingSurface();
        Legend legend = new Legend(List.of(new Legend.Entry(Ink.of(0), "first entry"),
                new Legend.Entry(Ink.of(0), "second entry"), new Legend.Entry(Ink.of(0), "third entry")));
        assertThat(legend.height(surface, 1000)).isEqualTo(Legend.ROW_HEIGHT);
        assertThat(legend.height(surface, 130)).isEqualTo(3 * Legend.ROW_HEIGHT);
        assertThat(new Legend(List.of()).height(surface, 100)).isZero();
        legend.draw(surface, new Area(0, 0, 130, 60));
        assertThat(surface.texts).extracting(RecordingSurface.DrawnText::baseline).doesNotHaveDuplicates();
    }
}
