// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.LatencySnapshot;
import org.kview.session.calls.CallsSection;
import org.kview.session.report.HtmlReport;
import org.kview.ui.calls.CallsService;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.HtmlExport;

/** Writes the report of what is shown as an HTML file. Of a running recording, it contains the figures up to now. */
public final class ExportHtmlHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        SessionState state = SessionService.get().state();
        state.snapshot().ifPresent(figures -> HtmlExport.ask(HandlerUtil.getActiveShell(event), "Export Report",
                state.folder(), "report.html", () -> page(figures)));
        return null;
    }

    /** With the single calls, if they are at hand. */
    private static String page(LatencySnapshot figures) {
        return CallsService.get().state().store()
                .flatMap(store -> store.ask(calls -> HtmlReport.of(figures, page -> CallsSection.write(calls, page))))
                .orElseGet(() -> HtmlReport.of(figures));
    }
}
