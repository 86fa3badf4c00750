// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.core.TmfCommonConstants;
import org.eclipse.tracecompass.tmf.core.project.model.TmfTraceType;
import org.eclipse.tracecompass.tmf.core.project.model.TraceTypeHelper;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfOpenTraceHelper;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectElement;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfProjectRegistry;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfTraceElement;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfTraceTypeUIUtils;
import org.kview.model.SafeText;
import org.kview.trace.KviewTrace;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;

/**
 * The workspace project through which Trace Compass sees the open session's trace. It holds a link
 * while the trace is open and nothing else; the session's own files are never touched.
 */
final class TraceProject {
    private static final String NAME = "Kview";
    private static final int LONGEST_NAME = 80;
    /** The job in which Trace Compass hears of changed resources. */
    private static final String REMOVAL = "TmfProjectRegistry.resourceChanged Job";
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(30);

    private TraceProject() {
    }

    /**
     * Opens traces' events in place of those that are open. Blocks; not for the UI thread.
     *
     * @param display of the workbench: another one would be made while it closes
     * @param traces  by what to call them, the folder with their metadata
     * @throws CoreException if one is no trace that Kview recorded, or can't be linked to
     */
    static void open(Display display, Map<String, Path> traces, IProgressMonitor monitor) throws CoreException {
        for (Path trace : traces.values()) {
            KviewTrace probe = new KviewTrace();
            IStatus status = probe.validate(null, trace.toString());
            probe.dispose();
            if (status.getSeverity() == IStatus.ERROR) {
                throw new CoreException(status);
            }
        }
        IProject project = make(NAME, monitor);
        clear(display, monitor);
        TmfProjectElement element = TmfProjectRegistry.getProject(project, true);
        List<IFolder> links = new ArrayList<>();
        for (Map.Entry<String, Path> trace : traces.entrySet()) {
            links.add(link(element, linkName(trace.getKey()), trace.getValue(), TmfTraceType.getTraceType(KviewTrace.TYPE_ID), monitor));
        }
        UiThread.wait(display, () -> {
            TraceViews.show();
            // The first one is opened last: it is on top then.
            for (IFolder link : links.reversed()) {
                element.getTracesFolder().getTraces().stream().filter(t -> t.getResource().equals(link))
                        .forEach(TmfOpenTraceHelper::openFromElement);
            }
        });
    }

    /** A project of that name, if there is none yet. */
    static IProject make(String name, IProgressMonitor monitor) throws CoreException {
        IProject project = TmfProjectRegistry.createProject(name, null, monitor);
        if (project == null) {
            throw failure("The workspace does not take a project for traces; see Help > About > Error log.", null);
        }
        return project;
    }

    /** Makes Trace Compass know a trace, or that it is another one now. */
    static IFolder link(TmfProjectElement project, String name, Path trace, TraceTypeHelper type, IProgressMonitor monitor)
            throws CoreException {
        IFolder link = project.getTracesFolder().getResource().getFolder(name);
        link.createLink(trace.toUri(), IResource.REPLACE, monitor);
        link.setPersistentProperty(TmfCommonConstants.SOURCE_LOCATION, trace.toUri().toString());
        TmfTraceTypeUIUtils.setTraceType(link, type);
        return link;
    }

    /** Closes what is open and removes the links. Blocks; not for the UI thread. */
    static void clear(Display display, IProgressMonitor monitor) throws CoreException {
        IProject project = org.eclipse.core.resources.ResourcesPlugin.getWorkspace().getRoot().getProject(NAME);
        if (!project.isAccessible() || !project.hasNature("org.eclipse.linuxtools.tmf.project.nature")) {
            return;
        }
        TmfProjectElement element = TmfProjectRegistry.getProject(project, true);
        awaitOpening(element, monitor);
        List<TmfTraceElement> traces = new ArrayList<>(element.getTracesFolder().getTraces());
        for (TmfTraceElement trace : traces) {
            UiThread.wait(display, trace::closeEditors);
            IResource link = trace.getResource();
            trace.deleteSupplementaryFolder();
            // A link alone is removed; a folder that someone put here stays.
            if (link.isLinked()) {
                link.delete(false, monitor == null ? new NullProgressMonitor() : monitor);
            }
        }
        awaitRemoval(monitor);
        UiThread.wait(display, TraceViews::hide);
    }

    /**
     * Waits until each of these traces that Trace Compass was asked to open has its editor: one whose link goes meanwhile
     * is answered with a dialog. The editor is opened within the job, whose name ends with the trace's.
     */
    static void awaitOpening(TmfProjectElement project, IProgressMonitor monitor) {
        List<String> names = project.getTracesFolder().getTraces().stream().map(TmfTraceElement::getName).toList();
        await(job -> job instanceof TmfOpenTraceHelper.OpenProjectElementJob && names.stream().anyMatch(job.getName()::endsWith), monitor);
    }

    /**
     * Waits until Trace Compass has removed what it kept of the traces whose links are gone: it does so in a job of its own, and
     * would take it from the next trace of that name.
     */
    static void awaitRemoval(IProgressMonitor monitor) {
        await(job -> job.getName().equals(REMOVAL), monitor);
    }

    private static void await(Predicate<Job> which, IProgressMonitor monitor) {
        for (Job job : Job.getJobManager().find(null)) {
            if (which.test(job)) {
                try {
                    job.join(LONGEST_OPENING.toMillis(), monitor);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                } catch (OperationCanceledException e) {
                    return; // then the dialog is the lesser evil
                }
            }
        }
    }

    /**
     * A resource's name: without separators and control characters, even if the session's folder has some in its name.
     */
    static String linkName(String name) {
        StringBuilder safe = new StringBuilder();
        name.codePoints().limit(LONGEST_NAME)
                .map(c -> Character.isLetterOrDigit(c) || " ._-()+@".indexOf(c) >= 0 ? c : '_')
                .forEach(safe::appendCodePoint);
        String trimmed = safe.toString().strip().replaceAll("^\\.+|\\.+$", "");
        return trimmed.isEmpty() ? "session" : trimmed;
    }

    static CoreException failure(String message, Throwable cause) {
        return new CoreException(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(message), cause));
    }
}
