// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.RealSession;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionController;
import org.kview.ui.why.WhyView;

/** What stands there where there is no picture, or where calls are missing of it. */
class LatencyStatesTest {
    @TempDir
    Path folder;

    private LatencyView view;

    @BeforeEach
    void open() {
        view = Ui.view(LatencyView.ID, LatencyView.class);
    }

    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    @Test
    void withoutCallsItSaysWhatToDo() throws Exception {
        RealSession.close();
        assertThat(Ui.get(view::message)).hasValueSatisfying(text -> assertThat(text).startsWith("No calls yet"));
        Ui.get(SessionController::get).open(SessionFixture.write(folder.resolve("plain.kview"), false)).join();
        Ui.settle();
        assertThat(Ui.get(view::message)).hasValueSatisfying(text -> assertThat(text).contains("recorded without events"));
    }

    /** Its trace has entries only. */
    @Test
    void whatIsMissingStandsAtTheTop() throws Exception {
        RealSession.open(SessionFixture.write(folder.resolve("shop.kview"), true));
        Ui.await("it says so", () -> view.banner().sentences().stream().anyMatch(text -> text.contains("are not in the trace")));
        Ui.await("it has nothing to draw", () -> view.canvas().scene().message().equals("No call in the trace returned"));
        WhyView why = Ui.view(WhyView.ID, WhyView.class);
        Ui.await("nor is there anything to explain", () -> why.text().equals(List.of("No call is in the trace that could be explained.")));
    }
}
