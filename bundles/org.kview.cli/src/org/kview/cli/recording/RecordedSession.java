// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProgramEnd;
import org.kview.model.SafeText;
import org.kview.model.SessionInfo;
import org.kview.recording.RecordingResult;
import org.kview.session.report.TableReport;

/** What is said of a session when its recording has ended. */
final class RecordedSession {
    private RecordedSession() {
    }

    /**
     * @param all whether functions that were never called are listed
     * @return the exit code: a recording that broke off is a failure, though its session is kept; one whose program
     *         failed is none
     */
    static int print(Console console, RecordingResult result, boolean all) {
        LatencySnapshot figures = result.figures();
        console.result(TableReport.of(figures, console.tableStyle(), all));
        console.result("session " + result.folder());
        if (figures.hosts().isEmpty()) {
            ends(console, figures.info(), "");
        } else {
            figures.hosts().forEach(host -> ends(console, host.info(), host.info().target() + ": "));
        }
        result.failure().ifPresent(console::say);
        return result.failure().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
    }

    private static void ends(Console console, SessionInfo info, String where) {
        if (info.program().isPresent()) {
            ProgramEnd end = info.program().get();
            console.say(where + SafeText.line(info.command(), RecordingTeller.MOST_COMMAND) + " " + end.text() + (end.signalled() ? ". " + end.advice()
                    : end.isSuccess() || info.state() != SessionInfo.State.PROCESS_ENDED ? "" : "; it was recorded to its end"));
        }
        if (info.state() == SessionInfo.State.STOPPED && !info.stateNote().isEmpty()) {
            console.say(where + info.stateNote());
        }
    }
}
