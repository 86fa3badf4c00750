// SPDX-License-Identifier: EPL-2.0
package org.kview.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import org.kview.ctf.PacketHeader;
import org.kview.model.AgentCost;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyAccumulator;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

/** Makes up recordings, the same ones in every run. */
public final class SampleRecording {
    public static final String METADATA = "/* CTF 1.8 */\ntrace { major = 1; minor = 8; };\n";
    public static final SessionInfo INFO = Recorded.info("local", "web-3", "6.18.0", 4711, "/usr/bin/checkout --port 80",
            "in", "Each context switch of other processes costs 40 ns more.", Instant.parse("2026-11-20T14:02:07.120Z"),
            Duration.ZERO, SessionInfo.State.RECORDING, "");

    private final Random random = new Random(42);
    private final List<ProbedFunction> functions;
    private final List<Map<Metric, Long>> maxima = new ArrayList<>();
    private final long[] calls;
    private long nowNanos = 5_000_000_000L;

    public SampleRecording(List<ProbedFunction> functions) {
        this.functions = functions;
        calls = new long[functions.size()];
        functions.forEach(f -> maxima.add(new EnumMap<>(Metric.class)));
    }

    public static List<ProbedFunction> functions() {
        return List.of(function(0, "price_basket"), function(1, "flush_cache"),
                function(2, "std::vector<int, std::allocator<int> >::push_back(int const&)"),
                function(3, "pr\u00fcfe_100%"));
    }

    static ProbedFunction function(int id, String name) {
        return Recorded.function(id, name, "_Z" + id, "/usr/bin/checkout", 0x1000 + id * 0x100, 0x1000 + id * 0x100,
                200, ProbedFunction.ExitKind.RETURN_SITES, 180, 2300);
    }

    /** Writes a whole session with events; the figures that it holds are returned. */
    public static LatencySnapshot record(Path folder) throws SessionException {
        try (SessionWriter writer = begin(folder)) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
            return writer.snapshot();
        }
    }

    /** Starts a recording that has come to three intervals. */
    public static SessionWriter begin(Path folder) throws SessionException {
        SampleRecording recording = new SampleRecording(functions());
        SessionWriter writer = SessionWriter.create(folder, INFO, functions(), Optional.of(METADATA));
        for (int i = 0; i < 3; i++) {
            LatencyInterval interval = recording.interval(20);
            writer.append(Recorded.interval(interval.beginNanos(), interval.endNanos(), interval.functions(),
                    interval.losses(), i == 2));
            writer.appendPacket(i % 2, packet(i % 2, 3 + i, 8), 3 + i);
        }
        return writer;
    }

    /** Leaves a session as a recorder that is killed in the middle leaves it. */
    public static Path cutOff(Path folder) throws IOException {
        Path running = folder.resolveSibling(folder.getFileName() + ".running");
        try (SessionWriter writer = begin(running); Stream<Path> files = Files.walk(running)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(running.relativize(file).toString()));
            }
        }
        try (Stream<Path> files = Files.walk(running)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        return folder;
    }

    /** What a whole recording of ten seconds yields. */
    public static LatencySnapshot snapshot(Losses losses, List<String> problems) {
        SampleRecording recording = new SampleRecording(functions());
        LatencyAccumulator sum = new LatencyAccumulator(functions());
        for (int i = 0; i < 20; i++) {
            sum.add(recording.interval(200));
        }
        SessionInfo info = Recorded.info(INFO.target(), INFO.host(), INFO.kernel(), INFO.pid(), INFO.command(),
                INFO.filter(), INFO.filterNote(), INFO.start(), Duration.ofSeconds(10), SessionInfo.State.STOPPED, "");
        AgentCost agent = new AgentCost(Duration.ofMillis(12), Duration.ofMillis(8), Duration.ofMillis(90), 7 << 20);
        return new LatencySnapshot(info, sum.functions(), losses, new Overhead(2300, true, Optional.of(agent),
                "", ProcessShare.UNKNOWN, Optional.empty(), ""),
                problems);
    }

    /** Half a second more; each function is called {@code callsEach} times. */
    public LatencyInterval interval(int callsEach) {
        long begin = nowNanos;
        nowNanos += 500_000_000L;
        List<FunctionInterval> parts = new ArrayList<>();
        for (ProbedFunction function : functions) {
            parts.add(part(function.id(), callsEach));
        }
        return Recorded.interval(begin, nowNanos, parts, new Losses(0, 1, 0, 2, 0), false);
    }

    private FunctionInterval part(int id, int callsEach) {
        Map<Metric, Distribution.Builder> builders = new EnumMap<>(Metric.class);
        for (int i = 0; i < callsEach; i++) {
            long onCpu = spread(800_000 / (id + 1));
            long lock = id == 0 ? spread(1_200_000) : 0;
            long disk = id == 1 ? spread(30_000_000) : 0;
            long queue = random.nextInt(4) == 0 ? spread(90_000) : 0;
            add(builders, Metric.ON_CPU, onCpu);
            add(builders, Metric.LOCK, lock);
            add(builders, Metric.BLOCK_IO, disk);
            add(builders, Metric.RUN_QUEUE, queue);
            add(builders, Metric.WALL, onCpu + lock + disk + queue);
        }
        calls[id] += callsEach + (id == 0 ? 1 : 0);
        Map<Metric, Distribution> added = new EnumMap<>(Metric.class);
        builders.forEach((metric, builder) -> {
            long max = Math.max(builder.build().maxNanos(), maxima.get(id).getOrDefault(metric, 0L));
            maxima.get(id).put(metric, max);
            added.put(metric, builder.addTotals(0, 0, max).build());
        });
        return new FunctionInterval(id, calls[id], id, calls[id] > callsEach ? 1 : 0, added);
    }

    private static void add(Map<Metric, Distribution.Builder> builders, Metric metric, long nanos) {
        if (nanos > 0) {
            builders.computeIfAbsent(metric, m -> new Distribution.Builder()).add(nanos);
        }
    }

    /** Log-normal, as latencies are. */
    private long spread(double medianNanos) {
        return Math.round(medianNanos * Math.exp(0.4 * random.nextGaussian()));
    }

    /** A whole packet with the given number of thread_exit events. */
    public static ByteBuffer packet(int cpu, int events, int paddingBytes) {
        int content = PacketHeader.HEADER_BYTES + events * 16;
        ByteBuffer packet = ByteBuffer.allocate(content + paddingBytes).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt(0xC1FC1FC1).put(new byte[16]).putInt(0).putLong(1000).putLong(2000).putLong(content * 8L)
                .putLong(packet.capacity() * 8L).putLong(0).putLong(7).putInt(cpu);
        for (int i = 0; i < events; i++) {
            packet.putInt(5).putLong(1000 + i).putInt(4711);
        }
        return packet.rewind();
    }
}
