// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.ProbeWay;
import org.kview.recording.ScopeSpec;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.Ui;

/** What the wizard takes over from whoever opens it, and what is chosen at once. */
class WizardChoicesTest {
    @TempDir
    Path templates;

    private WizardDialog dialog;
    private RecordWizard wizard;

    private void open(long pid) {
        Ui.run(() -> {
            TargetConnection connection = FakeHost.connection(new FakeHost());
            wizard = new RecordWizard(List.of(connection), RecordWizard.Preset.of(connection, pid), new TemplateStore(templates),
                    Display.getCurrent(), (_, _, _) -> { });
            dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
    }

    @AfterEach
    void close() {
        FakeHost.leave(dialog, wizard);
    }

    private void search(String text, int matches) throws InterruptedException {
        Ui.run(() -> wizard.functionPage().patternField().setText(text));
        Ui.await("functions named " + text, () -> wizard.functionPage().checks().functions().size() == matches);
    }

    @Test
    void whoComesWithAProcessBeginsWithItsFunctions() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are asked for", () -> dialog.getCurrentPage() == wizard.functionPage());
        Ui.await("its functions are listed", () -> wizard.functionPage().checks().functions().size() == 4);
        assertThat(Ui.get(wizard.processPage()::scope)).contains(new ScopeSpec.Attach(FakeHost.SHOP_PID));
        Ui.run(() -> dialog.showPage(wizard.processPage()));
        press(wizard.processPage().refreshButton());
        Ui.await("processes are listed anew", () -> wizard.processPage().refreshButton().isEnabled());
        assertThat(Ui.get(dialog::getCurrentPage)).as("who went back stays there").isSameAs(wizard.processPage());
    }

    @Test
    void aProcessThatIsGoneIsAskedForAgain() throws Exception {
        open(999_999);
        Ui.await("it is missed", () -> wizard.processPage().getErrorMessage() != null);
        assertThat(Ui.get(wizard.processPage()::getErrorMessage)).startsWith("Process 999999 is not there any more");
        assertThat(Ui.get(dialog::getCurrentPage)).isSameAs(wizard.processPage());
    }

    /** That code is written into the process is said where the template was chosen, and on the page on which it can be taken back. */
    @Test
    void aTemplateKeepsTheWayAndTheWaits() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are listed", () -> dialog.getCurrentPage() == wizard.functionPage()
                && wizard.functionPage().checks().functions().size() == 4);
        List<RecordingTemplate.Probe> basket = List.of(new RecordingTemplate.Probe("", "price_basket", "price_basket"));
        var jumps = new RecordingTemplate("jumps", basket, false, Filter.AUTO, Optional.empty(), Budget.DEFAULT, ProbeWay.JUMP, false);
        var waits = new RecordingTemplate("waits", basket, false, Filter.AUTO, Optional.empty(), Budget.DEFAULT, ProbeWay.AUTO, true);
        FunctionPage page = wizard.functionPage();
        for (RecordingTemplate template : List.of(jumps, waits, jumps)) {
            Ui.run(() -> page.apply(template));
            Ui.await("it is applied", () -> !page.functions().isEmpty() && page.template(template.name()).equals(template));
            for (WizardPage said : List.of(page, wizard.optionsPage())) {
                assertThat(Ui.get(() -> said.getMessage().contains("writes code into this process"))).isEqualTo(template == jumps);
            }
        }
    }

    /** Beside functions of the program: both stay ticked, and events are of one kind. */
    @Test
    void systemCallsAreChosenWhereFunctionsAre() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are listed", () -> dialog.getCurrentPage() == wizard.functionPage()
                && wizard.functionPage().checks().functions().size() == 4);
        FunctionPage page = wizard.functionPage();
        search("price", 2);
        Ui.run(() -> page.checks().setChecked(0, true));
        assertThat(Ui.get(() -> page.binaryField().getItems())).contains("System calls", "Functions of the kernel", "Tracepoints of the kernel");
        Ui.run(() -> {
            page.patternField().setText("");
            page.binaryField().setText("System calls");
        });
        Ui.await("system calls are listed", () -> page.checks().functions().stream().map(FunctionInfo::name).toList()
                .equals(List.of("syscall:fsync", "syscall:read")));
        search("sy", 1);
        Ui.run(() -> page.checks().setChecked(0, true));
        assertThat(Ui.get(page::functions)).extracting(FunctionInfo::name).containsExactly("price_basket", "syscall:fsync");
        OptionsPage options = wizard.optionsPage();
        Ui.run(() -> dialog.showPage(options));
        Ui.run(() -> options.setEvents(true));
        assertThat(Ui.get(options::getErrorMessage)).startsWith("Events are kept of one kind of points");
        Ui.run(() -> options.setEvents(false));
        assertThat(Ui.get(options::getErrorMessage)).isNull();
        Ui.run(() -> dialog.showPage(page));
        Ui.run(() -> page.binaryField().setText("Functions of the kernel"));
        Ui.await("there are none on this host", () -> page.checks().functions().isEmpty());
    }

    /** What can be had of one process alone is then neither asked for nor offered. */
    @Test
    void aTemplateKeepsThatChildrenAreRecorded() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are listed", () -> dialog.getCurrentPage() == wizard.functionPage()
                && wizard.functionPage().checks().functions().size() == 4);
        var template = new RecordingTemplate("workers", List.of(new RecordingTemplate.Probe("", "price_basket", "price_basket")), false, Filter.AUTO,
                Optional.empty(), Budget.DEFAULT, ProbeWay.AUTO, false, CallConditions.NONE, CallSplits.NONE, true, List.of("alloc", "io"));
        FunctionPage page = wizard.functionPage();
        OptionsPage options = wizard.optionsPage();
        Ui.run(() -> page.apply(template));
        Ui.await("it is applied", () -> !page.functions().isEmpty() && page.template("workers").equals(template));
        assertThat(Ui.get(options::options).children()).isTrue();
        assertThat(Ui.get(options::options).measures()).containsExactly("alloc", "io");
        Ui.run(() -> options.setByJumps(true));
        assertThat(Ui.get(options::options).functions().way()).isEqualTo(ProbeWay.AUTO);
        assertThat(Ui.get(options::getMessage)).startsWith("Of a whole service, and of children");
        Ui.run(() -> options.setChildren(false));
        assertThat(Ui.get(options::options).functions().way()).isEqualTo(ProbeWay.JUMP);
        assertThat(Ui.get(options::options).children()).isFalse();
        assertThat(Ui.get(options::getErrorMessage)).isEqualTo("Jumps measure time alone: what calls take beside it needs traps.");
    }

    @Test
    void whatIsWrongInAConditionIsSaidAsItIsTyped() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are listed", () -> dialog.getCurrentPage() == wizard.functionPage()
                && wizard.functionPage().checks().functions().size() == 4);
        OptionsPage page = wizard.optionsPage();
        Ui.run(() -> dialog.showPage(page));
        for (String text : List.of("arg0 >", "arg9 > 1", "retval < 0")) {
            Ui.run(() -> page.setConditions(text));
            assertThat(Ui.get(page::isPageComplete)).as(text).isFalse();
        }
        assertThat(Ui.get(page::getErrorMessage)).contains("without events");
        Ui.run(() -> page.setConditions("price_total: arg9 > 1"));
        assertThat(Ui.get(page::getErrorMessage)).isEqualTo("Only calls where, character 14: 'arg9' is in no register: arg0 to arg5 are.");
        Ui.run(() -> page.setConditions("arg0 > 4096"));
        assertThat(Ui.get(page::isPageComplete)).isTrue();
        assertThat(Ui.get(page::getErrorMessage)).isNull();
        assertThat(Ui.get(page::options).conditions()).hasToString("arg0 > 4096");
        Ui.run(() -> page.setByJumps(true));
        assertThat(Ui.get(page::getErrorMessage)).contains("Jumps count every call");
    }

    @Test
    void aTemplateKeepsTheConditions() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are listed", () -> dialog.getCurrentPage() == wizard.functionPage()
                && wizard.functionPage().checks().functions().size() == 4);
        var template = new RecordingTemplate("large", List.of(new RecordingTemplate.Probe("", "price_basket", "price_basket")), false, Filter.AUTO,
                Optional.empty(), Budget.DEFAULT, ProbeWay.AUTO, false, CallConditions.parse("arg0 > 4096; price_basket: retval < 0"),
                CallSplits.parse("price_basket: arg1"));
        Ui.run(() -> wizard.functionPage().apply(template));
        Ui.await("it is applied", () -> !wizard.functionPage().functions().isEmpty()
                && wizard.functionPage().template("large").equals(template));
        assertThat(Ui.get(wizard.optionsPage()::options).conditions()).isEqualTo(template.conditions());
        assertThat(Ui.get(wizard.optionsPage()::options).splits()).isEqualTo(template.splits());
    }

    private void press(Button button) {
        Ui.run(() -> button.notifyListeners(SWT.Selection, new Event()));
    }

    @Test
    void allThatMatchAreTickedAtOnce() throws Exception {
        open(FakeHost.SHOP_PID);
        Ui.await("its functions are asked for", () -> dialog.getCurrentPage() == wizard.functionPage());
        FunctionPage page = wizard.functionPage();
        search("price", 2);
        assertThat(Ui.get(() -> page.allButton().getText())).isEqualTo("Tick &All");
        press(page.allButton());
        assertThat(page.functions()).extracting("name").containsExactlyInAnyOrder("price_basket", "price_total");
        assertThat(Ui.get(() -> page.checks().control().getItem(1).getChecked())).isTrue();
        assertThat(Ui.get(() -> page.allButton().getText())).isEqualTo("Untick &All");
        search("", 4);
        press(page.allButton());
        assertThat(page.functions()).as("what can't be probed is not ticked").extracting("name")
                .containsExactlyInAnyOrder("price_basket", "price_total", "flush_cache");
        search("price", 2);
        press(page.allButton());
        assertThat(page.functions()).as("ticks of what is not shown stay").extracting("name").containsExactly("flush_cache");
        Ui.run(() -> page.patternField().setText("no_such_function"));
        Ui.await("nothing is found", () -> page.checks().functions().isEmpty());
        assertThat(Ui.get(() -> page.allButton().isEnabled())).isFalse();
    }
}
