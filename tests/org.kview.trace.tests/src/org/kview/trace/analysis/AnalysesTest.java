// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.eclipse.tracecompass.analysis.graph.core.base.TmfEdge;
import org.eclipse.tracecompass.analysis.graph.core.base.TmfGraph;
import org.eclipse.tracecompass.analysis.graph.core.base.TmfVertex;
import org.eclipse.tracecompass.analysis.os.linux.core.cpuusage.KernelCpuUsageAnalysis;
import org.eclipse.tracecompass.analysis.os.linux.core.execution.graph.OsWorker;
import org.eclipse.tracecompass.analysis.os.linux.core.kernel.KernelAnalysisModule;
import org.eclipse.tracecompass.analysis.os.linux.core.model.HostThread;
import org.eclipse.tracecompass.analysis.os.linux.core.model.ProcessStatus;
import org.eclipse.tracecompass.segmentstore.core.ISegment;
import org.eclipse.tracecompass.statesystem.core.ITmfStateSystem;
import org.eclipse.tracecompass.statesystem.core.interval.ITmfStateInterval;
import org.eclipse.tracecompass.tmf.core.analysis.IAnalysisModule;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceOpenedSignal;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceUtils;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.trace.KviewTrace;
import org.kview.trace.TraceFixture;

/** What Trace Compass's views are told of two calls of 5.3 ms, which wait for a lock from 0.2 ms until 5 ms and for a CPU until 5.1 ms. */
class AnalysesTest {
    /** The clock's offset in the traces. */
    private static final long OFFSET = 1000;
    private static final long FIRST = 1_000_000_000L + OFFSET;
    private static final long SECOND = FIRST + 10_000_000;

    @TempDir
    private Path folder;

    private KviewTrace trace;

    @BeforeEach
    void open() throws Exception {
        TraceFixture.write(folder, "kview", 2);
        trace = opened(folder);
    }

    private static KviewTrace opened(Path folder) throws Exception {
        KviewTrace opened = new KviewTrace();
        opened.initTrace(null, folder.toString(), CtfTmfEvent.class);
        opened.traceOpened(new TmfTraceOpenedSignal(AnalysesTest.class, opened, null));
        opened.indexTrace(true);
        return opened;
    }

    @AfterEach
    void dispose() {
        trace.dispose();
    }

    private <M extends IAnalysisModule> M analysis(Class<M> type, String id) {
        M module = TmfTraceUtils.getAnalysisModuleOfClass(trace, type, id);
        module.schedule();
        assertThat(module.waitForCompletion()).isTrue();
        return module;
    }

    private static List<Object> states(ITmfStateSystem system, String... attribute) throws Exception {
        List<Object> states = new ArrayList<>();
        int quark = system.getQuarkAbsolute(attribute);
        for (ITmfStateInterval interval : system.query2D(List.of(quark), system.getStartTime(), system.getCurrentEndTime())) {
            states.add((interval.getStartTime() - FIRST) / 1000 + " " + interval.getValue());
        }
        states.sort((a, b) -> Long.compare(Long.parseLong(a.toString().split(" ")[0]), Long.parseLong(b.toString().split(" ")[0])));
        return states;
    }

    @Test
    void nothingIsMadeBeforeItIsAskedFor() {
        assertThat(trace.getAnalysisModules()).filteredOn(module -> module.getClass().getPackage() == getClass().getPackage())
                .hasSize(6).noneMatch(IAnalysisModule::isAutomatic);
    }

    @Test
    void threadsAndCpusHaveTheirStates() throws Exception {
        ITmfStateSystem system = analysis(KernelAnalysisModule.class, KernelAnalysisModule.ID).getStateSystem();
        Object runs = ProcessStatus.RUN.getStateValue().unboxValue();
        Object blocked = ProcessStatus.WAIT_BLOCKED.getStateValue().unboxValue();
        Object queued = ProcessStatus.WAIT_CPU.getStateValue().unboxValue();
        assertThat(states(system, "Threads", "77")).containsExactly("0 " + runs, "200 " + blocked, "5000 " + queued, "5100 " + runs,
                "10200 " + blocked, "15000 " + queued, "15100 " + runs);
        assertThat(states(system, "CPUs", "0", "Current_thread")).containsExactly("0 77", "200 null", "5100 77", "10200 null", "15100 77");
        assertThat(states(system, "Threads", "77", "Exec_name")).containsExactly("0 77");
    }

