// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.util.Optional;

import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalHandler;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceSelectedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfWindowRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IMemento;
import org.kview.model.Bookmark.Range;
import org.kview.trace.KviewTrace;

/**
 * The stretch of time that the views of a trace show, and the one that is selected in it. Listens to
 * Trace Compass, which forgets both with the trace. Its public methods are Trace Compass's to call.
 */
public final class TimeRanges {
    private Optional<Range> window = Optional.empty();
    private Optional<Range> selection = Optional.empty();
    private Optional<Range> wantedWindow = Optional.empty();
    private Optional<Range> wantedSelection = Optional.empty();
    /** The trace of the session before, which may close after the next session came; null if there was none. */
    private ITmfTrace former;

    TimeRanges() {
        TmfSignalManager.register(this);
    }

    void dispose() {
        TmfSignalManager.deregister(this);
    }

    /** Another session comes: nothing is known of its trace. */
    synchronized void clear() {
        window = Optional.empty();
        selection = Optional.empty();
        wantedWindow = Optional.empty();
        wantedSelection = Optional.empty();
        former = TmfTraceManager.getInstance().getActiveTrace();
    }

    /** Whether this session's trace is. */
    private boolean isOpen() {
        return TraceTime.isOpen() && TmfTraceManager.getInstance().getActiveTrace() != former;
    }

    /** Where its trace has not opened yet, what it will be brought to. */
    synchronized void save(IMemento memento) {
        save(memento.createChild("window"), window.or(() -> wantedWindow));
        save(memento.createChild("selection"), selection.or(() -> wantedSelection));
    }

    private static void save(IMemento memento, Optional<Range> range) {
        range.ifPresent(r -> {
            memento.putString("begin", Long.toString(r.beginNanos()));
            memento.putString("end", Long.toString(r.endNanos()));
        });
    }

    /** Takes effect when the trace opens, or now if it is open. */
    synchronized void restore(IMemento memento) {
        wantedWindow = range(memento.getChild("window"));
        wantedSelection = range(memento.getChild("selection"));
        if (isOpen()) {
            bringBack();
        }
    }

    private static Optional<Range> range(IMemento memento) {
        try {
            return memento == null || memento.getString("begin") == null ? Optional.empty()
                    : Optional.of(new Range(Long.parseLong(memento.getString("begin")),
                            Long.parseLong(memento.getString("end"))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** After those who answer the same signal by showing the trace's beginning. */
    private void bringBack() {
        Optional<Range> toShow = wantedWindow;
        Optional<Range> toSelect = wantedSelection;
        wantedWindow = Optional.empty();
        wantedSelection = Optional.empty();
        Display.getDefault().asyncExec(() -> {
            toShow.ifPresent(range -> TmfSignalManager.dispatchSignal(new TmfWindowRangeUpdatedSignal(this,
                    new TmfTimeRange(TmfTimestamp.fromNanos(range.beginNanos()),
                            TmfTimestamp.fromNanos(range.endNanos())))));
            toSelect.ifPresent(TraceTime::select);
            remember(toShow, toSelect);
        });
    }

    private synchronized void remember(Optional<Range> shown, Optional<Range> selected) {
        window = shown.or(() -> window);
        selection = selected.or(() -> selection);
    }

    @TmfSignalHandler
    public synchronized void traceSelected(TmfTraceSelectedSignal signal) {
        if (signal.getTrace() instanceof KviewTrace && signal.getTrace() != former && (wantedWindow.isPresent() || wantedSelection.isPresent())) {
            bringBack();
        }
    }

    @TmfSignalHandler
    public synchronized void windowChanged(TmfWindowRangeUpdatedSignal signal) {
        if (isOpen()) {
            window = Optional.of(TraceTime.range(signal.getCurrentRange().getStartTime(),
                    signal.getCurrentRange().getEndTime()));
        }
    }

    @TmfSignalHandler
    public synchronized void selectionChanged(TmfSelectionRangeUpdatedSignal signal) {
        if (isOpen()) {
            selection = Optional.of(TraceTime.range(signal.getBeginTime(), signal.getEndTime()));
        }
    }
}
