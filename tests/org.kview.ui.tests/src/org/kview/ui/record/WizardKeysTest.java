// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.eclipse.jface.wizard.IWizardPage;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetRegistry;
import org.kview.ui.Dialogs;
import org.kview.ui.Ui;

/** The record wizard without a mouse. */
class WizardKeysTest {
    @TempDir
    Path templates;

    private final FakeHost here = new FakeHost();
    private final FakeHost other = new FakeHost("web-3");
    private WizardDialog dialog;
    private RecordWizard wizard;

    @BeforeEach
    void open() throws InterruptedException {
        Ui.run(() -> {
            TargetRegistry registry = new TargetRegistry();
            registry.show(List.of(new TargetRegistry.Entry(here, TargetConnection.Origin.LOCAL),
                    new TargetRegistry.Entry(other, TargetConnection.Origin.SSH_CONFIG)));
            wizard = new RecordWizard(registry.connections(), RecordWizard.Preset.of(registry.connections().getFirst()),
                    new TemplateStore(templates), Display.getCurrent(), (_, _, _) -> { });
            dialog = new RecordDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
        Ui.await("processes are listed", () -> wizard.processPage().table().getItemCount() == 2);
    }

    @AfterEach
    void close() {
        FakeHost.leave(dialog, wizard);
    }

    @Test
    void noTwoOfAPageAnswerToTheSameLetter() {
        for (IWizardPage page : wizard.getPages()) {
            List<String> letters = Ui.get(() -> {
                dialog.showPage(page);
                return Dialogs.all(dialog.getShell(), Control.class).stream().filter(Control::isVisible)
                        .flatMap(WizardKeysTest::mnemonic).toList();
            });
            assertThat(letters).as(page.getName()).doesNotHaveDuplicates().isNotEmpty();
        }
    }

    private static Stream<String> mnemonic(Control control) {
        String text = switch (control) {
            case Button button -> button.getText();
            case Label label -> label.getText();
            default -> "";
        };
        List<String> letters = new ArrayList<>();
        String single = text.replace("&&", "");
        int at = single.indexOf('&');
        if (at >= 0) {
            letters.add(single.substring(at + 1, at + 2).toUpperCase(Locale.ROOT));
        }
        return letters.stream();
    }

    @Test
    void whatIsTypedAtFirstNarrowsTheProcesses() throws InterruptedException {
        Ui.await("the filter has the focus", () -> wizard.processPage().filterField().isFocusControl());
    }

    @Test
    void goingThroughTheTargetsConnectsToNone() throws InterruptedException {
        ProcessPage page = wizard.processPage();
        Ui.run(() -> {
            // As the arrow down does in a list that is not opened.
            page.targetChoice().control().select(1);
            page.targetChoice().control().notifyListeners(SWT.Selection, new Event());
        });
        assertThat(Ui.get(() -> page.table().getItemCount())).isZero();
        assertThat(Ui.get(page::getMessage)).startsWith("web-3 is not connected.");
        assertThat(Ui.get(page::isPageComplete)).isFalse();
        Ui.settle();
        assertThat(other.received()).as("nobody logs in unasked").isEmpty();
        Ui.run(() -> page.refreshButton().notifyListeners(SWT.Selection, new Event()));
        Ui.await("its processes are listed", () -> page.table().getItemCount() == 2);
        assertThat(Ui.get(page::getMessage)).startsWith("Choose the process");
    }

    /** GTK presses a default button some time after the key, 250 ms. */
    private static final int BUTTON_MILLIS = 500;

    /** A real key, as SWT tells of it in more than one way. Released at once: one that is held too long repeats. */
    private void pressEnter(Table table) throws InterruptedException {
        Ui.focus(table);
        assertThat(Ui.get(() -> Display.getCurrent().post(enter(SWT.KeyDown)) && Display.getCurrent().post(enter(SWT.KeyUp)))).isTrue();
        Ui.await("the next page is there", () -> dialog.getCurrentPage() != wizard.processPage());
        Ui.settle();
        // Timers of the UI thread end in their order, so a button that the key pressed is pressed by then, however busy the machine is.
        AtomicBoolean over = new AtomicBoolean();
        Ui.run(() -> Display.getCurrent().timerExec(BUTTON_MILLIS, () -> over.set(true)));
        Ui.await("a button is pressed if any is", over::get);
    }

    private static Event enter(int type) {
        Event key = new Event();
        key.type = type;
        key.character = SWT.CR;
        key.keyCode = SWT.CR;
        return key;
    }

    @Test
    void enterOnAProcessLeadsToItsFunctionsAndNoFurther() throws InterruptedException {
        ProcessPage page = wizard.processPage();
        Ui.run(() -> {
            page.table().setSelection(0);
            page.table().notifyListeners(SWT.Selection, new Event());
        });
        pressEnter(page.table());
        assertThat(Ui.get(dialog::getCurrentPage)).isSameAs(wizard.functionPage());
        Ui.await("functions are found", () -> wizard.functionPage().checks().functions().size() == 4);
        Ui.run(() -> {
            wizard.functionPage().checks().setChecked(0, true);
            dialog.showPage(page);
        });
        pressEnter(page.table());
        assertThat(Ui.get(dialog::getCurrentPage)).as("also where functions are ticked already")
                .isSameAs(wizard.functionPage());
    }
}
