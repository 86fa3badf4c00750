// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.model.Wait;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.targets.values.FunctionInfo;
import org.kview.trace.KviewTrace;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.causes.WaitsPose;
import org.kview.ui.functions.FunctionsPose;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** From the wizard to the session on show, with the real agent and a process that really runs. */
class RealRecordingTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private Process demo;

    @BeforeEach
    void start() throws Exception {
        Path workload = RealHost.workload("kview-demo");
        RealHost.assumeRecords();
        demo = RealHost.start(workload, "--seconds", "1200", "--folder", folder.toString());
    }

    @AfterEach
    void stop() throws Exception {
        if (demo != null) {
            demo.destroy();
            demo.waitFor();
        }
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    private static LatencySnapshot figures() {
        return Ui.get(() -> SessionService.get().state().snapshot()).orElseThrow();
    }

    private void record() throws InterruptedException {
        WizardPose wizard = WizardPose.open(Long.toString(demo.pid()));
        wizard.chooseFunctions();
        wizard.chooseOptions(folder, "real");
        wizard.withWaits();
        wizard.record();
        Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording);
    }

    @Test
    void theDemoIsRecordedStoppedAndOpenedWithItsTrace() throws Exception {
        record();
        Ui.await("every function was called", LONG,
                () -> figures().functions().stream().allMatch(function -> function.wall().count() > 10));
        long live = figures().functions().getFirst().calls();
        Ui.await("figures go on", LONG, () -> figures().functions().getFirst().calls() > live);
        Ui.await("the lock that it waits for is named", LONG, () -> basket(figures()).knownFates().waits().all().stream().anyMatch(
                RealRecordingTest::isForTheLock));
        Ui.get(SessionController::get).stopRecording();
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        LatencySnapshot figures = figures();
        assertThat(figures.info().state()).isEqualTo(SessionInfo.State.STOPPED);
        assertThat(figures.problems()).isEmpty();
        assertThat(figures.functions()).hasSize(5);
        // How much of it is waiting for a CPU is up to what else runs on the machine.
        for (Metric other : List.of(Metric.LOCK, Metric.NETWORK, Metric.BLOCK_IO, Metric.PAGE_FAULT)) {
            assertThat(share(figures, "poll_queue", Metric.SLEEP)).isGreaterThan(share(figures, "poll_queue", other));
            assertThat(share(figures, "render_page", Metric.ON_CPU)).isGreaterThan(share(figures, "render_page", other));
        }
        assertThatTheViewOfWaitsHasThoseOfTheSession(figures);
        Ui.await("its trace opens", LONG,
                () -> TmfTraceManager.getInstance().getActiveTrace() instanceof KviewTrace trace
                        && trace.getNbEvents() > 1000);
    }

    private static FunctionLatency basket(LatencySnapshot figures) {
        return figures.functions().stream().filter(f -> f.function().name().equals("price_basket")).findFirst().orElseThrow();
    }

    private static boolean isForTheLock(Wait wait) {
        return wait.cause() == Metric.LOCK && wait.lockName().equals("cache_lock") && wait.waker().kind() == Waker.Kind.THREAD;
    }

    private static void assertThatTheViewOfWaitsHasThoseOfTheSession(LatencySnapshot figures) throws Exception {
        List<Wait> waits = basket(figures).knownFates().waits().all();
        assertThat(waits).anyMatch(RealRecordingTest::isForTheLock);
        WaitsPose.lines();
        FunctionsPose.select("price_basket");
        Ui.await("its waits are shown", () -> WaitsPose.message().isEmpty() && WaitsPose.csv().getLast().startsWith("price_basket,"));
        assertThat(WaitsPose.lines()).hasSameSizeAs(waits).anySatisfy(line -> assertThat(line).containsEntry("Lock", "cache_lock")
                .containsEntry("Cause", "lock"));
        assertThat(WaitsPose.csv().stream().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[9])).sum())
                .isEqualTo(waits.stream().mapToLong(Wait::nanos).sum());
        assertThat(figures.functions()).extracting(f -> f.function().waits()).containsOnly(Waits.Told.YES);
    }

    private static double share(LatencySnapshot figures, String name, Metric metric) {
        return figures.functions().stream().filter(f -> f.function().name().equals(name)).findFirst()
                .map((FunctionLatency f) -> f.share(metric)).orElseThrow();
    }

    @Test
    void aProcessThatEndsLeavesItsSession() throws Exception {
        record();
        Ui.await("calls are counted", LONG, () -> figures().functions().getFirst().calls() > 0);
        demo.destroyForcibly().waitFor();
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        assertThat(figures().info().state()).isEqualTo(SessionInfo.State.PROCESS_ENDED);
        assertThat(figures().functions().getFirst().calls()).isPositive();
    }

    @Test
    void whatASurveySuggestsIsRecordedAndTheSurveyKept() throws Exception {
        WizardPose wizard = WizardPose.open(Long.toString(demo.pid()));
        wizard.survey();
        assertThat(wizard.surveyText()).contains("worth measuring").doesNotContain("can't", "failed");
        FunctionPage page = wizard.wizard().functionPage();
        // How dear probes seem, and what a busy machine leaves of the others' time, decides what else is ticked.
        assertThat(Ui.get(page::functions)).extracting(FunctionInfo::name).contains("poll_queue").doesNotContain("main");
        int suggested = Ui.get(page.survey()::suggestions).orElseThrow().choice().choices().size();
        assertThat(Ui.get(page.checks()::functions).subList(0, suggested)).extracting(FunctionInfo::name).contains("poll_queue",
                "render_page");
        assertThat(Ui.get(page.checks()::functions)).extracting(FunctionInfo::name).doesNotHaveDuplicates();
        wizard.chooseOptions(folder, "surveyed");
        wizard.record();
        Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording);
        Ui.get(SessionController::get).stopRecording();
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        assertThat(figures().survey().orElseThrow().suggested()).extracting("name").contains("poll_queue", "render_page");
        assertThat(folder.resolve("surveyed.kview").resolve("survey.json")).exists();
    }
}
