// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.ArrayList;
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
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.ui.session.MonitorProgress;

/** Reads the sessions of both sides and compares them. */
final class CompareJob extends Job {
    private static final int TICKS = 1000;

    private final ComparedPaths paths;
    private final Consumer<Comparison> done;
    private final Consumer<String> failed;

    /** @param failed hears a sentence; both are called on the job's thread, and neither if it is cancelled */
    CompareJob(ComparedPaths paths, Consumer<Comparison> done, Consumer<String> failed) {
        super(SafeText.line("Compare " + paths.title()));
        this.paths = paths;
        this.done = done;
        this.failed = failed;
    }

    /** A session's name for people: the name of its folder or zip without the ending. */
    static String name(Path session) {
        return String.valueOf(session.getFileName()).replaceFirst("\\.kview(\\.zip)?$", "");
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        SubMonitor progress = SubMonitor.convert(monitor, paths.a().size() + paths.b().size() + 1);
        try {
            List<ComparedSession> sessionsA = read(paths.a(), progress);
            List<ComparedSession> sessionsB = read(paths.b(), progress);
            Comparison comparison = Comparer.compare(sessionsA, sessionsB,
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

    private static List<ComparedSession> read(List<Path> sessions, SubMonitor progress) throws SessionException {
        List<ComparedSession> read = new ArrayList<>();
        for (Path session : sessions) {
            read.add(read(session, progress.split(1)));
        }
        return read;
    }

    private static ComparedSession read(Path session, SubMonitor progress) throws SessionException {
        progress.subTask(SafeText.line("Reading " + name(session)));
        progress.setWorkRemaining(2 * TICKS);
        try (SessionReader reader = SessionReader.open(session, new MonitorProgress(progress.split(TICKS), TICKS))) {
            return ComparedSession.read(name(session), reader, new MonitorProgress(progress.split(TICKS), TICKS));
        }
    }
}
