// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfOpenTraceHelper;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectElement;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectRegistry;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfTraceElement;
import org.kview.model.SafeText;
import org.kview.trace.babeltrace.ReadableTrace;
import org.kview.ui.UiThread;

/**
 * Opens traces of other tools beside that of the session, which comes and goes without them. Links to them are in a project of
 * their own; what Trace Compass and we keep of a trace goes when another one is opened and it is not open.
 */
public final class OpenTraceJob extends Job {
    private static final String PROJECT = "Traces";

    private final Shell shell;
    private final Path folder;

    /** @param folder with a trace, or with folders of traces */
    public OpenTraceJob(Shell shell, Path folder) {
        super("Open " + SafeText.line(String.valueOf(folder.getFileName())));
        this.shell = shell;
        this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        try {
            List<ReadableTrace> traces = ReadableTrace.in(folder);
            if (!monitor.isCanceled()) {
                open(traces, monitor);
            }
        } catch (CoreException e) {
            UiThread.later(shell.getDisplay(), () -> {
                if (!shell.isDisposed()) {
                    MessageDialog.openInformation(shell, "Open Trace", SafeText.lines(e.getStatus().getMessage()));
                }
            });
        }
        return monitor.isCanceled() ? Status.CANCEL_STATUS : Status.OK_STATUS;
    }

    private void open(List<ReadableTrace> traces, IProgressMonitor monitor) throws CoreException {
        IProject project = TraceProject.make(PROJECT, monitor);
        TmfProjectElement element = TmfProjectRegistry.getProject(project, true);
        removeClosed(element, traces.stream().map(ReadableTrace::folder).toList(), monitor);
        List<IFolder> links = new ArrayList<>();
        for (ReadableTrace trace : traces) {
            IFolder link = element.getTracesFolder().getResource().getFolder(name(element, trace.folder()));
            links.add(link.exists() ? link : TraceProject.link(element, link.getName(), trace.folder(), trace.type(), monitor));
        }
        UiThread.wait(shell.getDisplay(), () -> {
            TraceViews.showHistogram();
            // The first one is opened last: it is on top then.
            for (IFolder link : links.reversed()) {
                element.getTracesFolder().getTraces().stream().filter(trace -> trace.getResource().equals(link))
                        .forEach(TmfOpenTraceHelper::openFromElement);
            }
        });
    }

    private static void removeClosed(TmfProjectElement project, List<Path> wanted, IProgressMonitor monitor) throws CoreException {
        for (TmfTraceElement trace : List.copyOf(project.getTracesFolder().getTraces())) {
            IPath location = trace.getResource().getLocation();
            if (trace.getTrace() == null && trace.getResource().isLinked() && (location == null || !wanted.contains(location.toPath()))) {
                trace.deleteSupplementaryFolder();
                trace.getResource().delete(false, monitor);
            }
        }
    }

    /** Of two traces with the same name, a number tells them apart. */
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
