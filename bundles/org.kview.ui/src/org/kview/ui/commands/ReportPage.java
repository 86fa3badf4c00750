// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.util.Optional;

import org.kview.model.LatencySnapshot;
import org.kview.session.calls.CallsSection;
import org.kview.session.report.HtmlReport;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/**
 * What a report is made of: figures and single calls of one moment, so that both are of the same session whatever is opened while
 * the user chooses a file.
 *
 * @param opened  whether it is a session that was opened; a recording that goes on has no single calls so far
 * @param figures of all functions
 * @param calls   how far its single calls were at hand
 */
record ReportPage(boolean opened, LatencySnapshot figures, CallsState calls) {

    /** Of what is shown now; empty where nothing is. For the UI thread. */
    static Optional<ReportPage> now() {
        SessionState state = SessionService.get().state();
        CallsState calls = CallsService.get().state();
        return state.snapshot().map(figures -> new ReportPage(state instanceof SessionState.Opened, figures, calls));
    }

    /** The page. It says where calls of the session are missing from it. */
    String html() {
        return switch (calls) {
            case CallsState.Stored(var store) -> store.ask(its -> HtmlReport.of(figures, page -> CallsSection.write(its, page)))
                    .orElseGet(() -> without("their session was closed before the page was made. Open it and export once more."));
            case CallsState.None() -> opened ? without("they were not at hand yet. Export once more when the Calls view lists them.")
                    : HtmlReport.of(figures);
            case CallsState.WithoutEvents() -> HtmlReport.of(figures);
            case CallsState.Storing _, CallsState.Growing _ -> without("they were still being stored. Export once more when the Calls view lists them.");
            case CallsState.Part(_, String why) -> without(why + ". The Calls view goes on with it; then export once more.");
            case CallsState.Cancelled() -> without("storing them was cancelled. The Calls view stores them; then export once more.");
            case CallsState.Failed(String why) -> without(why);
        };
    }

    private String without(String why) {
        return HtmlReport.of(figures, page -> CallsSection.without(why, page));
    }
}
