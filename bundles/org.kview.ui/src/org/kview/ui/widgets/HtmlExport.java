// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.report.ReportFile;
import org.kview.ui.KviewUi;

/** Writes a report as an HTML file. */
public final class HtmlExport {
    private HtmlExport() {
    }

    /**
     * Asks where to, and writes in a job.
     *
     * @param page  makes the report, on the job's thread
     */
    public static void ask(FileDialog question, Supplier<String> page) {
        Optional.ofNullable(question.open()).map(Path::of).ifPresent(file -> write(file, page));
    }

    /**
     * The question where to, not yet asked.
     *
     * @param folder   where it begins
     * @param proposed the file's name at first
     */
    public static FileDialog dialog(Shell shell, String title, Optional<Path> folder, String proposed) {
        FileDialog dialog = new FileDialog(shell, SWT.SAVE);
        dialog.setText(SafeText.lines(title));
        dialog.setFilterExtensions(new String[] {"*.html"});
        folder.map(Path::toString).ifPresent(dialog::setFilterPath);
        dialog.setFileName(proposed);
        dialog.setOverwrite(true);
        return dialog;
    }

    /** @return the job that writes; it ends with an error whose message is for the user where it can't */
    public static Job write(Path file, Supplier<String> page) {
        Job job = Job.create("Export " + file.getFileName(), monitor -> {
            try {
                ReportFile.write(file, page.get());
            } catch (SessionException e) {
                throw new CoreException(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e));
            }
        });
        job.schedule();
        return job;
    }
}