    @Test
    void cpuUsageIsThatOfTheRecordedThreads() {
        KernelCpuUsageAnalysis usage = analysis(KernelCpuUsageAnalysis.class, KernelCpuUsageAnalysis.ID);
        analysis(RunningThreadAnalysis.class, RunningThreadAnalysis.ID);
        assertThat(usage.getCpuUsageInRange(Set.of(), FIRST, FIRST + 15_300_000)).containsEntry("total/77", 200_000L + 5_100_000 + 200_000)
                .containsEntry("total", 5_500_000L);
        assertThat(usage.getCpuUsageInRange(Set.of(), FIRST + 300_000, FIRST + 4_000_000)).containsEntry("total/77", 0L);
        assertThat(usage.getCpuUsageInRange(Set.of(), FIRST + 100_000, FIRST + 150_000)).containsEntry("total/77", 50_000L);
    }

    @Test
    void callsStandOnTheirThreadsStack() throws Exception {
        ITmfStateSystem system = analysis(CallsAnalysis.class, "org.kview.trace.stacks").getStateSystem();
        assertThat(states(system, "Processes", "42", "77", "CallStack", "1")).containsExactly("0 store", "5300 null", "10000 store", "15300 null");
    }

    /** The views ask on the UI thread, and a disk may be slow. */
    @Test
    void whetherAGraphCanBeMadeIsKnownWithoutTheDisk(@TempDir Path other) throws Exception {
        TraceFixture.write(Files.createDirectory(other.resolve("long")), "kview", 2);
        try (RandomAccessFile padding = new RandomAccessFile(other.resolve("long/.padding").toFile(), "rw")) {
            padding.setLength(64L << 20);
        }
        KviewTrace tooLong = new KviewTrace();
        tooLong.initTrace(null, other.resolve("long").toString(), CtfTmfEvent.class);
        Files.move(folder, other.resolve("moved"));
        try {
            assertThat(new ExecutionGraphAnalysis().canExecute(trace)).isTrue();
            assertThat(new ExecutionGraphAnalysis().canExecute(tooLong)).as("it would not fit into memory").isFalse();
        } finally {
            Files.move(other.resolve("moved"), folder);
            tooLong.dispose();
        }
    }

    /** What Critical Path goes along. */
    @Test
    void theGraphSaysWhatAThreadDidOneAfterTheOther() {
        TmfGraph graph = analysis(ExecutionGraphAnalysis.class, ExecutionGraphAnalysis.ID).getGraph();
        OsWorker thread = new OsWorker(new HostThread(trace.getHostId(), 77), "", 0);
        List<String> did = new ArrayList<>();
        for (TmfVertex vertex : graph.getNodesOf(thread)) {
            TmfEdge edge = vertex.getEdge(TmfVertex.EdgeDirection.OUTGOING_HORIZONTAL_EDGE);
            if (edge != null) {
                did.add((vertex.getTs() - FIRST) / 1000 + " " + edge.getType());
            }
        }
        assertThat(did).containsExactly("0 RUNNING", "200 BLOCKED", "5000 PREEMPTED", "5100 RUNNING", "10200 BLOCKED", "15000 PREEMPTED",
                "15100 RUNNING");
    }

    /** Between two packets: the thread waited from 0.2 ms on, and nobody knows for how long. */
    @Test
    void nothingIsToldOfTheTimeInWhichEventsAreMissing(@TempDir Path lossy) throws Exception {
        TraceFixture.writeWithGap(lossy);
        trace.dispose();
        trace = opened(lossy);
        ITmfStateSystem threads = analysis(KernelAnalysisModule.class, KernelAnalysisModule.ID).getStateSystem();
        assertThat(states(threads, "Threads", "77")).startsWith("0 " + ProcessStatus.RUN.getStateValue().unboxValue(), "200 null")
                .contains("10000 " + ProcessStatus.RUN.getStateValue().unboxValue());
        ITmfStateSystem calls = analysis(CallsAnalysis.class, "org.kview.trace.stacks").getStateSystem();
        assertThat(states(calls, "Processes", "42", "77", "CallStack", "1")).containsExactly("0 store", "200 null", "10000 store", "15300 null");
    }

    @Test
    void callsTakeTheirWallClockTime() {
        CallTimesAnalysis calls = analysis(CallTimesAnalysis.class, CallTimesAnalysis.ID);
        List<String> told = new ArrayList<>();
        for (ISegment segment : calls.getSegmentStore()) {
            List<Object> columns = new ArrayList<>();
            calls.getSegmentAspects().forEach(aspect -> columns.add(aspect.resolve(segment)));
            told.add(segment.getStart() + " " + segment.getLength() + " " + columns);
        }
        assertThat(told).containsExactlyInAnyOrder(FIRST + " 5300000 [store, 77, 400 µs, lock]", SECOND + " 5300000 [store, 77, 400 µs, lock]");
    }
}
