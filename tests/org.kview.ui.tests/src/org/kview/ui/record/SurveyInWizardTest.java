// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.recording.RecordingRequest;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.Ui;
import org.kview.wire.proto.ToAgent;

/** A survey ticks what is worth measuring. */
class SurveyInWizardTest {
    @TempDir
    Path folder;

    private final FakeHost host = new FakeHost();
    private final CompletableFuture<RecordingRequest> asked = new CompletableFuture<>();
    private WizardDialog dialog;
    private RecordWizard wizard;
    private FunctionPage page;

    @BeforeEach
    void open() throws Exception {
        Ui.run(() -> {
            TargetConnection connection = FakeHost.connection(host);
            wizard = new RecordWizard(List.of(connection), RecordWizard.Preset.of(connection, FakeHost.SHOP_PID),
                    new TemplateStore(folder), Display.getCurrent(), (_, _, request) -> asked.complete(request));
            dialog = new RecordDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
        });
        page = wizard.functionPage();
        Ui.await("its functions are listed", () -> page.checks().functions().size() == 4);
    }

    @AfterEach
    void close() {
        FakeHost.leave(dialog, wizard);
    }

    private void press() {
        Ui.run(() -> page.survey().button().notifyListeners(SWT.Selection, new Event()));
    }

    private void survey() throws InterruptedException {
        press();
        Ui.await("the survey is over", () -> !page.survey().isSurveying());
        Ui.settle();
    }

    private String status() {
        return Ui.get(() -> page.survey().statusText());
    }

    private List<String> shown() {
        return Ui.get(page.checks()::functions).stream().map(FunctionInfo::name).toList();
    }

    private List<String> ticked() {
        return Ui.get(page::functions).stream().map(FunctionInfo::name).toList();
    }

    private String text(int line, int column) {
        return Ui.get(() -> page.checks().control().getItem(line).getText(column));
    }

    /** The heads of the columns that can be seen, as they stand. */
    private List<String> columns() {
        return Ui.get(() -> {
            Table table = page.checks().control();
            return IntStream.of(table.getColumnOrder()).mapToObj(table::getColumn).filter(column -> column.getWidth() > 0)
                    .map(column -> column.getText()).toList();
        });
    }

    @Test
    void whatItSuggestsIsTickedWithItsFiguresAndStandsFirst() throws Exception {
        assertThat(columns()).containsExactly("Function", "Size", "Cost per call", "How it is probed");
        host.cost(8_000_000L, 8_000_000_000L);
        survey();
        assertThat(ticked()).containsExactly("price_basket", "flush_cache");
        assertThat(shown()).containsExactly("price_basket", "flush_cache", "price_total", "start_of_all");
        assertThat(columns()).containsExactly("Function", "Share", "Probes", "Where its time goes", "Size", "Cost per call",
                "How it is probed");
        assertThat(Ui.get(() -> page.checks().control().getItem(0).getChecked())).isTrue();
        assertThat(text(0, 4)).isEqualTo("40 %");
        assertThat(text(0, 5)).isEqualTo("<1 %");
        assertThat(text(0, 6)).isEqualTo("lock 100 %");
        assertThat(text(2, 4)).isEmpty();
        assertThat(status()).startsWith("5.00 s of 2 threads: block I/O 50 %, lock 40 %, on-CPU 10 %. 3 functions are worth measuring,"
                + " 2 of them are ticked.").contains("Left out checkout:start_of_all: ", "target of a jump");
        Ui.run(() -> page.checks().setChecked(1, false));
        assertThat(ticked()).containsExactly("price_basket");
        Ui.run(() -> page.patternField().setText("total"));
        Ui.await("others can be looked for", () -> shown().equals(List.of("price_total")));
    }

    @Test
    void whatIsTooDearIsNotTicked() throws Exception {
        host.cost(4_000_000_000L, 8_000_000_000L);
        survey();
        assertThat(ticked()).containsExactly("flush_cache");
        assertThat(shown()).startsWith("price_basket");
        assertThat(text(0, 5)).isEqualTo("50 %");
        assertThat(text(0, 3)).contains("left out", "more than the budget");
    }

    @Test
    void theRecordingKeepsIt() throws Exception {
        survey();
        Ui.run(() -> {
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setPlace(folder.toString(), "a");
            wizard.performFinish();
            dialog.close();
        });
        RecordingRequest request = asked.join();
        assertThat(request.surveyed().orElseThrow().suggested()).extracting("name").contains("price_basket", "flush_cache");
        assertThat(request.functions()).extracting(FunctionInfo::name).containsExactly("price_basket", "flush_cache");
    }

    @Test
    void itCanBeCancelledAndMadeAgain() throws Exception {
        host.survey().hold();
        press();
        Ui.await("it is under way", () -> host.received().stream().anyMatch(ToAgent::hasSurvey));
        assertThat(Ui.get(() -> page.survey().button().getText())).isEqualTo("Cancel &Survey");
        assertThat(status()).startsWith("A survey: looking where");
        press();
        Ui.await("it has ended", () -> !page.survey().isSurveying());
        assertThat(host.received()).anyMatch(ToAgent::hasEndSurvey).noneMatch(ToAgent::hasStartRecording);
        assertThat(status()).startsWith("The survey was cancelled.");
        assertThat(ticked()).isEmpty();
        assertThat(Ui.get(page::surveyed)).isEmpty();
        assertThat(Ui.get(() -> page.survey().button().isEnabled())).isTrue();
    }

    @Test
    void itEndsWithThePage() throws Exception {
        Ui.run(() -> page.checks().setChecked(0, true));
        host.survey().hold();
        press();
        Ui.await("it is under way", () -> host.received().stream().anyMatch(ToAgent::hasSurvey));
        Ui.run(() -> dialog.showPage(wizard.optionsPage()));
        Ui.await("it has ended", () -> !page.survey().isSurveying());
        assertThat(ticked()).as("what is recorded does not change behind the next page").hasSize(1);
    }

    /** It may have ended already, and the window not have heard of it. */
    @Test
    void norDoesOneTickThatEndsAsThePageIsLeft() throws Exception {
        Ui.run(() -> {
            page.checks().setChecked(0, true);
            page.survey().button().notifyListeners(SWT.Selection, new Event());
            for (Job job : Job.getJobManager().find(null)) {
                if (job instanceof SurveyJob) {
                    awaitEnd(job);
                }
            }
            dialog.showPage(wizard.optionsPage());
        });
        Ui.await("it has ended", () -> !page.survey().isSurveying());
        assertThat(ticked()).hasSize(1);
        assertThat(Ui.get(page::surveyed)).isEmpty();
    }

    /** Holds the window up until then. */
    private static void awaitEnd(Job job) {
        while (job.getState() != Job.NONE) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whyThereIsNoneIsSaid() throws Exception {
        host.survey().refuse();
        survey();
        assertThat(status()).isEqualTo("The survey failed: It may not be surveyed.");
        Ui.run(() -> {
            dialog.showPage(wizard.processPage());
            wizard.processPage().chooseLaunch().setCommand("/bin/true");
            dialog.showPage(page);
        });
        assertThat(status()).startsWith("The program does not run yet.");
        assertThat(Ui.get(() -> page.survey().button().isEnabled())).isFalse();
    }
}
