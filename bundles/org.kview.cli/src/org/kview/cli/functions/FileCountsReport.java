// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.session.report.CsvLine;
import org.kview.session.report.TerminalText;

/**
 * How many functions each file of a process has, and how many of them can be probed.
 *
 * @param found its files
 * @param names of the files
 */
record FileCountsReport(Found found, BinaryNames names) {
    private static final String HEADING = "BIN";

    String text() {
        List<String> files = found.files().stream().map(file -> SafeText.line(names.of(file.path()))).toList();
        int width = Math.max(HEADING.length(), files.stream().mapToInt(String::length).max().orElse(0));
        StringBuilder text = new StringBuilder(TerminalText.left(HEADING, width)).append("  Functions  Can be probed\n");
        for (int i = 0; i < files.size(); i++) {
            FileCount file = found.files().get(i);
            text.append(TerminalText.left(files.get(i), width)).append(TerminalText.right(LatencyFormat.count(file.total()), 11))
                    .append(TerminalText.right(LatencyFormat.count(file.probeable()), 15)).append(isCut(file)
                            ? " of the first " + LatencyFormat.count(file.examined()) : "").append('\n');
        }
        return text.toString();
    }

    /** Whether there are more functions than were examined. */
    static boolean isCut(FileCount file) {
        return file.examined() < file.total();
    }

    String csv() {
        StringBuilder text = new StringBuilder(CsvLine.of(List.of("bin", "binary", "total", "examined", "probeable")));
        for (FileCount file : found.files()) {
            List<String> fields = new ArrayList<>(List.of(SafeText.line(names.of(file.path())), SafeText.line(file.path())));
            fields.addAll(List.of(Long.toString(file.total()), Long.toString(file.examined()), Long.toString(file.probeable())));
            text.append(CsvLine.of(fields));
        }
        return text.toString();
    }
}
