// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.kview.model.Bookmark.Range;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.session.calls.SessionCallStore;
import org.kview.trace.KviewTrace;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;

/** A session that the agent really recorded, of the demo workload with events. */
public final class RealSession {
    private static final Duration LONG = Duration.ofMinutes(3);

    private RealSession() {
    }

    /** A copy of it. */
    public static Path in(Path folder) throws IOException {
        return Files.copy(Path.of(System.getProperty("kview.recordings"), "demo.kview.zip"), folder.resolve("demo.kview.zip"));
    }

    /** A copy of it as a folder, as if price_basket went on to settle by a jump, in which no probe sees its end. */
    public static Path markedIn(Path folder) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(in(folder)); Stream<Path> files = Files.walk(zip.getPath("demo.kview"))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.toString()));
            }
        }
        Path json = folder.resolve("demo.kview/session.json");
        String basket = "\"name\" : \"price_basket\",";
        Files.writeString(json, Files.readString(json).replace(basket, basket + " \"goes_on_to\" : [ \"settle\" ],"));
        return json.getParent();
    }

    /** Opens a session and waits until its calls are at hand. */
    public static void open(Path session) throws InterruptedException {
        Ui.get(SessionController::get).open(session).join();
        Ui.await("its calls are at hand", LONG, () -> CallsService.get().state() instanceof CallsState.Stored);
        Ui.settle();
    }

    /** Likewise, and until its events are. */
    public static void openWithTrace(Path session) throws InterruptedException {
        open(session);
        Ui.await("its events are read", LONG, () -> TmfTraceManager.getInstance().getActiveTrace() instanceof KviewTrace trace
                && trace.getNbEvents() > 0 && !trace.isIndexing());
        Ui.settle();
    }

    /** A time of Trace Compass's on the host's clock, which its trace lags behind, as its agent was an old one. */
    public static Range time(TmfTimeRange range) {
        return time(trace(), range);
    }

    /** The same, while another trace is looked at. */
    public static Range time(KviewTrace trace, TmfTimeRange range) {
        long lag = trace.clockLagNanos();
        return new Range(range.getStartTime().toNanos() + lag, range.getEndTime().toNanos() + lag);
    }

    public static KviewTrace trace() {
        return (KviewTrace) TmfTraceManager.getInstance().getActiveTrace();
    }

    public static void close() throws InterruptedException {
        Ui.get(SessionController::get).close().join();
        Ui.settle();
    }

    public static LatencySnapshot figures() {
        return Ui.get(() -> SessionService.get().state().snapshot()).orElseThrow();
    }

    public static FunctionLatency function(String name) {
        return figures().functions().stream().filter(f -> f.function().name().equals(name)).findFirst().orElseThrow();
    }

    /** How many calls there are, as the report counts them. */
    public static long calls() {
        return figures().functions().stream().mapToLong(f -> f.wall().count()).sum();
    }

    public static SessionCallStore store() {
        return Ui.get(() -> CallsService.get().state().store()).orElseThrow();
    }
}
