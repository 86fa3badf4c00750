// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencyFormat;
import org.kview.session.read.SessionReader;
import org.kview.session.report.HtmlReport;
import org.kview.session.store.CallStores;

class CallsSectionTest {
    @TempDir
    Path temp;

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
