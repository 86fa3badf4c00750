// SPDX-License-Identifier: EPL-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.kview.model.LatencySnapshot;
import org.kview.model.ProbeSpec;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.ssh.SshPrompter;
import org.kview.ssh.SshTarget;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/**
 * Run by bench/connect: TARGET AGENT PID ROUNDS HOME FOLDER. Connects and records as the workbench does,
 * in one Java, and prints seconds as JSON. The first round warms up and is not told.
 */
final class Connect {
    private final String[] arguments;
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();

    private Connect(String[] arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] arguments) throws Exception {
        Connect connect = new Connect(arguments);
        int rounds = Integer.parseInt(arguments[3]);
        for (int round = 0; round <= rounds; round++) {
            connect.round();
            if (round == 0) {
                connect.seconds.clear();
            }
        }
        System.out.println(connect.seconds.toString().replaceAll("(\\w+)=\\[", "\"$1\":["));
    }

    private void round() throws Exception {
        remove(Path.of(arguments[4], ".cache/kview-workbench"));
        connect("first").close();
        connect("later").close();
        SshTarget target = target();
        try (Agent browsing = target.connect()) {
            long begin = System.nanoTime();
            try (Agent recording = target.connect()) {
                note("shared", begin);
                record(recording, target.name());
            }
        }
    }

    private SshTarget target() throws TargetException {
        return SshTarget.of(arguments[0], Path.of(arguments[1]), SshPrompter.none());
    }

    private Agent connect(String what) throws Exception {
        long begin = System.nanoTime();
        Agent agent = target().connect();
        note(what, begin);
        return agent;
    }

    private void record(Agent agent, String name) throws Exception {
        CountDownLatch live = new CountDownLatch(1);
        Path session = Path.of(arguments[5], "inside.kview");
        long begin = System.nanoTime();
        Recording recording = new Recorder(agent, name).start(
                new ScopeSpec.Attach(Long.parseLong(arguments[2])), new RecordingRequest(List.of(new ProbeSpec("kview-calls", "counted_call")),
                List.of(), session, RecordingOptions.DEFAULT), new RecordingObserver() {
                    @Override
                    public void snapshot(LatencySnapshot figures) {
                        if (figures.functions().getFirst().calls() > 0) {
                            live.countDown();
                        }
                    }
                });
        live.await();
        note("live", begin);
        recording.stop();
        recording.await();
        remove(session);
    }

    private void note(String what, long begin) {
        seconds.computeIfAbsent(what, _ -> new ArrayList<>()).add((System.nanoTime() - begin) / 1e9);
    }

    private static void remove(Path folder) throws Exception {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
