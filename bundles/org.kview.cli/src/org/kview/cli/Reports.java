// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.kview.model.*;
import org.kview.session.SessionException;

/** TEMPORARY until the session bundle's reports land. */
final class Reports {
    private Reports() {
    }
    static String text(LatencySnapshot s) {
        StringBuilder b = new StringBuilder();
        for (FunctionLatency f : s.functions()) {
            b.append(String.format("%-20s %10d calls  wall %s on-cpu %s  %s%n", f.function().name(), f.calls(),
                LatencyFormat.nanos(f.wall().meanNanos()), LatencyFormat.nanos(f.onCpu().meanNanos()), Verdict.of(f).text()));
        }
        return b.append(s.losses()).toString();
    }
    static String json(LatencySnapshot s) { return "{}"; }
    static void writeHtml(LatencySnapshot s, Path f) throws SessionException {}
    static void writePng(LatencySnapshot s, Path f) throws SessionException {}
    static void writeCsv(LatencySnapshot s, Path f) throws SessionException {}
}
