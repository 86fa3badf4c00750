// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Filter;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbeWay;
import org.kview.model.SessionInfo;
import org.kview.recording.ScopeSpec;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.Target;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.wire.proto.ToAgent;

class RecordWizardTest {
    @TempDir
    Path folder;

    @TempDir
    Path templateFolder;

    private final FakeHost host = new FakeHost();
    private TemplateStore templates;
    private WizardDialog dialog;
    private RecordWizard wizard;

    private void open(Target target) {
        templates = new TemplateStore(templateFolder);
        Ui.run(() -> {
            TargetConnection connection = FakeHost.connection(target);
            wizard = new RecordWizard(List.of(connection), RecordWizard.Preset.of(connection), templates,
                    Display.getCurrent(), Recordings::start);
            dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
    }

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> {
            if (dialog != null) {
                dialog.close();
            }
        });
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    private void chooseTheShop() throws InterruptedException {
        ProcessPage page = wizard.processPage();
        Ui.await("processes are listed", () -> page.table().getItemCount() == 2);
        Ui.run(() -> page.filterField().setText("SHOP checkout"));
        assertThat(Ui.get(() -> page.table().getItemCount())).isEqualTo(1);
        Ui.run(() -> {
            page.table().setSelection(0);
            page.table().notifyListeners(org.eclipse.swt.SWT.Selection, new org.eclipse.swt.widgets.Event());
        });
        assertThat(Ui.get(page::isPageComplete)).isTrue();
        assertThat(Ui.get(page::scope)).isEqualTo(Optional.of(new ScopeSpec.Attach(FakeHost.SHOP_PID)));
        Ui.run(() -> dialog.showPage(wizard.functionPage()));
        assertThat(Ui.get(() -> wizard.functionPage().getTitle())).isEqualTo("Functions of checkout (" + FakeHost.SHOP_PID + ") on local");
    }

    private void search(String text, int matches) throws InterruptedException {
        Ui.run(() -> wizard.functionPage().patternField().setText(text));
        Ui.await("functions named " + text, () -> wizard.functionPage().checks().functions().size() == matches);
    }

    private void finish(String name) {
        Ui.run(() -> {
            dialog.showPage(wizard.optionsPage());
            assertThat(wizard.optionsPage().getTitle()).startsWith("Recording of ");
            wizard.optionsPage().setPlace(folder.toString(), name);
            assertThat(wizard.canFinish()).isTrue();
            assertThat(wizard.performFinish()).isTrue();
            dialog.close();
        });
    }

    private static LatencySnapshot figures() {
        return Ui.get(() -> SessionService.get().state().snapshot()).orElseThrow();
    }

    @Test
    void recordsWhatWasChosenShowsItLiveAndOpensItsSession() throws Exception {
        open(host);
        chooseTheShop();
        search("", 4);
        search("price", 2);
        Ui.run(() -> wizard.functionPage().checks().setChecked(0, true));
        search("flush", 1);
        Ui.run(() -> wizard.functionPage().checks().setChecked(0, true));
        assertThat(wizard.functionPage().functions()).extracting("name").containsExactly("price_basket", "flush_cache");
        assertThat(Ui.get(() -> wizard.functionPage().getMessage())).contains("single-step");
        finish("live");

        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        host.count(34_211, 0);
        Ui.await("figures arrive", () -> figures().functions().getFirst().calls() == 34_211);
        Ui.await("the table follows", () -> WindowText.tables().contains("34,211"));
        host.count(34_300, 5);
        Ui.await("losses arrive", () -> figures().losses().eventsDropped() == 5);
        SessionController controller = Ui.get(SessionController::get);
        controller.stopRecording();
        Ui.await("its session is opened", () -> SessionService.get().state() instanceof SessionState.Opened);
        assertThat(figures().info().state()).isEqualTo(SessionInfo.State.STOPPED);
        assertThat(figures().functions()).hasSize(2);
        assertThat(folder.resolve("live.kview").resolve("session.json")).exists();
        assertThat(host.received().stream().filter(ToAgent::hasStartRecording)).singleElement().satisfies(request ->
                assertThat(request.getStartRecording().getProbesList()).extracting("symbol")
                        .containsExactly("price_basket", "flush_cache"));
    }

    @Test
    void whatProbesCostIsMeasuredOnceAndShownBeforeAnythingIsAttached() throws Exception {
        open(host);
        chooseTheShop();
        search("price_b", 1);
        Ui.run(() -> wizard.functionPage().checks().setChecked(0, true));
        Ui.await("its cost is shown", () -> wizard.functionPage().checks().control().getItem(0).getText(2)
                .contains("1.50 µs"));
        Ui.await("and that of what is ticked", () -> wizard.functionPage().summaryText().contains("1.50 µs longer"));
        search("flush", 1);
        assertThat(host.received().stream().filter(ToAgent::hasCalibrate)).hasSize(1);
        assertThat(host.received()).noneMatch(ToAgent::hasStartRecording);
    }

    private void chooseTwoFunctions() throws InterruptedException {
        open(host);
        chooseTheShop();
        search("price", 2);
        Ui.run(() -> {
            wizard.functionPage().checks().setChecked(0, true);
            wizard.functionPage().checks().setChecked(1, true);
        });
    }

    private long started() {
        return host.received().stream().filter(ToAgent::hasStartRecording).count();
    }

    @Test
    void aTrialTellsWhatTheRecordingWillCost() throws Exception {
        host.cost(2_000_000_000L, 8_000_000_000L);
        chooseTwoFunctions();
        PricePage page = wizard.pricePage();
        Ui.run(() -> dialog.showPage(page));
        Ui.await("the trial is over", () -> page.table().getItemCount() == 2 && !page.isTrying());
        assertThat(Ui.get(() -> page.table().getItem(0).getText(0))).isEqualTo("price_basket");
        assertThat(Ui.get(() -> page.table().getItem(0).getText(4))).isEqualTo("25 %");
        assertThat(Ui.get(() -> page.table().getItem(0).getText(5))).contains("would come off");
        assertThat(Ui.get(() -> page.table().getItem(1).getText(5))).isEmpty();
        assertThat(Ui.get(page::getMessage)).startsWith("Beyond the budget of 5 %").contains("price_basket would come off");
        assertThat(Ui.get(page::statusText)).contains("calls a second", "25 % of the process's CPU time");
        Ui.run(() -> dialog.showPage(wizard.optionsPage()));
        Ui.run(() -> dialog.showPage(page));
        assertThat(started()).as("nothing changed, so nothing is tried again").isEqualTo(1);
        Ui.run(() -> dialog.showPage(wizard.functionPage()));
        host.forgetCosts();
        search("flush", 1);
        search("price", 2);
        Ui.run(() -> dialog.showPage(page));
        assertThat(started()).as("nor where something else is known of the same functions").isEqualTo(1);
        finish("tried");
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        assertThat(started()).isEqualTo(2);
    }

    @Test
    void aTrialCanBeCancelledAndMadeAgain() throws Exception {
        chooseTwoFunctions();
        PricePage page = wizard.pricePage();
        Ui.run(() -> {
            dialog.showPage(page);
            assertThat(page.statusText()).contains("Counting calls");
            assertThat(page.isTrying()).isTrue();
            page.button().notifyListeners(org.eclipse.swt.SWT.Selection, new org.eclipse.swt.widgets.Event());
        });
        Ui.await("it is cancelled", () -> !page.isTrying());
        assertThat(Ui.get(page::statusText)).contains("not known");
        assertThat(Ui.get(() -> page.table().getItemCount())).isZero();
        Ui.run(() -> page.button().notifyListeners(org.eclipse.swt.SWT.Selection, new org.eclipse.swt.widgets.Event()));
        Ui.await("the second one is over", () -> page.table().getItemCount() == 2 && !page.isTrying());
    }

    @Test
    void aTrialThatFailsSaysSoAndTheRecordingCanBeStartedAllTheSame() throws Exception {
        host.refuse("Be root.");
        chooseTwoFunctions();
        Ui.run(() -> dialog.showPage(wizard.pricePage()));
        Ui.await("the trial failed", () -> !wizard.pricePage().isTrying());
        assertThat(Ui.get(wizard.pricePage()::statusText)).contains("The trial failed: Be root.");
        assertThat(Ui.get(wizard.pricePage()::isPageComplete)).isTrue();
    }

    @Test
    void recordingWaitsForTheTrialToDetach() throws Exception {
        chooseTwoFunctions();
        Ui.run(() -> dialog.showPage(wizard.pricePage()));
        finish("at-once");
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        List<ToAgent.BodyCase> order = host.received().stream().map(ToAgent::getBodyCase).filter(body ->
                body == ToAgent.BodyCase.START_RECORDING || body == ToAgent.BodyCase.STOP_RECORDING).toList();
        assertThat(order.lastIndexOf(ToAgent.BodyCase.START_RECORDING)).as("%s", order)
                .isIn(0, order.size() - 1);
        assertThat(order.stream().filter(body -> body == ToAgent.BodyCase.START_RECORDING).count()
                - order.stream().filter(body -> body == ToAgent.BodyCase.STOP_RECORDING).count()).isOne();
    }

    @Test
    void returnProbesAreWarnedOfAndAskedFor() throws Exception {
        chooseTwoFunctions();
        Ui.run(() -> {
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setForcesReturnProbes(true);
        });
        assertThat(Ui.get(wizard.optionsPage()::getMessage)).contains("can end by that", "marked");
        finish("forced");
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        assertThat(host.received().stream().filter(ToAgent::hasStartRecording)).singleElement()
                .matches(request -> request.getStartRecording().getForceReturnProbes());
    }

    @Test
    void waitsAreAskedForWhereTheyAreTicked() throws Exception {
        chooseTwoFunctions();
        Ui.run(() -> dialog.showPage(wizard.optionsPage()));
        assertThat(Ui.get(wizard.optionsPage()::options).waits()).as("they cost something").isFalse();
        Ui.run(() -> wizard.optionsPage().setWaits(true));
        assertThat(Ui.get(wizard.optionsPage()::options).waits()).isTrue();
        Ui.run(() -> wizard.optionsPage().setByJumps(true));
        assertThat(Ui.get(wizard.optionsPage()::options).waits()).as("jumps tell of none").isFalse();
    }

    @Test
    void whatJumpsDoIsSaidWhereTheyAreChosen() throws Exception {
        chooseTwoFunctions();
        Ui.run(() -> {
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setByJumps(true);
        });
        assertThat(Ui.get(wizard.optionsPage()::getMessage)).contains("writes code into this process");
        assertThat(Ui.get(wizard.optionsPage()::options)).satisfies(options -> {
            assertThat(options.functions().way()).isEqualTo(ProbeWay.JUMP);
            assertThat(options.events()).as("there are events of both").isTrue();
        });
        Ui.run(() -> wizard.optionsPage().setByJumps(false));
        assertThat(Ui.get(wizard.optionsPage()::options).functions().way()).isEqualTo(ProbeWay.AUTO);
        assertThat(Ui.get(wizard.optionsPage()::options).events()).isTrue();
    }

    @Test
    void whatCantBeProbedCantBeTicked() throws Exception {
        open(host);
        chooseTheShop();
        search("start_of", 1);
        Ui.run(() -> wizard.functionPage().checks().setChecked(0, true));
        Table table = Ui.get(() -> wizard.functionPage().checks().control());
        assertThat(Ui.get(() -> table.getItem(0).getChecked())).isFalse();
        assertThat(Ui.get(() -> table.getItem(0).getText(3))).contains("can't be probed", "target of a jump");
        assertThat(Ui.get(() -> wizard.functionPage().isPageComplete())).isFalse();
    }

    @Test
    void whatBreaksOffIsKeptAndSaid() throws Exception {
        open(host);
        chooseTheShop();
        search("price_b", 1);
        Ui.run(() -> wizard.functionPage().checks().setChecked(0, true));
        finish("broken");
        Ui.await("it records", () -> SessionService.get().state() instanceof SessionState.Recording);
        host.count(7, 0);
        Ui.await("figures arrive", () -> figures().functions().getFirst().calls() == 7);
        host.fail("The ring buffer broke.");
        Ui.await("its session is opened", () -> SessionService.get().state() instanceof SessionState.Opened);
        assertThat(figures().info().state()).isEqualTo(SessionInfo.State.FAILED);
        Ui.await("the banner says so", () -> WindowText.banner().contains("The ring buffer broke."));
        assertThat(figures().functions().getFirst().calls()).isEqualTo(7);
    }

    @Test
    void anAgentThatDoesNotStartIsSaidOnTheFirstPage() throws Exception {
        open(new org.kview.targets.local.LocalTarget(folder.resolve("no-agent")));
        Ui.await("an error", () -> wizard.processPage().getErrorMessage() != null);
        assertThat(Ui.get(() -> wizard.processPage().getErrorMessage())).contains("no-agent");
        assertThat(Ui.get(() -> wizard.processPage().isPageComplete())).isFalse();
    }

    @Test
    void aCommandIsCheckedBeforeItIsStarted() throws Exception {
        open(host);
        Ui.await("processes are listed", () -> wizard.processPage().table().getItemCount() == 2);
        LaunchFields fields = Ui.get(() -> wizard.processPage().chooseLaunch());
        Ui.run(() -> fields.setCommand("sh -c 'sleep 1"));
        assertThat(Ui.get(fields::problem)).hasValueSatisfying(text -> assertThat(text).contains("quote"));
        Ui.run(() -> fields.setCommand("no-such-program-here -x"));
        assertThat(Ui.get(fields::problem)).hasValueSatisfying(text -> assertThat(text).contains("no-such-program"));
        Ui.run(() -> fields.setCommand("sh -c 'sleep 1'"));
        assertThat(Ui.get(() -> fields.spec().orElseThrow().arguments())).containsExactly("sh", "-c", "sleep 1");
        assertThat(Ui.get(() -> wizard.processPage().isPageComplete())).isTrue();
    }

    @Test
    void binariesAreThoseThatTheTargetSays() throws Exception {
        open(host);
        chooseTheShop();
        Ui.await("libraries are proposed", () -> wizard.functionPage().binaryField().getItemCount() == 5);
        assertThat(Ui.get(() -> wizard.functionPage().binaryField().getItems())).containsExactly("/srv/shop/checkout", "System calls", "Functions of the kernel", "Tracepoints of the kernel",
                "/usr/lib/x86_64-linux-gnu/libc.so.6");
        assertThat(Ui.get(() -> wizard.functionPage().binaryField().getText())).isEqualTo("/srv/shop/checkout");
    }

    @Test
    void aTemplateTicksWhatIsThereAndSaysWhatIsNot() throws Exception {
        open(host);
        chooseTheShop();
        var template = new RecordingTemplate("shop", List.of(new RecordingTemplate.Probe("", "price_basket", "price_basket"),
                new RecordingTemplate.Probe("", "start_of_all", "start_of_all"),
                new RecordingTemplate.Probe("libz.so.1", "gone_since", "gone_since")), false, Filter.IN,
                Optional.of(java.time.Duration.ofSeconds(7)), new org.kview.model.Budget(30_000));
        Ui.run(() -> wizard.functionPage().apply(template));
        Ui.await("it is applied", () -> !wizard.functionPage().functions().isEmpty());
        assertThat(wizard.functionPage().functions()).extracting("name").containsExactly("price_basket");
        assertThat(Ui.get(() -> wizard.functionPage().lackingText())).contains("2 functions", "start_of_all", "gone_since");
        assertThat(Ui.get(() -> wizard.optionsPage().events())).isFalse();
        assertThat(Ui.get(() -> wizard.optionsPage().filter())).isEqualTo(Filter.IN);
        assertThat(Ui.get(() -> wizard.optionsPage().budget())).hasToString("3%");
        assertThat(Ui.get(() -> wizard.optionsPage().duration())).contains(java.time.Duration.ofSeconds(7));
        RecordingTemplate kept = Ui.get(() -> wizard.functionPage().template("again"));
        assertThat(kept.budget()).hasToString("3%");
        assertThat(kept.probes()).containsExactly(new RecordingTemplate.Probe("", "price_basket", "price_basket"));
        templates.save(kept);
        assertThat(templates.list().templates()).containsExactly(kept);
    }

    @Test
    void anotherTargetIsAskedAnew() throws Exception {
        FakeHost other = new FakeHost("web-3");
        Ui.run(() -> {
            var registry = new org.kview.targets.registry.TargetRegistry();
            registry.show(List.of(new org.kview.targets.registry.TargetRegistry.Entry(host, TargetConnection.Origin.LOCAL),
                    new org.kview.targets.registry.TargetRegistry.Entry(other, TargetConnection.Origin.ADDED)));
            templates = new TemplateStore(templateFolder);
            wizard = new RecordWizard(registry.connections(), RecordWizard.Preset.of(registry.connections().getFirst(),
                    FakeHost.SHOP_PID), templates, Display.getCurrent(), (_, _, _) -> { });
            dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
        Ui.await("the preset process is chosen", () -> wizard.processPage().scope().isPresent());
        Ui.run(() -> wizard.processPage().targetChoice().choose(wizard.targets().getLast()));
        Ui.run(() -> wizard.processPage().refreshButton().notifyListeners(org.eclipse.swt.SWT.Selection,
                new org.eclipse.swt.widgets.Event()));
        Ui.await("the other one's processes are listed", () -> !other.received().isEmpty()
                && wizard.processPage().table().getItemCount() == 2);
        assertThat(Ui.get(() -> wizard.processPage().scope())).as("no process of the former target stays").isEmpty();
        Ui.run(() -> wizard.processPage().chooseLaunch().setCommand("shop --fast"));
        assertThat(Ui.get(() -> wizard.processPage().getMessage())).contains("whole path");
        Ui.run(() -> wizard.processPage().chooseLaunch().setCommand("/srv/shop --fast"));
        assertThat(Ui.get(() -> wizard.processPage().isPageComplete())).isTrue();
    }

    @Test
    void aSessionNeverReplacesAnother() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("taken.kview")).resolve("notes.txt"), "mine");
        Files.createDirectory(folder.resolve("begun.kview"));
        assertThat(SessionNames.problem(folder.toString(), "begun")).isEmpty();
        assertThat(SessionNames.problem(folder.toString(), "taken")).isPresent();
        assertThat(SessionNames.problem(folder.toString(), "taken.kview")).isPresent();
        assertThat(SessionNames.problem(folder.toString(), "free")).isEmpty();
        assertThat(SessionNames.problem(folder.toString(), "a/b")).isPresent();
        assertThat(SessionNames.problem("relative", "x")).isPresent();
        assertThat(SessionNames.problem(folder.toString(), "")).isPresent();
    }
}
