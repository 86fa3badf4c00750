// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.eclipse.swt.widgets.FileDialog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.ui.RealSession;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.calls.CallsState;
import org.kview.ui.session.SessionController;

class ReportPageTest {
    private static final String LACKS = "This page lacks the single calls of its session: ";

    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    /** While one chooses a file, anything may be opened: its calls do not come to the figures of what was open before. */
    @Test
    void figuresAndCallsAreOfTheSameSession() throws Exception {
        RealSession.open(RealSession.in(folder));
        ReportPage page = Ui.get(ReportPage::now).orElseThrow();
        assertThat(page.html()).contains("render_page", "<h2>Slowest calls</h2>").doesNotContain(LACKS);
        Ui.get(SessionController::get).open(SessionFixture.write(folder.resolve("plain.kview"), false)).join();
        assertThat(page.html()).contains("render_page", LACKS + "their session was closed").doesNotContain("<h2>Slowest calls</h2>");
        ReportPage plain = Ui.get(ReportPage::now).orElseThrow();
        RealSession.open(folder.resolve("demo.kview.zip"));
        assertThat(plain.html()).as("a session without events, while one with events is open").doesNotContain("render_page", "Slowest calls", LACKS);
    }

    @Test
    void itSaysThatCallsAreMissingAndWhy() throws Exception {
        RealSession.open(RealSession.in(folder));
        LatencySnapshot figures = RealSession.figures();
        assertThat(new ReportPage(true, figures, new CallsState.Storing(7, 9)).html()).contains(LACKS + "they were still being stored.");
        assertThat(new ReportPage(true, figures, new CallsState.Cancelled()).html()).contains(LACKS + "storing them was cancelled.");
        assertThat(new ReportPage(true, figures, new CallsState.Failed("The disk is full.")).html()).contains(LACKS + "The disk is full.");
        assertThat(new ReportPage(true, figures, new CallsState.None()).html()).as("just opened").contains(LACKS + "they were not at hand yet.");
        assertThat(new ReportPage(false, figures, new CallsState.None()).html()).as("of a recording that goes on").doesNotContain(LACKS);
        assertThat(new ReportPage(true, figures, new CallsState.WithoutEvents()).html()).as("there are none").doesNotContain(LACKS);
    }

    @Test
    void whereToIsAskedFromTheSessionsFolderOn() throws Exception {
        RealSession.open(RealSession.in(folder));
        FileDialog question = Ui.get(() -> ExportHtmlHandler.dialog(Ui.page().getWorkbenchWindow().getShell()));
        assertThat(Ui.get(question::getFilterPath)).isEqualTo(folder.toString());
        assertThat(Ui.get(question::getFileName)).isEqualTo("report.html");
        assertThat(Ui.get(question::getOverwrite)).as("asks before a file is written over").isTrue();
    }
}
