// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.List;

import org.kview.cli.console.Console;
import org.kview.model.LatencyFormat;
import org.kview.recording.FunctionSearch.FileCount;

/** Prints functions, and says beside them what is not among them. */
final class FunctionsTeller {
    private static final int FILES_NAMED = 8;

    private final Console console;
    private final FunctionsReport report;
    private final boolean isCount;
    /** Files that have more functions than were looked at. */
    private final List<FileCount> cut;

    /** @param isCount whether the functions of each file are counted, not listed */
    FunctionsTeller(Console console, FunctionsReport report, boolean isCount) {
        this.console = console;
        this.report = report;
        this.isCount = isCount;
        cut = report.found().files().stream().filter(FileCountsReport::isCut).toList();
    }

    /** Prints a table if neither JSON nor CSV is wanted. JSON contains everything, so nothing more is printed with it. */
    void tell(boolean json, boolean csv) {
        if (json) {
            console.json(report.json());
            return;
        }
        FileCountsReport counts = new FileCountsReport(report.found(), report.names());
        if (csv) {
            console.part(isCount ? counts.csv() : FunctionsCsv.of(report.found().functions(), report.names()));
        } else {
            console.result(isCount ? counts.text() : report.text());
        }
        if (!report.costNote().isEmpty()) {
            console.say(report.costNote());
        }
        report.found().unsearched().forEach(why -> console.say("not searched: " + why));
        if (isCount) {
            sayHowToList();
        } else if (!cut.isEmpty()) {
            sayWhatIsLeft();
        }
    }

    private void sayHowToList() {
        String first = report.names().of(report.found().files().getFirst().path());
        console.say("'" + first + ":*' lists the functions of one file, a name or a glob such as '*name*' looks in all");
        if (!cut.isEmpty()) {
            console.say("which of the other functions of " + some(cut.stream().map(this::name).toList())
                    + " can be probed shows with a glob that matches fewer");
        }
    }

    private void sayWhatIsLeft() {
        int shown = report.found().functions().size();
        console.say(LatencyFormat.count(shown) + " of " + LatencyFormat.count(report.found().total()) + " shown; "
                + (shown < FunctionsCommand.MOST ? "--all shows more, " : "") + "a glob such as '*name*' fewer");
        if (report.found().files().size() > 1) {
            console.say("not shown are " + some(cut.stream()
                    .map(file -> LatencyFormat.count(file.total() - file.examined()) + " of " + name(file)).toList()));
        }
    }

    private String name(FileCount file) {
        return report.names().of(file.path());
    }

    private static String some(List<String> names) {
        return String.join(", ", names.stream().limit(FILES_NAMED).toList())
                + (names.size() > FILES_NAMED ? " and " + (names.size() - FILES_NAMED) + " more" : "");
    }
}
