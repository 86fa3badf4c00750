// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import java.util.Optional;
import java.util.function.Consumer;

import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalHandler;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfWindowRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.PlatformUI;
import org.kview.model.Bookmark.Range;
import org.kview.trace.KviewTrace;
import org.kview.ui.UiThread;
import org.kview.ui.session.memory.TimeRanges;

/**
 * Between our selection and Trace Compass's: the time that is selected, and the time that is shown. A single moment that is
 * selected there selects no calls. Its signal handlers are Trace Compass's to call.
 */
public final class TraceSelection implements SelectionListener {
    private final SelectionService selection;
    private final Display display;
    private Optional<Range> selected = Optional.empty();
    private Optional<Range> shown = Optional.empty();

    TraceSelection(SelectionService selection) {
        display = PlatformUI.getWorkbench().getDisplay();
        this.selection = selection;
        TmfSignalManager.register(this);
    }

    /** Hears of Trace Compass no more. */
    void stop() {
        TmfSignalManager.deregister(this);
    }

    private static Optional<KviewTrace> trace() {
        ITmfTrace active = TmfTraceManager.getInstance().getActiveTrace();
        // Beside the session's, one of another tool may be looked at.
        return active instanceof KviewTrace trace ? Optional.of(trace) : TmfTraceManager.getInstance().getOpenedTraces().stream()
                .filter(KviewTrace.class::isInstance).map(KviewTrace.class::cast).findFirst();
    }

    // From us to Trace Compass

    @Override
    public void selectionChanged(SelectionService changed) {
        Optional<Range> time = changed.focus().or(() -> changed.selection().time());
        boolean other = !time.equals(selected);
        boolean zoomed = !changed.shown().equals(shown);
        selected = time;
        shown = changed.shown();
        if (trace().isEmpty()) {
            return;
        }
        KviewTrace trace = trace().get();
        if (other && time.isPresent()) {
            TmfTimeRange range = range(trace, time.get());
            TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(this, range.getStartTime(), range.getEndTime()));
        }
        if (zoomed) {
            TmfSignalManager.dispatchSignal(new TmfWindowRangeUpdatedSignal(this,
                    shown.map(range -> range(trace, range)).orElseGet(trace::getTimeRange)));
        }
    }

    private static TmfTimeRange range(KviewTrace trace, Range time) {
        return new TmfTimeRange(TmfTimestamp.fromNanos(time.beginNanos() - trace.clockLagNanos()),
                TmfTimestamp.fromNanos(time.endNanos() - trace.clockLagNanos()));
    }

    // From Trace Compass to us

    @TmfSignalHandler
    public void timeSelected(TmfSelectionRangeUpdatedSignal signal) {
        later(signal, signal.getBeginTime(), signal.getEndTime(), range -> {
            Optional<Range> time = range.beginNanos() == range.endNanos() ? Optional.empty() : Optional.of(range);
            selected = time;
            selection.selectTime(time);
        });
    }

    @TmfSignalHandler
    public void windowChanged(TmfWindowRangeUpdatedSignal signal) {
        later(signal, signal.getCurrentRange().getStartTime(), signal.getCurrentRange().getEndTime(), range -> {
            if (range.beginNanos() < range.endNanos()) {
                shown = Optional.of(range);
                selection.show(shown);
            }
        });
    }

    /** What comes back with a session is the last that was looked at there, which may be a single call. */
    private void later(TmfSignal signal, ITmfTimestamp one, ITmfTimestamp other, Consumer<Range> work) {
        if (signal.getSource() == this || signal.getSource() instanceof TimeRanges || trace().isEmpty()) {
            return;
        }
        KviewTrace trace = trace().get();
        // A selection that was drawn from right to left begins after it ends.
        Range range = new Range(Math.min(one.toNanos(), other.toNanos()) + trace.clockLagNanos(),
                Math.max(one.toNanos(), other.toNanos()) + trace.clockLagNanos());
        TmfTimeRange all = trace.getTimeRange();
        if (trace != TmfTraceManager.getInstance().getActiveTrace() && (range.endNanos() - trace.clockLagNanos() < all.getStartTime().toNanos()
                || range.beginNanos() - trace.clockLagNanos() > all.getEndTime().toNanos())) {
            // As Trace Compass does with each of its traces: a time that it does not have is not told to it.
            return;
        }
        UiThread.later(display, () -> {
            if (trace().filter(active -> active == trace).isPresent()) {
                work.accept(range);
            }
        });
    }
}
