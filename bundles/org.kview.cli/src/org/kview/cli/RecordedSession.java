// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import org.kview.model.LatencySnapshot;
import org.kview.recording.RecordingResult;
import org.kview.session.report.TableReport;

/** What is said of a session when its recording has ended. */
final class RecordedSession {
    private RecordedSession() {
    }

    /** @return the exit code: a recording that broke off is a failure, though its session is kept */
    static int print(Console console, RecordingResult result) {
        LatencySnapshot figures = result.figures();
        console.result(TableReport.of(figures, console.tableStyle()));
        console.result("session " + result.folder());
        result.failure().ifPresent(console::say);
        return result.failure().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
    }
}
