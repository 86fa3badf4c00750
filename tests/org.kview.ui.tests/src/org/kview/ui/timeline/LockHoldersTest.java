// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeGraphEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.LatencyFormat;
import org.kview.model.LockHolder;
import org.kview.model.Metric;
import org.kview.model.ProgramPlace;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waker;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SampleSession;

/** On the sample, which was recorded with waits: price_basket waits for a lock. */
class LockHoldersTest {
    private static final String LOCK = "cache_lock";

    @BeforeEach
    void open() throws Exception {
        RealSession.open(SampleSession.inWorkspace());
        Ui.run(() -> SelectionService.get().clear());
    }

    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    private static Wait wait(int waker, long count, String lock, Optional<LockHolder> holder) {
        return new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, waker, 4700, ""), 0x1000, lock, 1000 * count, count, WaitPlace.UNKNOWN,
                WaitCall.NONE, holder, ProgramPlace.UNKNOWN);
    }

    @Test
    void theHolderThatWasMetMostOftenIsTold() {
        Optional<LockHolder> worker = Optional.of(new LockHolder(4711, 4700, "worker", "flush_cache"));
        Optional<LockHolder> elsewhere = Optional.of(new LockHolder(4711, 4700, "worker", ""));
        Optional<LockHolder> other = Optional.of(new LockHolder(4712, 4700, "other", ""));
        LockHolders holders = new LockHolders(Map.of(1, List.of(wait(4711, 100, LOCK, worker), wait(4711, 88, LOCK, elsewhere),
                wait(4712, 1, LOCK, other), wait(4712, 1, LOCK, Optional.empty()), wait(4712, 5, "queue_lock", other))));
        assertThat(holders.ofFunction(1)).contains(LOCK + ", 188 of 190 times held by thread 4711 (worker) of process 4700");
        assertThat(holders.ofFunction(2)).isEmpty();
        assertThat(holders.ofWaker(4712)).contains("queue_lock, 5 of 5 times held by thread 4712 (other) of process 4700");
        assertThat(holders.ofWaker(1)).isEmpty();
    }

    @Test
    void theToolTipOfACallSaysIt() throws Exception {
        TimelineView view = Ui.view(TimelineView.ID, TimelineView.class);
        Ui.await("it is shown", view::isShown);
        CallEvent call = Ui.get(() -> {
            List<CallEvent> calls = new ArrayList<>();
            for (ITimeGraphEntry line : view.lines()) {
                line.getTimeEventsIterator().forEachRemaining((ITimeEvent event) -> {
                    if (event instanceof CallEvent its && its.call().function().equals("price_basket") && its.call().nanos(Metric.LOCK) > 0) {
                        calls.add(its);
                    }
                });
            }
            return calls.getFirst();
        });
        Map<String, String> told = Ui.get(() -> view.viewer().getTimeGraphProvider().getEventHoverToolTipInfo(call));
        assertThat(told.get("Of all its function's waits")).as("an agent of before holders were told").isEqualTo(LOCK);
        assertThat(told.get("lock")).as("exactly").isEqualTo(LatencyFormat.exactly(call.call().nanos(Metric.LOCK)))
                .endsWith(LatencyFormat.count(call.call().nanos(Metric.LOCK)) + " ns");
    }
}
