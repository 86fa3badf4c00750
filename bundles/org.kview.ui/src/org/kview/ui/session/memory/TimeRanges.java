// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.util.Optional;

import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalHandler;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceSelectedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfWindowRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.PlatformUI;
import org.kview.model.Bookmark.Range;
import org.kview.ui.UiThread;

/**
 * The stretch of time that the views of a trace show, and the one that is selected in it. Listens to
 * Trace Compass, which forgets both with the trace. Its public methods are Trace Compass's to call.
 */
public final class TimeRanges {
    private Optional<Range> window = Optional.empty();
    private Optional<Range> selection = Optional.empty();
    private Optional<Range> wantedWindow = Optional.empty();
    private Optional<Range> wantedSelection = Optional.empty();
    /** The trace whose ranges were set once, before it had been read that far; null if there is none. */
    private ITmfTrace asked;
    /** The trace of the session before, which may close after the next session came; null if there was none. */
    private ITmfTrace former;

    private final Display display;

    TimeRanges() {
        display = PlatformUI.getWorkbench().getDisplay();
        TmfSignalManager.register(this);
    }

    void dispose() {
        TmfSignalManager.deregister(this);
    }

    /** Another session is opened: nothing is known about its trace. */
    synchronized void clear() {
        window = Optional.empty();
        selection = Optional.empty();
        wantedWindow = Optional.empty();
        wantedSelection = Optional.empty();
        asked = null;
        former = TmfTraceManager.getInstance().getActiveTrace();
    }

    /** Whether this session's trace is open. */
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

    /** Takes effect when the trace opens and is read so far, or now if it is. */
    synchronized void restore(IMemento memento) {
        wantedWindow = range(memento.getChild("window"));
        wantedSelection = range(memento.getChild("selection"));
        asked = null;
        bringBackLater();
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
    private void bringBackLater() {
        if (isOpen() && (wantedWindow.isPresent() || wantedSelection.isPresent())) {
            UiThread.later(display, this::bringBack);
        }
    }

    /**
     * Trace Compass takes no time beyond what it has read of the trace, and doesn't say so: what is beyond it now is
     * asked for at once and again when it was read.
     */
    private void bringBack() {
        Optional<Range> toShow;
        Optional<Range> toSelect;
        synchronized (this) {
            if (!isOpen()) {
                return;
            }
            ITmfTrace trace = TmfTraceManager.getInstance().getActiveTrace();
            boolean again = asked == trace;
            asked = trace;
            toShow = wantedWindow.filter(range -> !again || isRead(trace, range));
            toSelect = wantedSelection.filter(range -> !again || isRead(trace, range));
            wantedWindow = wantedWindow.filter(range -> !isRead(trace, range));
            wantedSelection = wantedSelection.filter(range -> !isRead(trace, range));
        }
        toShow.ifPresent(range -> TmfSignalManager.dispatchSignal(new TmfWindowRangeUpdatedSignal(this,
                new TmfTimeRange(TmfTimestamp.fromNanos(range.beginNanos()), TmfTimestamp.fromNanos(range.endNanos())))));
        toSelect.ifPresent(range -> TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(this,
                TmfTimestamp.fromNanos(range.beginNanos()), TmfTimestamp.fromNanos(range.endNanos()))));
    }

    private static boolean isRead(ITmfTrace trace, Range range) {
        return trace.getEndTime().toNanos() >= range.endNanos();
    }

    @TmfSignalHandler
    public synchronized void traceSelected(TmfTraceSelectedSignal signal) {
        bringBackLater();
    }

    /** More of the trace has been read. */
    @TmfSignalHandler
    public synchronized void traceUpdated(TmfTraceUpdatedSignal signal) {
        bringBackLater();
    }

    @TmfSignalHandler
    public synchronized void windowChanged(TmfWindowRangeUpdatedSignal signal) {
        if (isOpen()) {
            window = Optional.of(TraceTime.range(signal.getCurrentRange().getStartTime(),
                    signal.getCurrentRange().getEndTime()));
            wantedWindow = wantedWindow.filter(range -> isStillWanted(signal));
        }
    }

    @TmfSignalHandler
    public synchronized void selectionChanged(TmfSelectionRangeUpdatedSignal signal) {
        if (isOpen()) {
            selection = Optional.of(TraceTime.range(signal.getBeginTime(), signal.getEndTime()));
            wantedSelection = wantedSelection.filter(range -> isStillWanted(signal));
        }
    }

    /** What the user chooses while the trace is read stays. */
    private boolean isStillWanted(TmfSignal signal) {
        return signal.getSource() == this || asked == null;
    }
}
