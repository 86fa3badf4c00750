// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventCursor;
import org.kview.ctf.PacketHeader;
import org.kview.ctf.TraceEvent;
import org.kview.ctf.TraceEvent.CallExit;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.pprof.DecodedProfile.Sample;
import org.kview.session.read.SessionReader;
import org.kview.session.write.HostsFolder;
import org.kview.session.write.SessionWriter;

/**
 * Profiles of a real recording, in which the demo's functions call others that are measured, too: price_basket and flush_cache call
 * pthread_mutex_lock, flush_cache calls fsync, walk_tree calls itself. flush_cache is in a call when the recording ends.
 */
class PprofExportTest {
    private static final int MANY = 100_000;
    private static final List<String> TIMES = Metric.OF_CALLS.stream().map(Metric::id).toList();

    @TempDir
    private Path temp;
    private Path session;
    private List<String> findings;

    @BeforeEach
    void unpack() throws Exception {
        session = temp.resolve("nested.kview");
        try (InputStream in = getClass().getResourceAsStream("data/nested.kview.zip"); ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = temp.resolve(entry.getName());
                Files.createDirectories(entry.isDirectory() ? file : file.getParent());
                if (!entry.isDirectory()) {
                    Files.copy(zip, file);
                }
            }
        }
    }

    private DecodedProfile export(boolean tids, int mostStacks) throws Exception {
        Path file = Files.createTempDirectory(temp, "out").resolve("p.pb.gz");
        try (SessionReader reader = SessionReader.open(session)) {
            PprofExport export = PprofExport.of(reader, session, tids, mostStacks);
            export.write(file, _ -> { });
            findings = export.findings();
        }
        assertThat(file.getParent()).as("nothing is left beside it").isDirectoryNotContaining(path -> !path.equals(file));
        return DecodedProfile.read(file);
    }

    private LatencySnapshot report() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    /** The ends of all calls, in their order. */
    private List<CallExit> exits() throws Exception {
        List<CallExit> exits = new ArrayList<>();
        try (SessionReader reader = SessionReader.open(session);
                EventCursor events = reader.events().getFirst().trace().events()) {
            for (Optional<TraceEvent> event = events.next(); event.isPresent(); event = events.next()) {
                if (event.get() instanceof CallExit exit) {
                    exits.add(exit);
                }
            }
        }
        return exits;
    }

    /** Whether a call is within the other one, by the clock alone. */
    private static boolean isWithin(CallExit inner, CallExit outer) {
        return inner.tid() == outer.tid() && inner.depth() > outer.depth() && inner.beginNanos() >= outer.beginNanos()
                && inner.nanos() <= outer.nanos();
    }

    private static Map<String, Long> sums(List<CallExit> calls) {
        Map<String, Long> sums = new TreeMap<>();
        TIMES.forEach(time -> sums.put(time, 0L));
        for (CallExit call : calls) {
            sums.merge("wall", call.wallNanos(), Long::sum);
            sums.merge("on_cpu", call.onCpuNanos(), Long::sum);
            for (CauseTime time : call.causes()) {
                sums.merge(time.cause().label(), time.nanos(), Long::sum);
            }
        }
        return sums;
    }

    private static Map<String, Long> sums(DecodedProfile profile) {
        return TIMES.stream().collect(Collectors.toMap(time -> time, profile::total, Long::sum, TreeMap::new));
    }

    /** No time is told twice and none is lost: own times add up to those of the calls that no call encloses which ended. */
    @Test
    void allSamplesAddUpToTheOutermostCalls() throws Exception {
        DecodedProfile profile = export(false, MANY);
        List<CallExit> exits = exits();
        List<CallExit> outermost = exits.stream().filter(call -> exits.stream().noneMatch(other -> isWithin(call, other))).toList();
        assertThat(outermost).hasSizeLessThan(exits.size() / 2);
        assertThat(outermost).as("of the call that goes on").anyMatch(call -> call.depth() > 0);
        assertThat(sums(profile)).isEqualTo(sums(outermost));
        assertThat(profile.total("calls")).isEqualTo(exits.size());
        assertThat(profile.samples()).allMatch(sample -> sample.values().values().stream().allMatch(value -> value >= 0));
        for (Sample sample : profile.samples()) {
            assertThat(sample.values().get("wall")).isEqualTo(TIMES.stream().skip(1).mapToLong(sample.values()::get).sum());
        }
    }

    /** What pprof shows as cumulative is what the report says of a function that does not call itself, and of a call that goes on. */
    @Test
    void cumulativeTimesAreTheReports() throws Exception {
        DecodedProfile profile = export(false, MANY);
        List<CallExit> exits = exits();
        Map<String, Long> within = sums(exits.stream().filter(call -> call.depth() > 0
                && exits.stream().noneMatch(other -> isWithin(call, other))).toList());
        assertThat(within.get("wall")).isPositive();
        for (FunctionLatency latency : report().functions()) {
            String name = latency.function().name();
            List<Sample> with = profile.samples().stream().filter(sample -> sample.stack().contains(name)).toList();
            assertThat(with.stream().filter(sample -> sample.stack().getLast().equals(name))
                    .mapToLong(sample -> sample.values().get("calls")).sum()).as(name).isEqualTo(latency.wall().count());
            if (name.equals("walk_tree")) {
                continue;
            }
            for (Metric metric : Metric.OF_CALLS) {
                assertThat(with.stream().mapToLong(sample -> sample.values().get(metric.id())).sum()).as(name + " " + metric)
                        .isEqualTo(latency.distribution(metric).totalNanos()
                                + (name.equals("flush_cache") ? within.get(metric.id()) : 0));
            }
        }
    }

    @Test
    void stacksAreTheNestingWithinAThread() throws Exception {
        DecodedProfile profile = export(false, MANY);
        assertThat(profile.samples()).extracting(Sample::stack).contains(List.of("price_basket"),
                List.of("price_basket", "pthread_mutex_lock"), List.of("flush_cache", "pthread_mutex_lock"),
                List.of("flush_cache", "fsync"), List.of("walk_tree", "walk_tree", "walk_tree"), List.of("fsync"));
        assertThat(profile.samples()).extracting(sample -> sample.stack() + " " + sample.labels()).doesNotHaveDuplicates();
        Sample waits = profile.samples().stream().filter(sample -> sample.stack().equals(List.of("price_basket",
                "pthread_mutex_lock"))).findFirst().orElseThrow();
        assertThat(waits.labels()).isEqualTo(Map.of("thread", "checkout"));
        assertThat(waits.values().get("lock")).isGreaterThan(waits.values().get("wall") * 9 / 10);
        Sample own = profile.samples().stream().filter(sample -> sample.stack().equals(List.of("price_basket"))).findFirst()
                .orElseThrow();
        assertThat(own.values()).containsEntry("lock", 0L);
    }

    @Test
    void itIsDescribedAsPprofReadsIt() throws Exception {
        DecodedProfile profile = export(false, MANY);
        assertThat(profile.sampleTypes()).containsExactly("calls/count", "wall/nanoseconds", "on_cpu/nanoseconds",
                "run_queue/nanoseconds", "preempted/nanoseconds", "block_io/nanoseconds", "lock/nanoseconds", "sleep/nanoseconds",
                "network/nanoseconds", "page_fault/nanoseconds", "steal/nanoseconds", "throttled/nanoseconds",
                "stopped/nanoseconds", "other/nanoseconds");
        assertThat(profile.defaultSampleType()).isEqualTo("wall");
        assertThat(profile.firstFile()).as("although a function of a library came first").isEqualTo("/opt/demo/kview-demo");
        assertThat(profile.functions().getFirst().file()).endsWith("libc.so.6");
        LatencySnapshot report = report();
        SessionInfo info = report.info();
        assertThat(profile.timeNanos()).isEqualTo(info.start().getEpochSecond() * 1_000_000_000L + info.start().getNano());
        assertThat(profile.durationNanos()).isEqualTo(info.duration().toNanos());
        assertThat(profile.functions()).hasSize(7).extracting(DecodedProfile.Function::file).containsOnly("/opt/demo/kview-demo",
                "/usr/lib/x86_64-linux-gnu/libc.so.6");
        assertThat(profile.functions()).extracting(DecodedProfile.Function::name)
                .containsExactlyInAnyOrderElementsOf(report.functions().stream().map(f -> f.function().name()).toList());
        assertThat(profile.functions()).allMatch(function -> !function.symbol().isEmpty());
        assertThat(profile.comments()).hasSizeGreaterThan(3).first().asString().contains("/opt/demo/kview-demo --seconds 2");
        assertThat(profile.comments()).containsAll(findings);
        assertThat(findings).startsWith("4 calls began and have no end in the trace, so their times are not in the profile;"
                + " calls within them are.");
    }

    /** The profile has sums alone: what is known of them stands in its comments, which {@code pprof -comments} prints. */
    @Test
    void whatHasToBeKnownOfAFunctionIsAComment() throws Exception {
        DecodedProfile profile = export(false, MANY);
        assertThat(profile.comments()).containsAll(findings).filteredOn(comment -> comment.startsWith("What the probes cost"))
                .singleElement().asString().isEqualTo(report().overhead().note());
        assertThat(profile.comments()).filteredOn(comment -> comment.startsWith("walk_tree: ")).singleElement().asString()
                .startsWith("walk_tree: times are known to ± 13 %").contains("without 46.4 ms that threads waited within probes");
        assertThat(profile.comments()).as("its one call without a time is told already").noneMatch(comment -> comment.startsWith("fsync"));
    }

    @Test
    void theHostsOfASessionOfSeveralAreALabel() throws Exception {
        DecodedProfile one = export(false, MANY);
        assertThat(one.samples()).noneMatch(sample -> sample.labels().containsKey("host"));
        Path both = Files.createDirectory(temp.resolve("two.kview"));
        for (Map.Entry<String, Path> part : HostsFolder.create(both, List.of("web-1", "web-2")).entrySet()) {
            Files.deleteIfExists(part.getValue());
            if (!Files.exists(session)) {
                unpack();
            }
            Path json = session.resolve("session.json");
            Files.writeString(json, Files.readString(json).replace("\"target\" : \"local\"", "\"target\" : \"" + part.getKey() + "\""));
            Files.move(session, part.getValue());
        }
        session = both;
        DecodedProfile profile = export(false, MANY);
        for (String host : List.of("web-1", "web-2")) {
            List<Sample> own = profile.samples().stream().filter(sample -> host.equals(sample.labels().get("host"))).toList();
            assertThat(own).hasSameSizeAs(one.samples());
            assertThat(own.stream().map(sample -> sample.stack() + " " + sample.values())).containsExactlyInAnyOrderElementsOf(
                    one.samples().stream().map(sample -> sample.stack() + " " + sample.values()).toList());
        }
        assertThat(profile.samples()).hasSize(2 * one.samples().size());
        assertThat(profile.functions()).as("each function is there once").hasSameSizeAs(one.functions());
        assertThat(profile.comments()).anyMatch(comment -> comment.startsWith("web-2: walk_tree: times are known to ± 13 %"));
    }

    @Test
    void threadsOfOneNameAreToldApartIfAsked() throws Exception {
        assertThat(export(false, MANY).samples()).noneMatch(sample -> sample.labels().containsKey("tid"));
        DecodedProfile profile = export(true, MANY);
        assertThat(profile.samples()).allMatch(sample -> Integer.parseInt(sample.labels().get("tid")) > 0);
        assertThat(profile.samples().stream().map(sample -> sample.labels().get("tid")).distinct())
                .containsExactlyInAnyOrderElementsOf(exits().stream().map(exit -> Long.toString(exit.tid())).distinct().toList());
    }

    @Test
    void moreStacksThanAreKeptAreFoldedAndNoTimeIsLost() throws Exception {
        DecodedProfile whole = export(false, MANY);
        for (int most = 0; most < whole.samples().size() + 10; most++) {
            DecodedProfile folded = export(false, most);
            assertThat(sums(folded)).isEqualTo(sums(whole));
            assertThat(folded.total("calls")).isEqualTo(whole.total("calls"));
            if (most < whole.samples().size()) {
                assertThat(folded.samples()).hasSizeLessThanOrEqualTo(most + 2 * 7);
                assertThat(findings).anyMatch(sentence -> sentence.contains("more different stacks than are kept apart"));
                assertThat(folded.samples()).anyMatch(sample -> sample.stack().getLast().equals("(deeper, not told apart)"));
            }
        }
        assertThat(findings).noneMatch(sentence -> sentence.contains("kept apart"));
    }

    /** Which call is within another one is not certain there, so no call's own time is. */
    @Test
    void whereEventsAreMissingOnlyOutermostCallsAreThereWithAllOfTheirTime() throws Exception {
        long calls = exits().size();
        Path stream = session.resolve("trace/cpu_0");
        ByteBuffer packets = ByteBuffer.wrap(Files.readAllBytes(stream));
        int first = (int) PacketHeader.parse(packets).orElseThrow().packetBytes();
        assertThat(first).isLessThan(packets.capacity());
        Files.write(stream, Arrays.copyOf(packets.array(), packets.capacity() - 100));
        DecodedProfile profile = export(false, MANY);
        List<CallExit> left = exits();
        List<CallExit> outermost = left.stream().filter(call -> call.depth() == 0).toList();
        assertThat(left).hasSizeLessThan((int) calls);
        assertThat(sums(profile)).isEqualTo(sums(outermost));
        assertThat(profile.total("calls")).isEqualTo(outermost.size());
        assertThat(profile.samples()).allMatch(sample -> sample.stack().size() == 1);
        assertThat(findings).anyMatch(sentence -> sentence.startsWith("trace/cpu_0 is damaged: "))
                .contains(calls - left.size() + " of the " + String.format("%,d", calls) + " calls that ended are not in the trace,"
                        + " so they are not in the profile; the report counts them.",
                        "As events are missing, which call encloses another one is not certain: only calls that no other one encloses"
                                + " are in the profile, each with all of its time; " + String.format("%,d",
                                        left.size() - outermost.size()) + " others are left out.");
        assertThat(profile.comments()).containsAll(findings);
    }

    /** As if more had been taken off it for its probes than it took. */
    @Test
    void aCallThatTookLessThanThoseWithinIsToldOfAndNothingIsBelowZero() throws Exception {
        int basket = report().functions().stream().map(FunctionLatency::function).filter(f -> f.name().equals("price_basket"))
                .findFirst().orElseThrow().id();
        for (CallExit call : exits()) {
            if (call.function() == basket) {
                setToZero(call);
            }
        }
        Files.delete(session.resolve("packets.crc32"));
        DecodedProfile profile = export(false, MANY);
        assertThat(profile.samples()).allMatch(sample -> sample.values().values().stream().allMatch(value -> value >= 0));
        List<CallExit> exits = exits();
        Map<String, Long> outermost = sums(exits.stream().filter(call -> exits.stream().noneMatch(other -> isWithin(call, other)))
                .toList());
        long wall = profile.total("wall") - outermost.get("wall");
        long onCpu = profile.total("on_cpu") - outermost.get("on_cpu");
        assertThat(wall).isGreaterThan(onCpu);
        assertThat(onCpu).isPositive();
        assertThat(findings).anyMatch(sentence -> sentence.startsWith("In 1 stack the calls within took longer than the calls around")
                && sentence.endsWith("the sums are larger by " + LatencyFormat.nanos(wall) + " of wall, "
                        + LatencyFormat.nanos(onCpu) + " of on_cpu."));
        assertThat(profile.comments()).containsAll(findings);
    }

    /** Its wall-clock time, and that on a CPU. */
    private void setToZero(CallExit call) throws Exception {
        Path stream = session.resolve("trace/cpu_" + call.cpu());
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(stream)).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (bytes.getLong(at) != call.beginNanos() || bytes.getLong(at + Long.BYTES) != call.wallNanos()) {
            at++;
        }
        Files.write(stream, bytes.putLong(at + Long.BYTES, 0).putLong(at + 2 * Long.BYTES, 0).array());
    }

    @Test
    void withoutEventsASentenceSaysWhatToDo() throws Exception {
        Path path = temp.resolve("a.kview");
        try (SessionWriter writer = SessionWriter.create(path, SampleRecording.INFO, SampleRecording.functions(), Optional.empty())) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(path)) {
            assertThatThrownBy(() -> PprofExport.of(reader, path, false)).isInstanceOf(SessionException.class)
                    .hasMessage(path + " was recorded without events, which a profile is made of: record again with --events");
        }
    }

    @Test
    void aTraceWithoutAnyCallMakesNoFile() throws Exception {
        for (String stream : List.of("trace/cpu_0", "trace/cpu_1")) {
            Files.write(session.resolve(stream), new byte[100]);
        }
        Path file = temp.resolve("p.pb.gz");
        try (SessionReader reader = SessionReader.open(session)) {
            assertThatThrownBy(() -> PprofExport.of(reader, session, false).write(file, _ -> { }))
                    .isInstanceOf(SessionException.class).hasMessageContaining("tell of no call").hasMessageContaining("cpu_0");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatIsThereIsNotTouched() throws Exception {
        Path file = Files.writeString(temp.resolve("p.pb.gz"), "another one's");
        try (SessionReader reader = SessionReader.open(session)) {
            assertThatThrownBy(() -> PprofExport.of(reader, session, false).write(file, _ -> { }))
                    .isInstanceOf(SessionException.class).hasMessage(file + " exists already: choose another name");
            Path nowhere = temp.resolve("no/p.pb.gz");
            assertThatThrownBy(() -> PprofExport.of(reader, session, false).write(nowhere, _ -> { }))
                    .isInstanceOf(SessionException.class).hasMessageContaining("there is no folder " + temp.resolve("no"));
        }
        assertThat(file).hasContent("another one's");
    }
}
