// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.RealSession;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionController;

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
        assertThat(Ui.get(view::isPicture)).isFalse();
        assertThat(Ui.get(() -> view.message().text())).startsWith("No calls yet");
        Ui.get(SessionController::get).open(SessionFixture.write(folder.resolve("plain.kview"), false)).join();
        Ui.settle();
        assertThat(Ui.get(() -> view.message().text())).contains("recorded without events");
    }

    /** Its trace has entries only. */
    @Test
    void whatIsMissingStandsAtTheTop() throws Exception {
        RealSession.open(SessionFixture.write(folder.resolve("shop.kview"), true));
        Ui.await("it says so", () -> view.banner().sentences().stream().anyMatch(text -> text.contains("are not in the trace")));
        Ui.await("it has nothing to draw", () -> view.canvas().scene().message().startsWith("None of these calls returned"));
    }
}
