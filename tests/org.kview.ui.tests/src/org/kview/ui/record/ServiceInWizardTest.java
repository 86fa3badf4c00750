// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.wire.proto.ToAgent;

/** All processes of a service, by one of them, as the Processes view's context menu opens the wizard. */
class ServiceInWizardTest {
    @TempDir
    Path folder;

    private final FakeHost host = new FakeHost();
    private WizardDialog dialog;
    private RecordWizard wizard;

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> dialog.close());
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    @Test
    void aWholeServiceIsRecordedByOneOfItsProcesses() throws Exception {
        Ui.run(() -> {
            TargetConnection connection = FakeHost.connection(host);
            wizard = new RecordWizard(List.of(connection), RecordWizard.Preset.ofService(connection, FakeHost.SHOP_PID),
                    new TemplateStore(folder), Display.getCurrent(), Recordings::start);
            dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
        Ui.await("there is nothing to ask of the process", () -> dialog.getCurrentPage() == wizard.functionPage());
        assertThat(Ui.get(() -> wizard.functionPage().getTitle())).isEqualTo("Functions of /system.slice/shop.service on local");
        Ui.run(() -> {
            dialog.showPage(wizard.processPage());
            Button service = wizard.processPage().serviceButton();
            assertThat(service.getText()).endsWith(": /system.slice/shop.service");
            tick(service, false);
            dialog.showPage(wizard.functionPage());
            assertThat(wizard.functionPage().getTitle()).isEqualTo("Functions of checkout (" + FakeHost.SHOP_PID + ") on local");
            dialog.showPage(wizard.processPage());
            tick(service, true);
            dialog.showPage(wizard.functionPage());
            wizard.functionPage().patternField().setText("price_b");
        });
        Ui.await("its functions", () -> wizard.functionPage().checks().functions().size() == 1);
        Ui.run(() -> {
            wizard.functionPage().checks().setChecked(0, true);
            dialog.showPage(wizard.pricePage());
            assertThat(wizard.pricePage().isTrying()).as("a trial is of one process").isFalse();
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setPlace(folder.toString(), "service");
            assertThat(wizard.performFinish()).isTrue();
            dialog.close();
        });
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        assertThat(host.received().stream().filter(ToAgent::hasStartRecording)).singleElement().satisfies(request -> {
            assertThat(request.getStartRecording().getScopes(0).getCgroup().getPath()).isEqualTo("/system.slice/shop.service");
            assertThat(request.getStartRecording().getProbesList()).extracting("pid").containsExactly(FakeHost.SHOP_PID);
        });
    }

    private static void tick(Button box, boolean on) {
        box.setSelection(on);
        box.notifyListeners(SWT.Selection, new Event());
    }
}
