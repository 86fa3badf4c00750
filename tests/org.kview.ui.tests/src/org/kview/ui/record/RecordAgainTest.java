// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;

/** What one does next with a session: record the same again, and compare. */
class RecordAgainTest {
    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    private static void run(String command) {
        Ui.run(() -> Ui.page().getWorkbenchWindow().getShell().getDisplay()
                .asyncExec(() -> Commands.run(Ui.page().getWorkbenchWindow(), command)));
    }

    /** The wizard comes with the session's functions: it asks for the process only. */
    @Test
    void theWizardOpens() throws Exception {
        RealSession.open(RealSession.in(folder));
        List<String> jobs = new CopyOnWriteArrayList<>();
        IJobChangeListener listener = IJobChangeListener.onDone(event -> jobs.add(event.getJob().getName()));
        Job.getJobManager().addJobChangeListener(listener);
        run(KviewUi.COMMAND_RECORD_AGAIN);
        Shell wizard = Dialogs.await("Record");
        Job.getJobManager().removeJobChangeListener(listener);
        assertThat(jobs).as("the session's folder is not gone through on the UI thread").contains("Look at demo");
        assertThat(Ui.get(wizard::getText)).as("the wizard, and no refusal").isEqualTo("Record");
        Ui.run(wizard::close);
        Dialogs.awaitNone("Record");
    }

    @Test
    void thatThereIsNoEarlierSessionIsSaid() throws Exception {
        RealSession.open(RealSession.in(folder));
        run(KviewUi.COMMAND_COMPARE_PREVIOUS);
        Shell none = Dialogs.await("Compare with Previous");
        assertThat(Dialogs.text(none)).contains("In " + folder + " there is no earlier session of kview-demo on local with one of its functions.");
        Dialogs.press(none, "OK");
        Dialogs.awaitNone("Compare with Previous");
    }
}
