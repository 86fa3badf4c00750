// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.util.Optional;

import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.kview.model.Bookmark.Range;
import org.kview.trace.KviewTrace;

/** The time that is selected in the events of the open session. */
public final class TraceTime {
    private TraceTime() {
    }

    static boolean isOpen() {
        return TmfTraceManager.getInstance().getActiveTrace() instanceof KviewTrace;
    }

    /** Empty while no events are open. */
    public static Optional<Range> selection() {
        return isOpen() ? Optional.of(TmfTraceManager.getInstance().getCurrentTraceContext().getSelectionRange())
                .map(range -> range(range.getStartTime(), range.getEndTime())) : Optional.empty();
    }

    /** Selects it in all views that follow the time. On the UI thread. */
    public static void select(Range range) {
        TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(TraceTime.class,
                TmfTimestamp.fromNanos(range.beginNanos()), TmfTimestamp.fromNanos(range.endNanos())));
    }

    /** A selection that was drawn from right to left begins after it ends. */
    static Range range(ITmfTimestamp one, ITmfTimestamp other) {
        return new Range(Math.min(one.toNanos(), other.toNanos()), Math.max(one.toNanos(), other.toNanos()));
    }
}
