// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.actions.ActionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Bookmark.Range;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.SelectionService;

class ZoomHistoryTest {
    private static final long LATER = 1_000_000_000;

    @TempDir
    Path folder;

    private final AtomicLong now = new AtomicLong();
    private final List<String> shown = new ArrayList<>();
    private final ZoomHistory<String> history = Ui.get(() -> new ZoomHistory<>("all", shown::add, now::get));

    private void zoom(String part) {
        now.addAndGet(LATER);
        Ui.run(() -> history.note(part));
    }

    private String undone() {
        Ui.run(history::undo);
        return shown.isEmpty() ? "" : shown.getLast();
    }

    private String redone() {
        Ui.run(history::redo);
        return shown.getLast();
    }

    @Test
    void stepsAreTakenBackAndAgain() {
        assertThat(undone()).as("nothing was done").isEmpty();
        zoom("half");
        zoom("quarter");
        zoom("quarter");
        assertThat(undone()).isEqualTo("half");
        assertThat(undone()).isEqualTo("all");
        assertThat(undone()).as("there is no more").isEqualTo("all");
        assertThat(redone()).isEqualTo("half");
        assertThat(redone()).isEqualTo("quarter");
        assertThat(undone()).isEqualTo("half");
        zoom("other");
        assertThat(redone()).as("what was taken back is gone by now").isEqualTo("half");
        assertThat(undone()).isEqualTo("half");
    }

    /** A wheel tells of many. */
    @Test
    void stepsInOneGoAreOne() {
        zoom("half");
        for (int i = 0; i < 5; i++) {
            now.addAndGet(1_000_000);
            int step = i;
            Ui.run(() -> history.note("step " + step));
        }
        Ui.run(() -> history.note("all"));
        assertThat(undone()).as("to show all is a step of its own").isEqualTo("step 4");
        assertThat(undone()).isEqualTo("all");
        assertThat(redone()).isEqualTo("step 4");
    }

    @Test
    void anotherPictureHasNothingToTakeBack() {
        zoom("half");
        Ui.run(history::forget);
        assertThat(undone()).isEmpty();
    }

    /** By the menu's commands, in the views over time. */
    @Test
    void viewsTakeZoomsBack() throws Exception {
        RealSession.open(RealSession.in(folder));
        try {
            SelectionService selection = Ui.get(SelectionService::get);
            long start = Ui.get(() -> RealSession.figures().info().start().getEpochSecond()) * LATER;
            for (String id : List.of(KviewUi.VIEW_LATENCY, KviewUi.VIEW_TIMELINE)) {
                Ui.run(() -> selection.show(Optional.empty()));
                IActionBars bars = Ui.view(id, IViewPart.class).getViewSite().getActionBars();
                Ui.settle();
                Optional<Range> part = Optional.of(new Range(start + LATER, start + 2 * LATER));
                Ui.await("it follows: " + id, () -> {
                    selection.show(part);
                    return bars.getGlobalActionHandler(ActionFactory.UNDO.getId()).isEnabled();
                });
                run(bars, ActionFactory.UNDO);
                assertThat(Ui.get(selection::shown)).as(id).isEmpty();
                run(bars, ActionFactory.REDO);
                assertThat(Ui.get(selection::shown)).as(id).isEqualTo(part);
            }
        } finally {
            Ui.view(KviewUi.VIEW_DISTRIBUTION, IViewPart.class);
            RealSession.close();
        }
    }

    private static void run(IActionBars bars, ActionFactory what) {
        Ui.run(() -> bars.getGlobalActionHandler(what.getId()).run());
        Ui.settle();
    }
}
