// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.kview.model.LatencyFormat;
import org.kview.model.SurveyFindings;
import org.kview.recording.SurveyChoice;
import org.kview.session.report.SurveyText;
import org.kview.session.report.TerminalText;

/** The functions that a survey chose, and what their probes will cost. */
final class SuggestedTable {
    private static final int MOST_NAME = 48;
    private static final int NUMBER = 10;

    private SuggestedTable() {
    }

    static List<String> lines(SurveyChoice choice) {
        int width = Math.clamp(choice.choices().stream().mapToInt(one -> one.time().probe().length()).max().orElse(0),
                "BIN:FUNC".length(), MOST_NAME);
        List<String> lines = new ArrayList<>();
        lines.add(TerminalText.left("BIN:FUNC", width) + right("Wall") + right("On CPU") + right("Calls/s") + right("Probes")
                + "  Where its time goes");
        for (SurveyChoice.Choice one : choice.choices()) {
            SurveyFindings.FunctionTime time = one.time();
            String name = TerminalText.printable(time.probe());
            if (name.length() > width) {
                lines.add(name);
                name = "";
            }
            lines.add(TerminalText.left(name, width) + right(LatencyFormat.nanos(time.wallNanos()))
                    + right(time.onCpuNanos() == 0 ? "-" : LatencyFormat.nanos(time.onCpuNanos()))
                    + right(one.price().map(price -> String.format(Locale.ROOT, "%,.0f", price.calls())).orElse("?"))
                    + right(one.price().flatMap(price -> choice.forecast().map(forecast -> LatencyFormat
                            .percent(forecast.share(price)))).orElse("?"))
                    + "  " + SurveyText.shares(time.nanos()));
        }
        choice.forecast().ifPresent(forecast -> lines.add("Probes: their part of the process's CPU time, by a trial of "
                + LatencyFormat.nanos(Math.round(forecast.seconds() * 1e9))));
        return lines;
    }

    private static String right(String text) {
        return TerminalText.right(text, NUMBER);
    }
}
