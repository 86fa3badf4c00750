// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencyFormat;
import org.kview.session.read.SessionReader;
import org.kview.session.report.HtmlReport;
import org.kview.session.store.CallStores;

class CallsSectionTest {
    @TempDir
    Path temp;

    /**
     * Of hosts that began one after the other, the later one first in the session: picture and table both count from where the
     * first began, and each line says which host's call it is.
     */
    @Test
    void ofSeveralHostsAllTimesCountFromTheFirstStart() throws Exception {
        Path two = Demo.twoHostsIn(temp);
        later(two.resolve("hosts/1-web-1"), 67, "web-1");
        later(two.resolve("hosts/2-web-2"), 0, "web-2");
        try (SessionReader session = SessionReader.open(two);
                SessionCallStore store = SessionCallStore.of(session, two, CallStores.in(temp.resolve("stores"), Long.MAX_VALUE), _ -> true)
                        .orElseThrow()) {
            String page = store.ask(calls -> HtmlReport.of(session.snapshot(), html -> CallsSection.write(calls, html))).orElseThrow();
            String section = page.substring(page.indexOf("<h2>Single calls</h2>"), page.indexOf("<h2>Cost and method"));
            String picture = section.substring(0, section.indexOf("<h2>Slowest calls</h2>"));
            // Each cell has its calls in its title. A call of one host has its like of the other, 67 s later: half of them in
            // each half of the picture, none heaped up at an edge.
            long[] calls = new long[2];
            Set<String> columns = new HashSet<>();
            Pattern.compile("<rect x=\"([\\d.]+)\"[^>]*><title>[^<]*: ([\\d,]+) calls?</title>").matcher(picture).results().forEach(match -> {
                columns.add(match.group(1));
                calls[Double.parseDouble(match.group(1)) < 528 ? 0 : 1] += Long.parseLong(match.group(2).replace(",", ""));
            });
            assertThat(calls[0]).isEqualTo(calls[1]).isPositive();
            assertThat(columns).as("two columns at each end").hasSize(4);
            assertThat(section).contains("since the recording began on the first of the hosts");
            List<String> rows = List.of(section.substring(section.indexOf("<h2>Slowest calls</h2>")).split("<tr>", -1));
            assertThat(rows.get(1)).contains("<th>Host</th>");
            List<String> lines = rows.subList(2, rows.size());
            List<Double> early = starts(lines, "web-2");
            assertThat(early).hasSize(10).allMatch(start -> start < 67);
            assertThat(starts(lines, "web-1")).hasSize(10).zipSatisfy(early, (late, start) -> assertThat(late - start).isCloseTo(67, within(0.011)));
        }
    }

    /** When the slowest calls of a host began, in seconds. */
    private static List<Double> starts(List<String> rows, String host) {
        return rows.stream().filter(row -> row.contains("<td>" + host + "</td>"))
                .map(row -> Double.valueOf(row.substring(row.indexOf('>') + 1, row.indexOf(" s<")))).toList();
    }

    /** Makes of a copy of the demo one of another host, recorded some seconds later. */
    private static void later(Path host, int seconds, String target) throws Exception {
        Path metadata = host.resolve("trace/metadata");
        String layout = Files.readString(metadata, StandardCharsets.ISO_8859_1);
        Matcher offset = Pattern.compile("offset_s = (\\d+)").matcher(layout);
        assertThat(offset.find()).isTrue();
        String before = checksum(metadata);
        Files.writeString(metadata, layout.replace(offset.group(), "offset_s = " + (Long.parseLong(offset.group(1)) + seconds)),
                StandardCharsets.ISO_8859_1);
        Path json = host.resolve("session.json");
        String text = Files.readString(json);
        Matcher start = Pattern.compile("\"start\" : \"([^\"]+)\"").matcher(text);
        assertThat(start.find()).isTrue();
        assertThat(text).contains(before);
        Files.writeString(json, text.replace(start.group(1), Instant.parse(start.group(1)).plusSeconds(seconds).toString())
                .replace("\"target\" : \"local\"", "\"target\" : \"" + target + "\"").replace(before, checksum(metadata)));
    }

    private static String checksum(Path file) throws Exception {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        return "%08x".formatted(sum.getValue());
    }

    @Test
    void aPageWithoutItsCallsSaysSo() throws Exception {
        try (SessionReader session = SessionReader.open(Demo.in(temp))) {
            assertThat(HtmlReport.of(session.snapshot(), html -> CallsSection.without("the disk <is> full.", html)))
                    .contains("<h2>Single calls</h2>", "This page lacks the single calls of its session: the disk &lt;is&gt; full.");
        }
    }

    /** Each cell says how many calls it stands for: together they are all calls, and the first line is of the slowest of them. */
    @Test
    void thePageHasAllCallsInItsPictureAndTheSlowestInItsTable() throws Exception {
        Path demo = Demo.in(temp);
        try (SessionReader session = SessionReader.open(demo);
                SessionCallStore store = SessionCallStore.of(session, demo, CallStores.in(temp.resolve("stores"), Long.MAX_VALUE), _ -> true)
                        .orElseThrow()) {
            String page = store.ask(calls -> HtmlReport.of(session.snapshot(), html -> CallsSection.write(calls, html))).orElseThrow();
            String section = page.substring(page.indexOf("<h2>Single calls</h2>"), page.indexOf("<h2>Cost and method"));
            long sum = Pattern.compile(": ([\\d,]+) calls?</title>").matcher(section).results()
                    .mapToLong(match -> Long.parseLong(match.group(1).replace(",", ""))).sum();
            assertThat(sum).isEqualTo((long) store.ask(StoredSession::calls).orElseThrow()).isPositive();
            StoredCall slowest = store.ask(calls -> calls.call(calls.slowest(CallSelector.ALL, 1, () -> true).number(0))).orElseThrow();
            String table = section.substring(section.indexOf("<h2>Slowest calls</h2>"));
            assertThat(table.split("<tr>", -1)).hasSize(1 + 1 + 20);
            assertThat(table.split("<tr>", -1)[2]).contains(slowest.function(), "/" + slowest.tid(),
                    LatencyFormat.nanos(slowest.wallNanos()), slowest.mainPart().label());
            assertThat(page).as("it loads nothing").doesNotContain("<script", "<img", "src=", "url(", "@import");
        }
    }
}
