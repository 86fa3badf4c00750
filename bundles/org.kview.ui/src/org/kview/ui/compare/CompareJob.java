/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.session.SessionException;
import org.kview.session.SessionReader;

/** Reads two sessions and compares them. */
final class CompareJob extends Job {
    private final Path a;
    private final Path b;
    private final Consumer<Comparison> done;
    private final Consumer<String> failed;

    /** @param failed hears a sentence; both are called on the job's thread, and neither if it is cancelled */
    CompareJob(Path a, Path b, Consumer<Comparison> done, Consumer<String> failed) {
        super("Compare " + name(a) + " with " + name(b));
        this.a = a;
        this.b = b;
        this.done = done;
        this.failed = failed;
    }

    /** A session's name for people: that of its folder or zip, without what all end with. */
    static String name(Path session) {
        return String.valueOf(session.getFileName()).replaceFirst("\\.kview(\\.zip)?$", "");
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        SubMonitor progress = SubMonitor.convert(monitor, 3);
        try {
            ComparedSession sessionA = read(a, progress.split(1));
            ComparedSession sessionB = read(b, progress.split(1));
            Comparison comparison = Comparer.compare(List.of(sessionA), List.of(sessionB),
                    Comparer.MINIMUM_EFFECT, monitor::isCanceled);
            if (!monitor.isCanceled()) {
                done.accept(comparison);
            }
            return Status.OK_STATUS;
        } catch (SessionException e) {
            failed.accept(e.getMessage() + (e.getMessage().endsWith(".") ? "" : "."));
            return Status.OK_STATUS;
        } catch (CancellationException e) {
            return Status.CANCEL_STATUS;
        }
    }

    private static ComparedSession read(Path session, SubMonitor progress) throws SessionException {
        progress.subTask("Reading " + name(session));
        try (SessionReader reader = SessionReader.open(session)) {
            return ComparedSession.read(name(session), reader);
        }
    }
}
