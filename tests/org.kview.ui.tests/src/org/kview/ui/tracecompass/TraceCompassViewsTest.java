// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.core.runtime.ILogListener;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.jobs.IJobManager;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeColumn;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.tracecompass.analysis.os.linux.core.signals.TmfThreadSelectedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.activities.WorkbenchActivityHelper;
import org.eclipse.ui.views.IViewDescriptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;

/** Each of Trace Compass's views that is offered has something to show of a session, and logs no error. */
class TraceCompassViewsTest {
    private static final String KERNEL = "org.eclipse.tracecompass.analysis.os.linux.views.";
    private static final String SEGMENTS = "org.eclipse.tracecompass.analysis.timing.ui.segstore.";
    private static final String CALLS = ":org.kview.trace.calls";
    private static final String CALL_GRAPH = "org.eclipse.tracecompass.internal.analysis.timing.ui.callgraph.";

    private static final String CRITICAL_PATH = "org.eclipse.linuxtools.tmf.analysis.graph.ui.criticalpath.view.criticalpathview";
    /** It calls price_basket. */
    private static final int CHECKOUT = 28760;

    /** Those of the session. */
    private static final Set<String> THREADS = Set.of("28758", "28760", "28761", "28763");

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final List<String> opened = new ArrayList<>();
    /** Those of Trace Compass too, which the other tests may bring about by closing a session early. */
    private final ILogListener listener = (status, _) -> {
        if (status.getSeverity() == IStatus.ERROR) {
            logged.add(status.getPlugin() + ": " + status.getMessage());
        }
    };

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
    }

    @AfterAll
    static void close() throws Exception {
        RealSession.close();
    }

    @BeforeEach
    void listen() {
        Platform.addLogListener(listener);
    }

    @AfterEach
    void nothingIsLogged() {
        Platform.removeLogListener(listener);
        Ui.run(() -> opened.forEach(id -> Ui.page().hideView(Ui.page().findViewReference(primary(id), secondary(id)))));
        assertThat(logged).isEmpty();
    }

    private static String primary(String id) {
        return id.split(":")[0];
    }

    private static String secondary(String id) {
        return id.contains(":") ? id.split(":")[1] : null;
    }

    private String show(String id) {
        opened.add(id);
        String type = Ui.get(() -> Ui.page().showView(primary(id), secondary(id), IWorkbenchPage.VIEW_ACTIVATE).getClass().getName());
        Ui.settle();
        return type;
    }

    @Test
    void thoseThatAreOfferedOpen() throws Exception {
        List<String> offered = Stream.of(PlatformUI.getWorkbench().getViewRegistry().getViews())
                .filter(view -> Ui.get(() -> !WorkbenchActivityHelper.filterItem(view)))
                .map(IViewDescriptor::getId).filter(id -> id.startsWith("org.eclipse.")).toList();
        assertThat(offered).contains(KERNEL + "controlflow", KERNEL + "resources", KERNEL + "cpuusage", SEGMENTS + "table" + CALLS, CRITICAL_PATH)
                .doesNotContain(SEGMENTS + "table", "org.eclipse.linuxtools.internal.lttng2.ui.views.control");
        for (String id : offered) {
            assertThat(show(id)).as(id).doesNotContain("ErrorViewPart");
        }
        // If they were closed at once, Trace Compass would log that it can't fill them.
        IJobManager jobs = Job.getJobManager();
        Ui.await("nothing is read any more", () -> Arrays.stream(jobs.find(null)).noneMatch(job -> job.getState() == Job.RUNNING));
    }

    @Test
    void controlFlowHasTheThreads() throws Exception {
        show(KERNEL + "controlflow");
        Ui.await("the threads are there", () -> ShownLines.ofTimeGraphs().containsAll(THREADS));
    }

    /** Of the thread that is followed: where it waited for a lock, that of who held it. */
    @Test
    void criticalPathHasTheThreadAndWhomItWaitedFor() throws Exception {
        show(CRITICAL_PATH);
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfThreadSelectedSignal(this, CHECKOUT, RealSession.trace())));
        Ui.await("its path is there", () -> ShownLines.ofTimeGraphs().stream().anyMatch(line -> line.contains("28760"))
                && ShownLines.ofTimeGraphs().stream().anyMatch(line -> line.contains("28761")));
    }

    @Test
    void cpuUsageHasTheThreads() throws Exception {
        show(KERNEL + "cpuusage");
        Ui.await("some ran", () -> column(tree("%"), "TID").stream().anyMatch(THREADS::contains));
    }

    @Test
    void resourcesHaveTheCpus() throws Exception {
        show(KERNEL + "resources");
        Ui.await("the CPU is there", () -> ShownLines.ofTimeGraphs().contains("CPU 0 States"));
    }

    @Test
    void flameChartHasTheFunctions() throws Exception {
        show("org.eclipse.linuxtools.tmf.ui.views.callstack");
        Ui.await("the threads are there", () -> ShownLines.ofTimeGraphs().containsAll(THREADS));
    }

    /** The counts are the report's. */
    @Test
    void statisticsCountEachCall() throws Exception {
        Map<String, String> counts = new TreeMap<>();
        RealSession.figures().functions().forEach(function -> counts.put(function.function().name(), Long.toString(function.wall().count())));
        for (String id : List.of(SEGMENTS + "statistics" + CALLS, CALL_GRAPH + "statistics.callgraphstatistics")) {
            show(id);
            Ui.await("all are counted by " + id, () -> pairs(tree("Standard Deviation"), "Level", "Count").entrySet().containsAll(counts.entrySet()));
        }
    }

    @Test
    void tablesHaveCalls() throws Exception {
        show(SEGMENTS + "table" + CALLS);
        Ui.await("it has all", () -> table("Start Time").getItemCount() == RealSession.calls());
        show("org.kview.ui.view.callDensity");
        Ui.await("it has those in sight", () -> table("Start Time").getItemCount() > 0);
        show(CALL_GRAPH + "callgraphDensity");
        Ui.await("it has those in sight", () -> table("Duration").getItemCount() > 0);
    }

    private static Tree tree(String column) {
        return ShownLines.inSight(Tree.class).stream().filter(tree -> Arrays.stream(tree.getColumns()).map(TreeColumn::getText).anyMatch(column::equals)).findFirst()
                .orElseThrow();
    }

    private static Table table(String column) {
        return ShownLines.inSight(Table.class).stream().filter(table -> Arrays.stream(table.getColumns()).map(TableColumn::getText)
                .anyMatch(column::equals)).findFirst().orElseThrow();
    }

    private static Set<String> column(Tree tree, String title) {
        return items(tree).map(item -> item.getText(index(tree, title))).collect(Collectors.toSet());
    }

    private static Map<String, String> pairs(Tree tree, String key, String value) {
        return items(tree).collect(Collectors.toMap(item -> item.getText(index(tree, key)), item -> item.getText(index(tree, value)), (a, _) -> a));
    }

    private static int index(Tree tree, String title) {
        return Arrays.stream(tree.getColumns()).map(TreeColumn::getText).toList().indexOf(title);
    }

    private static Stream<TreeItem> items(Tree tree) {
        return Arrays.stream(tree.getItems()).flatMap(TraceCompassViewsTest::below);
    }

    private static Stream<TreeItem> below(TreeItem item) {
        return Stream.concat(Stream.of(item), Arrays.stream(item.getItems()).flatMap(TraceCompassViewsTest::below));
    }
}
