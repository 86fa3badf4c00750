// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.commands.ICommandService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Filter;
import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
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
        if (dialog != null) {
            Ui.run(() -> dialog.close());
        }
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    @Test
    void aWholeServiceIsRecordedByOneOfItsProcesses() throws Exception {
        open();
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

    private void open() {
        Ui.run(() -> {
            TargetConnection connection = FakeHost.connection(host);
            wizard = new RecordWizard(List.of(connection), RecordWizard.Preset.ofService(connection, FakeHost.SHOP_PID),
                    new TemplateStore(folder), Display.getCurrent(), Recordings::start);
            dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
    }

    /** Nor is another process recorded than the user asked for. */
    @Test
    void aHostThatCannotSaysSoAndRecordsNoSingleProcessInstead() throws Exception {
        host.withoutCgroups();
        open();
        Ui.await("it is said", () -> wizard.processPage().getErrorMessage() != null);
        assertThat(Ui.get(() -> wizard.processPage().getErrorMessage())).contains("local measures single processes");
        assertThat(Ui.get(() -> dialog.getCurrentPage() == wizard.processPage() && !wizard.processPage().isPageComplete())).isTrue();
        Ui.run(() -> tick(wizard.processPage().serviceButton(), false));
        assertThat(Ui.get(() -> wizard.processPage().isPageComplete())).as("this one alone").isTrue();
        assertThat(Ui.get(() -> wizard.processPage().getErrorMessage())).isNull();
    }

    @Test
    void whatIsOfOneProcessCannotBeChosen() throws Exception {
        open();
        Ui.await("there is nothing to ask of the process", () -> dialog.getCurrentPage() == wizard.functionPage());
        Ui.run(() -> wizard.functionPage().patternField().setText("price_b"));
        Ui.await("its functions", () -> wizard.functionPage().checks().functions().size() == 1);
        Ui.run(() -> {
            wizard.functionPage().checks().setChecked(0, true);
            wizard.optionsPage().setWaits(true);
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setPlace(folder.toString(), "service");
            assertThat(Dialogs.all(dialog.getShell(), Button.class)).filteredOn(button -> button.isVisible() && !button.isEnabled()).extracting(Button::getText)
                    .anyMatch(text -> text.startsWith("Wai&ts")).anyMatch(text -> text.startsWith("By &jumps")).anyMatch(text -> text.startsWith("Return &probes"));
            assertThat(wizard.optionsPage().options().waits()).isFalse();
            assertThat(wizard.optionsPage().getMessage()).contains("Of a whole service, and of children, it is not told what calls waited for");
            choose(Filter.VIEW);
            assertThat(wizard.optionsPage().getErrorMessage()).contains("choose another filter");
            choose(Filter.AUTO);
            assertThat(wizard.optionsPage().getErrorMessage()).isNull();
            dialog.showPage(wizard.processPage());
            tick(wizard.processPage().serviceButton(), false);
            dialog.showPage(wizard.optionsPage());
            assertThat(wizard.optionsPage().options().waits()).as("of one process").isTrue();
        });
    }

    private void choose(Filter filter) {
        Combo combo = Dialogs.all(dialog.getShell(), Combo.class).stream().filter(its -> its.isVisible() && its.getItem(1).startsWith("Kernel view")).findFirst()
                .orElseThrow();
        combo.select(filter == Filter.VIEW ? 1 : 0);
        combo.notifyListeners(SWT.Selection, new Event());
    }

    @Test
    void itIsRecordedAgainAsAService() throws Exception {
        Ui.run(() -> Recordings.start(FakeHost.connection(host), new ScopeSpec.Cgroup("shop.service"), new RecordingRequest(
                List.of(ProbeSpec.parse("checkout:price_basket").orElseThrow()), List.of(), folder.resolve("service.kview"), RecordingOptions.DEFAULT)));
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        Ui.run(() -> SessionController.get().stopRecording());
        Ui.await("it is open", () -> SessionService.get().state() instanceof SessionState.Opened
                && Ui.page().getWorkbenchWindow().getService(ICommandService.class).getCommand(KviewUi.COMMAND_RECORD_AGAIN).isEnabled());
        Ui.run(() -> Display.getCurrent().asyncExec(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_RECORD_AGAIN)));
        Ui.await("the wizard", () -> wizards().findAny().isPresent());
        Ui.run(() -> {
            dialog = wizards().findAny().orElseThrow();
            assertThat(((ProcessPage) dialog.getCurrentPage()).wantsService()).isTrue();
        });
    }

    private static Stream<WizardDialog> wizards() {
        return Stream.of(Display.getCurrent().getShells()).map(Shell::getData).filter(WizardDialog.class::isInstance).map(WizardDialog.class::cast);
    }

    private static void tick(Button box, boolean on) {
        box.setSelection(on);
        box.notifyListeners(SWT.Selection, new Event());
    }
}
