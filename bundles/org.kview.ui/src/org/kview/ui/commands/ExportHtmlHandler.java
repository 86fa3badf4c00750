// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.session.SessionService;
import org.kview.ui.widgets.HtmlExport;

/** Writes the report of what is shown as an HTML file. Of a running recording, it contains the figures up to now. */
public final class ExportHtmlHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        ReportPage.now().ifPresent(page -> HtmlExport.ask(dialog(HandlerUtil.getActiveShell(event)), page::html));
        return null;
    }

    /** Beside the session that is shown. */
    static FileDialog dialog(Shell shell) {
        return HtmlExport.dialog(shell, "Export Report", SessionService.get().state().folder(), "report.html");
    }
}
