// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Map;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.model.Metric;
import org.kview.session.calls.StoredThread;
import org.kview.ui.widgets.OwnTimeEvent;

/** A thread is in states that are too short to be told apart. */
final class SlotEvent extends OwnTimeEvent {
    private final StoredThread.Slot slot;

    /** @param beginNanos of what states that are told one by one leave of the slot, in ns since 1970 */
    SlotEvent(TimeGraphEntry line, StoredThread.Slot slot, long beginNanos, long endNanos, long startNanos) {
        super(line, beginNanos - startNanos, endNanos - beginNanos, main(slot).ordinal());
        this.slot = slot;
    }

    private static Metric main(StoredThread.Slot slot) {
        return slot.nanos().entrySet().stream().max(Map.Entry.<Metric, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow().getKey();
    }

    StoredThread.Slot slot() {
        return slot;
    }

    Metric main() {
        return main(slot);
    }
}
