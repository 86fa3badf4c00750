// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.core.resources.IMarkerDelta;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.IResourceChangeEvent;
import org.eclipse.core.resources.IResourceChangeListener;
import org.eclipse.core.resources.IResourceDelta;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.core.resources.ITmfMarker;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalHandler;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceSelectedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.PlatformUI;
import org.kview.model.Bookmark;
import org.kview.model.SessionNotes;
import org.kview.trace.KviewTrace;
import org.kview.ui.UiThread;

/**
 * Shows the session's bookmarks in Trace Compass's views, as its own on the trace's resource, and takes
 * up those that are made there. Trace Compass forgets them with the trace, so a bookmark that is
 * removed there alone comes back; it is removed for good in the notes. Its signal handler is Trace
 * Compass's to call.
 */
public final class TraceBookmarks {
    /** Makes markers for the bookmarks in the notes. */
    private static final String OURS = "org.kview.bookmark";
    private static final String COLOUR = "RGBA {52, 101, 164, 128}";

    private final NotesService notes;
    private final Display display;
    private final IResourceChangeListener changes = this::resourcesChanged;

    private TraceBookmarks(NotesService notes, Display display) {
        this.notes = notes;
        this.display = display;
    }

    static TraceBookmarks start(NotesService notes) {
        TraceBookmarks bookmarks = new TraceBookmarks(notes, PlatformUI.getWorkbench().getDisplay());
        notes.add(state -> bookmarks.show());
        TmfSignalManager.register(bookmarks);
        ResourcesPlugin.getWorkspace().addResourceChangeListener(bookmarks.changes, IResourceChangeEvent.POST_CHANGE);
        return bookmarks;
    }

    void stop() {
        TmfSignalManager.deregister(this);
        ResourcesPlugin.getWorkspace().removeResourceChangeListener(changes);
    }

    @TmfSignalHandler
    public void traceSelected(TmfTraceSelectedSignal signal) {
        UiThread.later(display, this::show);
    }

    private static Optional<KviewTrace> trace() {
        return TmfTraceManager.getInstance().getActiveTrace() instanceof KviewTrace trace
                ? Optional.of(trace) : Optional.empty();
    }

    private static Optional<IFile> file(KviewTrace trace) {
        return Optional.ofNullable(TmfTraceManager.getInstance().getTraceEditorFile(trace)).filter(IFile::exists);
    }

    private void show() {
        Optional<SessionNotes> shown = notes.state().notes();
        Optional<KviewTrace> trace = trace();
        if (shown.isEmpty() || trace.isEmpty()) {
            return;
        }
        List<Bookmark> timed = shown.get().bookmarks().stream().filter(b -> b.range().isPresent()).toList();
        file(trace.get()).ifPresent(file -> {
            Job job = Job.create("Show bookmarks", monitor -> {
                ResourcesPlugin.getWorkspace().run(m -> bringInStep(trace.get(), file, timed), file, 0, monitor);
            });
            job.setSystem(true);
            job.schedule();
        });
    }

    private static void bringInStep(KviewTrace trace, IFile file, List<Bookmark> wanted) throws CoreException {
        List<Bookmark> missing = new ArrayList<>(wanted);
        for (IMarker marker : file.findMarkers(IMarker.BOOKMARK, false, IResource.DEPTH_ZERO)) {
            if (marker.getAttribute(OURS, false) && !removeFirst(missing, marker)) {
                marker.delete();
            }
        }
        for (Bookmark bookmark : missing) {
            create(trace, file, bookmark);
        }
    }

    private static boolean removeFirst(List<Bookmark> bookmarks, IMarker marker) {
        Optional<Bookmark> same = bookmark(Map.of(IMarker.MESSAGE, marker.getAttribute(IMarker.MESSAGE, ""),
                ITmfMarker.MARKER_TIME, marker.getAttribute(ITmfMarker.MARKER_TIME, ""),
                ITmfMarker.MARKER_DURATION, marker.getAttribute(ITmfMarker.MARKER_DURATION, "")))
                .flatMap(m -> bookmarks.stream().filter(b -> b.text().equals(m.text()) && b.range().equals(m.range()))
                        .findFirst());
        return same.map(bookmarks::remove).orElse(false);
    }

    private static void create(KviewTrace trace, IFile file, Bookmark bookmark) throws CoreException {
        Bookmark.Range range = bookmark.range().orElseThrow();
        ITmfContext context = trace.seekEvent(TmfTimestamp.fromNanos(range.beginNanos()));
        long rank = context.getRank();
        context.dispose();
        file.createMarker(IMarker.BOOKMARK, Map.of(IMarker.MESSAGE, bookmark.text(), IMarker.LOCATION,
                BookmarkText.when(bookmark), ITmfMarker.MARKER_RANK, Long.toString(rank), ITmfMarker.MARKER_TIME,
                Long.toString(range.beginNanos()), ITmfMarker.MARKER_DURATION,
                Long.toString(range.endNanos() - range.beginNanos()), ITmfMarker.MARKER_COLOR, COLOUR, OURS, true));
    }

    private void resourcesChanged(IResourceChangeEvent event) {
        for (IMarkerDelta delta : event.findMarkerDeltas(IMarker.BOOKMARK, true)) {
            if (delta.getKind() == IResourceDelta.ADDED && !delta.getMarker().getAttribute(OURS, false)) {
                adopt(delta.getMarker());
            }
        }
    }

    /** A resource can't be changed while its listeners are told about a change. */
    private void adopt(IMarker marker) {
        UiThread.later(display, () -> {
            if (!notes.state().canChange() || !trace().flatMap(TraceBookmarks::file)
                    .equals(Optional.of(marker.getResource()))) {
                return;
            }
            try {
                if (marker.exists()) {
                    bookmark(marker.getAttributes()).ifPresent(bookmark -> notes.change(n -> n.plus(bookmark)));
                    marker.setAttribute(OURS, true);
                }
            } catch (CoreException e) {
                ILog.of(getClass()).log(e.getStatus());
            }
        });
    }

    /** Empty if it is about no time. */
    private static Optional<Bookmark> bookmark(Map<String, Object> attributes) {
        try {
            long begin = Long.parseLong(String.valueOf(attributes.get(ITmfMarker.MARKER_TIME)));
            Object duration = attributes.get(ITmfMarker.MARKER_DURATION);
            long length = duration == null || duration.toString().isEmpty() ? 0 : Long.parseLong(duration.toString());
            return Optional.of(new Bookmark(String.valueOf(attributes.getOrDefault(IMarker.MESSAGE, "")),
                    Optional.empty(), Optional.of(new Bookmark.Range(begin, Math.addExact(begin, Math.max(0, length))))));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
