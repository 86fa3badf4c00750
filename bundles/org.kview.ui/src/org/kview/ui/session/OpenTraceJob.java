// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.QualifiedName;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfOpenTraceHelper;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectElement;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectRegistry;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfTraceElement;
import org.kview.model.SafeText;
import org.kview.trace.babeltrace.ReadableTrace;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;

/**
 * Opens traces of other tools beside that of the session; opening and closing the session does not change which of them are
 * open. Links to them are in a project of their own. What Trace Compass and Kview keep of a trace is removed when another one is
 * opened while it is not open.
 */
public final class OpenTraceJob extends Job {
    private static final String PROJECT = "Traces";
    /** Names the trace that a link leads to, and that all that is kept with the link belongs to. */
    private static final QualifiedName IDENTITY = new QualifiedName(KviewUi.BUNDLE_ID, "trace-identity");

    /** Only one job runs at a time: two would remove each other's links. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final Shell shell;
    /** The display, which is kept because a closed shell no longer tells it. */
    private final Display display;
    private final Path folder;
    /** The thread that tries which traces can be read, which may take long. */
    private Optional<Thread> finding = Optional.empty();

    /** @param folder with a trace, or with folders of traces */
    public OpenTraceJob(Shell shell, Path folder) {
        super("Open " + SafeText.line(String.valueOf(folder.getFileName())));
        this.shell = shell;
        display = shell.getDisplay();
        this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        try {
            List<ReadableTrace> traces = find();
            synchronized (ONE_AT_A_TIME) {
                if (!monitor.isCanceled()) {
                    open(traces, monitor);
                }
            }
        } catch (CoreException e) {
            if (!monitor.isCanceled()) {
                refuse(e.getStatus().getMessage());
            }
        }
        return monitor.isCanceled() ? Status.CANCEL_STATUS : Status.OK_STATUS;
    }

    private List<ReadableTrace> find() throws CoreException {
        synchronized (this) {
            finding = Optional.of(Thread.currentThread());
        }
        try {
            return ReadableTrace.in(folder);
        } finally {
            synchronized (this) {
                finding = Optional.empty();
            }
            // The thread goes on to other jobs, so it must not stay interrupted.
            Thread.interrupted();
        }
    }

    @Override
    protected synchronized void canceling() {
        finding.ifPresent(Thread::interrupt);
    }

    private void refuse(String sentence) {
        UiThread.later(display, () -> {
            if (!shell.isDisposed()) {
                MessageDialog.openInformation(shell, "Open Trace", SafeText.lines(sentence));
            }
        });
    }

    private void open(List<ReadableTrace> traces, IProgressMonitor monitor) throws CoreException {
        IProject project = TraceProject.make(PROJECT, monitor);
        TmfProjectElement element = TmfProjectRegistry.getProject(project, true);
        TraceProject.awaitOpening(element, monitor);
        requireUnchanged(element, traces);
        removeClosed(element, traces, monitor);
        List<IFolder> links = new ArrayList<>();
        for (ReadableTrace trace : traces) {
            IFolder link = element.getTracesFolder().getResource().getFolder(name(element, trace.folder()));
            if (!link.exists()) {
                TraceProject.link(element, link.getName(), trace.folder(), trace.type(), monitor);
                link.setPersistentProperty(IDENTITY, trace.identity());
            }
            links.add(link);
        }
        UiThread.wait(display, () -> {
            TraceViews.showHistogram();
            // The first one is opened last: it is on top then.
            for (IFolder link : links.reversed()) {
                element.getTracesFolder().getTraces().stream().filter(trace -> trace.getResource().equals(link))
                        .forEach(TmfOpenTraceHelper::openFromElement);
            }
        });
    }

    /** A trace that is open already is shown as it was when it was opened. */
    private static void requireUnchanged(TmfProjectElement project, List<ReadableTrace> wanted) throws CoreException {
        for (TmfTraceElement element : project.getTracesFolder().getTraces()) {
            for (ReadableTrace trace : wanted) {
                if (element.getTrace() != null && isAt(element, trace) && !isOf(element, trace)) {
                    throw TraceProject.failure("The trace in " + trace.folder() + " has changed since it was opened; close it, and open"
                            + " it again.", null);
                }
            }
        }
    }

    /** Also removes what is kept of a trace in whose place there is another one now: nobody else compares them. */
    private static void removeClosed(TmfProjectElement project, List<ReadableTrace> wanted, IProgressMonitor monitor) throws CoreException {
        for (TmfTraceElement element : List.copyOf(project.getTracesFolder().getTraces())) {
            boolean kept = false;
            for (ReadableTrace trace : wanted) {
                kept |= isAt(element, trace) && isOf(element, trace);
            }
            if (!kept && element.getTrace() == null && element.getResource().isLinked()) {
                element.deleteSupplementaryFolder();
                element.getResource().delete(false, monitor);
            }
        }
        TraceProject.awaitRemoval(monitor);
    }

    private static boolean isAt(TmfTraceElement element, ReadableTrace trace) {
        IPath location = element.getResource().getLocation();
        return location != null && location.toPath().equals(trace.folder());
    }

    private static boolean isOf(TmfTraceElement element, ReadableTrace trace) throws CoreException {
        return trace.identity().equals(element.getResource().getPersistentProperty(IDENTITY))
                && trace.type().getTraceTypeId().equals(element.getTraceType());
    }

    /** If two traces have the same name, a number tells them apart. */
    private String name(TmfProjectElement project, Path trace) {
        String below = folder.relativize(trace).toString().replace('/', ' ').strip();
        String name = TraceProject.linkName((folder.getFileName() + " " + below).strip());
        for (int i = 2;; i++) {
            IFolder link = project.getTracesFolder().getResource().getFolder(name);
            if (!link.exists() || link.getLocation() != null && link.getLocation().toPath().equals(trace)) {
                return name;
            }
            name = TraceProject.linkName(i + " " + folder.getFileName() + " " + below);
        }
    }
}
