// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;

import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceSelectedSignal;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IViewPart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.testing.ForeignTrace;
import org.kview.testing.LttngRecording;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;

/** A trace that LTTng wrote of a kernel, beside a session: Trace Compass's views show each as it is looked at. */
class KernelTraceTest {
    private static final String VIEWS = "org.eclipse.tracecompass.analysis.os.linux.views.";
    private static final String FLAME_CHART = "org.eclipse.linuxtools.tmf.ui.views.callstack";
    private static final long STEP_NANOS = 100_000_000;

    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> {
            for (String view : new String[] {VIEWS + "controlflow", VIEWS + "resources", FLAME_CHART}) {
                Ui.page().hideView(Ui.page().findViewReference(view));
            }
            Ui.page().closeAllEditors(false);
        });
        RealSession.close();
        Ui.await("no trace is open", () -> TmfTraceManager.getInstance().getOpenedTraces().isEmpty());
    }

    @Test
    void controlFlowShowsItsThreads() throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
        Path kernel = ForeignTrace.kernel(folder.resolve("kernel"), RealSession.trace().getStartTime().toNanos(), STEP_NANOS);
        Ui.view(VIEWS + "controlflow", IViewPart.class);
        Ui.await("the session's threads are there", () -> ShownLines.ofTimeGraphs().contains("28758"));
        Ui.run(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_OPEN_TRACE, Map.of(KviewUi.PARAMETER_FOLDER, kernel.toString())));
        Ui.await("it is open", () -> TmfTraceManager.getInstance().getActiveTrace().getNbEvents() == 3);
        Ui.await("its threads are there", () -> ShownLines.ofTimeGraphs().contains("shop") && ShownLines.ofTimeGraphs().contains("bank"));
        assertThat(Ui.get(ShownLines::ofTimeGraphs)).as("the session's").doesNotContain("28758");
        Ui.view(VIEWS + "resources", IViewPart.class);
        Ui.await("its CPU is there", () -> ShownLines.ofTimeGraphs().contains("CPU " + ForeignTrace.CPU + " States"));
    }

    /** What LTTng recorded of a kernel and a program, opened at once. */
    @Test
    void aRecordedKernelAndItsProgramOpenBesideTheSession() throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
        Path shop = LttngRecording.in(folder);
        Ui.run(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_OPEN_TRACE, Map.of(KviewUi.PARAMETER_FOLDER, shop.toString())));
        Ui.await("both are open beside the session's", () -> TmfTraceManager.getInstance().getOpenedTraces().size() == 3);
        ITmfTrace kernel = opened("shop kernel");
        Ui.await("all is read", () -> kernel.getNbEvents() == LttngRecording.KERNEL_EVENTS);
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfTraceSelectedSignal(this, kernel)));
        Ui.view(VIEWS + "controlflow", IViewPart.class);
        Ui.await("the program's threads are there", () -> ShownLines.ofTimeGraphs().contains("shop"));
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfTraceSelectedSignal(this, opened("shop ust uid 0 64-bit"))));
        Ui.view(FLAME_CHART, IViewPart.class);
        Ui.await("the threads' calls are there", () -> ShownLines.ofTimeGraphs().stream().anyMatch(line -> line.contains("" + LttngRecording.ONE_TID)));
    }

    private static ITmfTrace opened(String name) {
        return Ui.get(() -> TmfTraceManager.getInstance().getOpenedTraces().stream().filter(trace -> trace.getName().equals(name)).findFirst()
                .orElseThrow());
    }
}
