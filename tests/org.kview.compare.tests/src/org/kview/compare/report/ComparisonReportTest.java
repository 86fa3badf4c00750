// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.kview.compare.Change;
import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.Recordings;
import org.kview.compare.Recordings.Shape;
import org.kview.compare.Significance;
import org.kview.model.Distribution;
import org.kview.model.Metric;
import org.kview.session.report.TableStyle;
import org.kview.statistics.Statistic;
import org.xml.sax.InputSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class ComparisonReportTest {
    private static final Shape SHAPE = new Shape(20, 100, 1e6, 0.5, 0, 0);
    private static final String HOSTILE = "</title><script>alert(1)</script>\u001b[2J\"&";

    private final Recordings recordings = new Recordings(3);

    private Comparison hostile() {
        return Comparer.compare(Recordings.hostile(HOSTILE, recordings.slices(SHAPE)),
                Recordings.hostile(HOSTILE, recordings.slices(SHAPE.times(3))));
    }

    @Test
    void ofManyNamesThatOneSideAloneHasSomeAreNamed() {
        Distribution one = new Distribution.Builder().add(1_000).build();
        Map<Long, Distribution> values = LongStream.range(0, 30).boxed().collect(Collectors.toMap(value -> value, _ -> one));
        Comparison comparison = Comparer.compare(Recordings.split("arg1", List.of(one), values), Recordings.split("arg1", List.of(one), Map.of(30L, one)));
        String table = ComparisonTable.of(comparison, TableStyle.PLAIN).replaceAll("\\s+", " ");
        assertThat(table).contains(" and 10 more (--json has all)", "Only in B: handle · arg1 = 30 ");
    }

    @Test
    void namesAreNoMarkupAndSteerNoTerminal() throws Exception {
        String html = ComparisonHtml.of(hostile());
        assertThat(html).doesNotContain("<script").doesNotContain("\u001b").contains("&lt;script&gt;");
        // With a closing tag for each opening one it is XML, apart from its first line.
        var page = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(html.substring(html.indexOf("<html")))));
        assertThat(page.getElementsByTagName("section").getLength()).isEqualTo(1);
        assertThat(ComparisonTable.of(hostile(), new TableStyle(96, true, false))).doesNotContain("\u001b[2J");
    }

    @Test
    void aPageLoadsNothing() {
        assertThat(ComparisonHtml.of(hostile())).contains("default-src 'none'").doesNotContain("http://www.w3.org/1999/xlink")
                .doesNotContain("src=").doesNotContain("@import");
    }

    @Test
    void aThousandFunctionsMakeNoHugePage() {
        List<List<Distribution>> many = IntStream.range(0, 120).mapToObj(i -> recordings.slices(new Shape(5, 30, 1e6, 0.1, 0, 0)))
                .toList();
        ComparedSession session = Recordings.session("many", many);
        String html = ComparisonHtml.of(Comparer.compare(session, session));
        assertThat(html).contains("Pictures of the 50 functions that changed most");
        assertThat(html.length()).isLessThan(5_000_000);
    }

    @Test
    void sessionsWithNothingInCommonSayOnlyThat() {
        Comparison comparison = Comparer.compare(Recordings.hostile("one", recordings.slices(SHAPE)),
                Recordings.hostile("other", recordings.slices(SHAPE)));
        assertThat(ComparisonTable.of(comparison, TableStyle.PLAIN)).contains("The sessions have no function in common.")
                .contains("Only in A: one").contains("Only in B: other");
        assertThat(ComparisonHtml.of(comparison)).contains("no function in common").doesNotContain("<tbody>");
        assertThat(ComparisonJson.of(comparison)).contains("\"only_a\" : [ {").contains("\"functions\" : [ ]");
    }

    @Test
    void whatWasNotMeasuredIsNotZero() throws Exception {
        Comparison comparison = Comparer.compare(Recordings.systemCall(recordings.slices(SHAPE)),
                Recordings.systemCall(recordings.slices(SHAPE.times(3))));
        JsonNode function = new ObjectMapper().readTree(ComparisonJson.of(comparison)).at("/functions/0");
        assertThat(function.at("/wall/max/a_ns").isNumber()).isTrue();
        assertThat(function.get("per_call")).isNotEmpty().allSatisfy(change -> assertThat(change.isNull()).isTrue());
    }

    /** Until a call goes on is compared, and the rest of it is not. */
    @Test
    void whatHasToBeKnownOfTheTimesIsSaid() throws Exception {
        Comparison both = Comparer.compare(Recordings.goingOn("poll", recordings.slices(SHAPE)),
                Recordings.goingOn("poll", recordings.slices(SHAPE.times(3))));
        String mark = "until it goes on to poll";
        assertThat(ComparisonTable.of(both, new TableStyle(96, false, true))).contains("    A and B: " + mark);
        assertThat(ComparisonHtml.of(both)).contains("<br/>A and B: " + mark, ">A and B: " + mark + "</p>");
        JsonNode function = new ObjectMapper().readTree(ComparisonJson.of(both)).at("/functions/0");
        assertThat(function.get("marks_a").toString()).isEqualTo("[\"" + mark + "\"]").isEqualTo(function.get("marks_b").toString());
        Comparison differing = Comparer.compare(Recordings.goingOn("poll", recordings.slices(SHAPE)),
                Recordings.goingOn("epoll", recordings.slices(SHAPE)));
        assertThat(ComparisonText.marks(differing.functions().getFirst())).containsExactly("A: " + mark, "B: until it goes on to epoll");
        Comparison plain = Comparer.compare(Recordings.systemCall(recordings.slices(SHAPE)), Recordings.systemCall(recordings.slices(SHAPE)));
        assertThat(ComparisonText.marks(plain.functions().getFirst())).isEmpty();
        assertThat(ComparisonJson.of(plain)).doesNotContain("marks");
    }

    @Test
    void changesReadAsChanges() {
        assertThat(ComparisonText.signed(38e6)).isEqualTo("+38.0 ms");
        assertThat(ComparisonText.signed(-1500)).isEqualTo("−1.50 µs");
        assertThat(ComparisonText.signed(0.2)).isEqualTo("±0");
        assertThat(relative(100, 193)).isEqualTo("+93 %");
        assertThat(relative(100, 20)).isEqualTo("−80 %");
        assertThat(relative(100, 1200)).isEqualTo("×12");
        assertThat(relative(0, 5)).isEmpty();
        assertThat(relative(5, 5)).isEqualTo("±0 %");
    }

    private static String relative(double a, double b) {
        return ComparisonText.relative(new Change(Metric.WALL, Statistic.P50, a, b, List.of(a), List.of(b), java.util.Optional.empty(), 0, Double.NaN, 1,
                Significance.WITHIN_NOISE));
    }
}
