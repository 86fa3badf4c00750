/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.kview.compare.Comparison;
import org.kview.compare.report.ComparisonHtml;
import org.kview.session.SessionException;
import org.kview.session.report.ReportFile;
import org.kview.ui.KviewUi;

/** Writes a comparison as an HTML file. */
final class CompareExport {
    private CompareExport() {
    }

    static void ask(Shell shell, Comparison comparison) {
        FileDialog dialog = new FileDialog(shell, SWT.SAVE);
        dialog.setText("Export Comparison");
        dialog.setFilterExtensions(new String[] {"*.html"});
        dialog.setFileName("comparison.html");
        dialog.setOverwrite(true);
        Optional.ofNullable(dialog.open()).map(Path::of).ifPresent(file -> write(comparison, file));
    }

    /** @return the job that writes; it ends with an error whose message is for the user where it can't */
    static Job write(Comparison comparison, Path file) {
        Job job = Job.create("Export " + file.getFileName(), monitor -> {
            try {
                ReportFile.write(file, ComparisonHtml.of(comparison));
            } catch (SessionException e) {
                throw new CoreException(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, e.getMessage(), e));
            }
        });
        job.schedule();
        return job;
    }
}
