// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

/** Each view of single calls says what has to be known of their functions' times. */
class MarkedCallsTest {
    private static final String MARK = "price_basket: until it goes on to settle";

    @TempDir
    static Path folder;

    @BeforeAll
    static void openSession() throws Exception {
        RealSession.open(RealSession.markedIn(folder));
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        Ui.run(() -> SelectionService.get().clear());
        RealSession.close();
    }

    @BeforeEach
    void selectAll() {
        Ui.run(() -> SelectionService.get().clear());
        Ui.settle();
    }

    private static void select(String function) {
        int id = RealSession.function(function).function().id();
        Ui.run(() -> SelectionService.get().select(CallSelection.ALL.withFunctions(Set.of(id))));
        Ui.settle();
    }

    @Test
    void everyViewOfCallsSaysIt() {
        for (String id : new String[] {KviewUi.VIEW_CALLS, KviewUi.VIEW_LATENCY, KviewUi.VIEW_WHY, KviewUi.VIEW_TIMELINE}) {
            CallsPart<?> view = Ui.view(id, CallsPart.class);
            select("price_basket");
            assertThat(Ui.get(view::marks)).as(id).isEqualTo(MARK);
            assertThat(Ui.get(view::marksInFull)).as(id).isEqualTo("price_basket: its time is only that until it goes on to settle.");
            select("flush_cache");
            assertThat(Ui.get(view::marks)).as(id + ": its times are what they seem").isEmpty();
            selectAll();
            assertThat(Ui.get(view::marks)).as(id + ": of all functions").isEqualTo(MARK);
        }
    }
}
