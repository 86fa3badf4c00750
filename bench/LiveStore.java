// SPDX-License-Identifier: EPL-2.0
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;
import org.kview.session.calls.LiveCalls;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

import com.sun.management.OperatingSystemMXBean;

/** Run by bench/live-store: FOLDER KVIEW PROGRAM CALLS_A_SECOND SECONDS. */
final class LiveStore {
    private static final long POLL_MILLIS = 100;
    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Path session;
    private final CallStores stores;
    private final LiveCalls live;
    /** How far behind the calls were each time that there were more, in s. */
    private final List<Double> behind = new ArrayList<>();

    private LiveStore(Path session) {
        this.session = session;
        stores = CallStores.in(session.resolveSibling(session.getFileName() + ".stores"), Long.MAX_VALUE);
        live = new LiveCalls(session, stores);
    }

    public static void main(String[] arguments) throws Exception {
        List<String> program = List.of(arguments[2], "1", arguments[3], arguments[4]);
        for (boolean follows : new boolean[] {false, true}) {
            new LiveStore(Path.of(arguments[0], follows ? "followed.kview" : "alone.kview")).measure(arguments[1], program, follows);
        }
    }

    private void measure(String kview, List<String> program, boolean follows) throws Exception {
        List<String> command = new ArrayList<>(List.of(kview, "record", "--events", "--probe-way", "jump", "--budget", "none", "--probe", program.getFirst() + ":f_crowd",
                "-o", session.toString(), "--"));
        command.addAll(program);
        File said = session.resolveSibling(session.getFileName() + ".out").toFile();
        Process recording = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said).start();
        long cpu = SYSTEM.getProcessCpuTime();
        CompletableFuture<Void> following = follows ? CompletableFuture.runAsync(() -> follow(recording)) : CompletableFuture.completedFuture(null);
        if (recording.waitFor() != 0) {
            throw new IllegalStateException("kview record failed: " + Files.readString(said.toPath()));
        }
        long ended = System.nanoTime();
        long meanwhile = SYSTEM.getProcessCpuTime() - cpu;
        try (SessionReader reader = SessionReader.open(session)) {
            Optional<String> anew = live.keep(reader, () -> true);
            try (SessionCallStore store = SessionCallStore.of(reader, session, stores, _ -> true).orElseThrow()) {
                double seconds = (System.nanoTime() - ended) / 1e9;
                print(reader.snapshot(), store.ask(StoredSession::calls).orElseThrow(), follows);
                System.out.printf(Locale.ROOT, "  all of them were there %.2f s after the recording%s%n", seconds,
                        !follows ? ", stored then" : anew.map(why -> ", stored anew: " + why).orElse(": what was stored meanwhile is their store"));
            }
        }
        following.get();
        if (!behind.isEmpty()) {
            double[] all = behind.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            System.out.printf(Locale.ROOT, "  while it went on there were more of them %d times, %.1f s behind (median), %.1f s at most; that took %.1f s of a CPU%n",
                    all.length, all[all.length / 2], all[all.length - 1], meanwhile / 1e9);
        }
    }

    private static void print(LatencySnapshot figures, int stored, boolean follows) {
        long calls = figures.functions().getFirst().wall().count();
        System.out.printf(Locale.ROOT, "%s: %,d calls in %.1f s, %,d stored, %,d events dropped%n", follows ? "calls stored meanwhile" : "recorded alone", calls,
                figures.info().duration().toNanos() / 1e9, stored, figures.losses().eventsDropped());
    }

    private void follow(Process recording) {
        try {
            while (recording.isAlive()) {
                Optional<SessionReader> reader = reader();
                if (reader.isPresent()) {
                    try (SessionReader its = reader.get()) {
                        if (LiveCalls.canFollow(its)) {
                            live.follow(its, () -> true, soFar -> soFar.ask(this::told));
                            return;
                        }
                    }
                }
                Thread.sleep(POLL_MILLIS);
            }
        } catch (SessionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<SessionReader> reader() {
        try {
            return live.hasTrace() ? Optional.of(SessionReader.open(session)) : Optional.empty();
        } catch (SessionException e) {
            // Its files are being made.
            return Optional.empty();
        }
    }

    private String told(StoredSession soFar) {
        if (!live.isOver()) {
            soFar.time(Optional.empty()).ifPresent(time -> behind.add(System.currentTimeMillis() / 1e3 - time.most() / 1e9));
        }
        return "";
    }
}
