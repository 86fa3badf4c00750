/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.commands;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.ReportFile;
import org.kview.ui.KviewUi;
import org.kview.ui.session.SessionService;

/** Writes the report of what is shown as an HTML file; of a running recording, as far as it has come. */
public final class ExportHtmlHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        SessionService.get().state().snapshot().ifPresent(figures ->
                ask(HandlerUtil.getActiveShell(event)).ifPresent(file -> export(figures, file)));
        return null;
    }

    private static Optional<Path> ask(Shell shell) {
        FileDialog dialog = new FileDialog(shell, SWT.SAVE);
        dialog.setText("Export Report");
        dialog.setFilterExtensions(new String[] {"*.html"});
        dialog.setFileName("report.html");
        dialog.setOverwrite(true);
        return Optional.ofNullable(dialog.open()).map(Path::of);
    }

    /** @return the job that writes; it ends with an error whose message is for the user where it can't */
    static Job export(LatencySnapshot figures, Path file) {
        Job job = Job.create("Export " + file.getFileName(), monitor -> {
            try {
                ReportFile.write(file, HtmlReport.of(figures));
            } catch (SessionException e) {
                throw new CoreException(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, e.getMessage(), e));
            }
        });
        job.schedule();
        return job;
    }
}
