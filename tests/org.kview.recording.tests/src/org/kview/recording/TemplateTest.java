// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.LatencyAccumulator;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.Overhead;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.Provenance;
import org.kview.model.Quantity;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.model.Waits;
import org.kview.recording.template.LibraryName;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.RecordingTemplate.Probe;
import org.kview.recording.template.TemplateException;
import org.kview.recording.template.TemplateLookup;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FindPointsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.RefusedPoint;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

@Timeout(300)
class TemplateTest {
    private static final RecordingTemplate SHOP = new RecordingTemplate("shop", List.of(new Probe("", "_Z5placev", "place()"),
            new Probe("libz.so.1.2.13", "deflate", "deflate"), new Probe("", "hidden", "hidden"),
            new Probe("libgone.so", "gone", "gone")), true, Filter.IN, Optional.of(Duration.ofMillis(2500)), new Budget(7_500));

    @TempDir
    private Path folder;

    /** The same functions wherever they are, and what the session tells of how it was recorded. */
    @Test
    void isMadeOfASession() {
        Provenance provenance = new Provenance("", "", "", 1, "", "", List.of(new Provenance.TracedProcess(0, "process", 7, "shop",
                "/opt/shop", 0, "")), List.of());
        ProbedFunction own = function(0, "/opt/shop", Mechanism.JUMP, Waits.Told.YES), library = function(1, "/lib/libz.so.1", Mechanism.TRAP,
                Waits.Told.NO);
        RecordingTemplate made = RecordingTemplate.of("again", session(Optional.of(new Budget(10_000)), provenance, own, library), true)
                .orElseThrow();
        assertThat(made).isEqualTo(new RecordingTemplate("again", List.of(new Probe("", "f0", "f0"), new Probe("libz.so.1", "f1", "f1")), true,
                Filter.AUTO, Optional.empty(), new Budget(10_000), ProbeWay.JUMP, true));
        assertThat(RecordingTemplate.of("again", session(Optional.of(Budget.NONE), provenance, function(0, "/lib/libz.so.1", Mechanism.TRAP,
                Waits.Told.NO)), false).orElseThrow()).isEqualTo(new RecordingTemplate("again", List.of(new Probe("libz.so.1", "f0", "f0")), false,
                Filter.AUTO, Optional.empty(), Budget.NONE, ProbeWay.AUTO, false));
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), provenance, own), true).orElseThrow().budget())
                .as("of one that does not tell its budget").isEqualTo(Budget.DEFAULT);
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), provenance), true)).as("without functions").isEmpty();
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), provenance, function(0, "", Mechanism.IMPORTED, Waits.Told.UNKNOWN)), true))
                .as("of another tool's trace").isEmpty();
    }

    private static ProbedFunction function(int id, String binary, Mechanism mechanism, Waits.Told waits) {
        return new ProbedFunction(id, "f" + id, new ProbePoint.UserFunction(binary, "f" + id, 16, 16, 16), mechanism,
                ProbedFunction.ALL_METRICS, new ProbedFunction.Ends(ProbedFunction.ExitKind.RETURN_SITES, List.of(), true),
                ProbedFunction.Cost.UNKNOWN, 0, waits);
    }

    /** Recorded in a view. */
    private static LatencySnapshot session(Optional<Budget> budget, Provenance provenance, ProbedFunction... functions) {
        SessionInfo info = new SessionInfo(new SessionInfo.Host("local", "web", "6.18.0", Optional.empty()),
                List.of(new Scope.Process(7, 0)), "/opt/shop", new SessionInfo.Filtering("view", ""), Instant.EPOCH, Duration.ofSeconds(1),
                new SessionInfo.Ending(SessionInfo.State.STOPPED, "", Optional.empty()), provenance);
        LatencyAccumulator none = new LatencyAccumulator(List.of(functions));
        Overhead overhead = new Overhead(0, false, Optional.empty(), "", ProcessShare.UNKNOWN, budget, "");
        return new LatencySnapshot(info, none.functions(), none.losses(), overhead, List.of());
    }

    @Test
    void comesBackAsItWasKept() throws Exception {
        TemplateStore store = new TemplateStore(folder.resolve("new"));
        assertThat(store.list().templates()).isEmpty();
        store.save(SHOP);
        var odd = new RecordingTemplate("../a/b: *ü\n", List.of(new Probe("", "f", "f")), false, Filter.AUTO, Optional.empty(), Budget.NONE);
        store.save(odd);
        assertThat(store.list().templates()).containsExactly(odd, SHOP);
        assertThat(store.list().problems()).isEmpty();
        assertThat(folder).isDirectoryNotContaining(path -> !path.endsWith("new"));
        store.remove(odd.name());
        assertThat(store.list().templates()).containsExactly(SHOP);
    }

    @Test
    void theWayAndTheWaitsAreKeptAndAnOlderOneHasNeither() throws Exception {
        Path file = folder.resolve("jumps.json");
        var template = new RecordingTemplate("jumps", List.of(new Probe("", "f", "f")), false, Filter.AUTO, Optional.empty(), Budget.DEFAULT,
                ProbeWay.JUMP, true);
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        Files.writeString(file, Files.readString(file).replaceAll(",\\s*\"(probe_way|waits)\" : [^,}\\s]*", ""));
        assertThat(Files.readString(file)).doesNotContain("jump\"", "waits").contains("budget");
        assertThat(TemplateStore.read(file)).isEqualTo(new RecordingTemplate("jumps", template.probes(), false, Filter.AUTO, Optional.empty()));
    }

    @Test
    void thatChildrenAreMeasuredIsKeptAndAnOlderOneIsOfTheProcessAlone() throws Exception {
        Path file = folder.resolve("workers.json");
        var template = new RecordingTemplate("workers", List.of(new Probe("", "f", "f")), false, Filter.AUTO, Optional.empty(), Budget.DEFAULT,
                ProbeWay.AUTO, false, CallConditions.NONE, CallSplits.NONE, true);
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        Files.writeString(file, Files.readString(file).replaceAll(",\\s*\"children\" : true", ""));
        assertThat(TemplateStore.read(file).children()).isFalse();
    }

    @Test
    void whatIsCountedBesideTimeIsKeptAndThatOfASessionIsByWhatItTells() throws Exception {
        Path file = folder.resolve("faults.json");
        var template = new RecordingTemplate("faults", List.of(new Probe("", "f0", "f0")), false, Filter.AUTO, Optional.empty(), Budget.DEFAULT,
                ProbeWay.AUTO, false, CallConditions.NONE, CallSplits.NONE, false, List.of("alloc", "io", "moons"));
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        Files.writeString(file, Files.readString(file).replaceAll(",\\s*\"measures\" : \\[[^]]*]", ""));
        assertThat(TemplateStore.read(file).measures()).isEmpty();
        ProbedFunction plain = function(0, "", Mechanism.TRAP, Waits.Told.NO);
        ProbedFunction counted = new ProbedFunction(0, plain.name(), plain.point(), plain.mechanism(), plain.measured(), plain.ends(), plain.cost(), 0,
                Waits.Told.NO, "", "", Stream.of("minor_faults", "major_faults", "io_requests", "io_device_ns", "of_a_newer_agent")
                        .map(id -> new Quantity(id, id, Quantity.Unit.COUNT)).toList());
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), Provenance.UNKNOWN, counted), false).orElseThrow().measures())
                .containsExactly("alloc", "io");
    }

    @Test
    void conditionsAreKept() throws Exception {
        Path file = folder.resolve("conditions.json");
        var template = new RecordingTemplate("large", List.of(new Probe("", "f", "f")), false, Filter.AUTO, Optional.empty(), Budget.DEFAULT,
                ProbeWay.AUTO, false, CallConditions.parse("arg0 > 4096; f: comm == \"worker-1\""), CallSplits.parse("f: arg1 & 7"));
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        Files.writeString(file, Files.readString(file).replace("arg0 > 4096", "arg0 >"));
        assertThatThrownBy(() -> TemplateStore.read(file)).hasMessageContaining("its conditions can't be understood: a number is missing");
    }

    /** As functions were measured that the session tells of. */
    @Test
    void conditionsOfASessionAreItsFunctions() throws Exception {
        Provenance none = new Provenance("", "", "", 1, "", "", List.of(), List.of());
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), none, conditional(0, "f", "arg0 > 1"), conditional(1, "g", "arg0 > 1")),
                false).orElseThrow().conditions()).hasToString("arg0 > 1");
        CallConditions own = RecordingTemplate.of("again", session(Optional.empty(), none, conditional(0, "shop::operator<(int)", "arg0 > 1"),
                conditional(1, "g", "")), false).orElseThrow().conditions();
        assertThat(own.of("shop::operator<(int)").orElseThrow().text()).isEqualTo("arg0 > 1");
        assertThat(own.of("g")).isEmpty();
        assertThat(RecordingTemplate.of("again", session(Optional.empty(), none, conditional(0, "f", "of a newer version")), false).orElseThrow()
                .conditions().isEmpty()).isTrue();
    }

    private static ProbedFunction conditional(int id, String name, String condition) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/x", name, 16, 16, 16), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, condition);
    }

    @Test
    void oneThatCantBeWrittenLeavesNothingBehind() throws Exception {
        Path taken = Files.createDirectories(folder.resolve("shop.json/taken")).getParent();
        assertThatThrownBy(() -> TemplateStore.write(SHOP, taken)).isInstanceOf(TemplateException.class);
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(taken));
    }

    @Test
    void goesThroughAFile() throws Exception {
        Path file = folder.resolve("out/shop.json");
        TemplateStore.write(SHOP, file);
        assertThat(TemplateStore.read(file)).isEqualTo(SHOP);
        assertThat(Files.readString(file)).contains("\"schema\" : \"kview-template/1\"", "\"duration_s\" : 2.5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"schema\":\"kview-template/2\"}", "{\"schema\":\"kview-template/1\",\"name\":\"x\"}",
        "{\"schema\":\"kview-template/1\",\"name\":\"\",\"probes\":[{\"symbol\":\"f\"}]}",
        "{\"schema\":\"kview-template/1\",\"name\":\"x\",\"probes\":[{\"symbol\":\"\"}]}",
        "{\"schema\":\"kview-template/1\",\"name\":\"x\",\"probes\":[{\"point\":{\"kind\":\"system_call\"}}]}",
        "{\"schema\":\"kview-template/1\",\"name\":\"x\",\"probes\":[{\"point\":{\"kind\":\"\"}}]}",
        "{\"schema\":\"kview-template/1\",\"name\":\"x\",\"probes\":[{\"symbol\":\"f\"}],\"filter\":\"what\"}",
        "{\"schema\":\"kview-template/1\",\"name\":\"x\",\"probes\":[{\"symbol\":\"f\"}],\"probe_way\":\"leap\"}"})
    void aDamagedOneIsNamedAndTheOthersStay(String text) throws Exception {
        TemplateStore store = new TemplateStore(folder);
        store.save(SHOP);
        Path bad = Files.writeString(folder.resolve("bad" + TemplateStore.SUFFIX), text);
        assertThat(store.list().templates()).containsExactly(SHOP);
        assertThat(store.list().problems()).singleElement().asString().contains(bad.toString());
        assertThatThrownBy(() -> TemplateStore.read(bad)).isInstanceOf(TemplateException.class);
    }

    private static FromAgent.Builder answer(ToAgent request) {
        var query = request.getFindFunctions();
        return switch (query.getBinary() + ":" + query.getPattern()) {
            case ":_Z5placev" -> found("place()", true);
            case "libz:deflate" -> found("deflate", true);
            case "libc:malloc" -> found("malloc", true);
            case "libglib-2.0:g_free" -> found("g_free", true);
            case "libm.so.6:sin" -> found("sin", true);
            case "libc-2.31.so:malloc", "libc-2.31:malloc", "libglib-2.0.so.0.7200.4:g_free",
                    "/lib/x86_64-linux-gnu/libm.so.6:sin" -> error(Error.Code.NO_SUCH_BINARY);
            case ":hidden" -> found("hidden", false);
            case "libz.so.1.2.13:deflate", "libgone.so:gone", "libgone:gone" -> error(Error.Code.NO_SUCH_BINARY);
            default -> error(Error.Code.NO_SUCH_PROCESS);
        };
    }

    private static FromAgent.Builder found(String name, boolean probeable) {
        return FromAgent.newBuilder().setFindFunctions(FindFunctionsReply.newBuilder().setTotalMatches(1).addFunctions(
                Function.newBuilder().setName(name).setSymbol(name).setProbeable(probeable).setReason("It is too short.")));
    }

    private static FromAgent.Builder error(Error.Code code) {
        return FromAgent.newBuilder().setError(Error.newBuilder().setCode(code).setMessage("There is none."));
    }

    /** Found by the names that other distributions give the same libraries. */
    @Test
    void aLibraryMayHaveAnotherVersionOrFolder() throws Exception {
        var template = new RecordingTemplate("libraries", List.of(new Probe("libc-2.31.so", "malloc", "malloc"),
                new Probe("libglib-2.0.so.0.7200.4", "g_free", "g_free"),
                new Probe("/lib/x86_64-linux-gnu/libm.so.6", "sin", "sin")), true, Filter.AUTO, Optional.empty());
        FakeAgent fake = new FakeAgent().on(BodyCase.FIND_FUNCTIONS, TemplateTest::answer);
        try (Agent agent = Agent.connect(fake.start())) {
            TemplateLookup.Result result = new TemplateLookup(agent, 7, "/srv/shop").find(template);
            assertThat(result.functions()).extracting("name").containsExactly("malloc", "g_free", "sin");
            assertThat(result.missing()).isEmpty();
        }
        assertThat(List.of("libc.so.6", "/usr/lib/libc-2.36.so", "libglib-2.0.so.0", "libz.so.1.3", "shop", "node.so"))
                .extracting(LibraryName::withoutVersion).containsExactly("libc", "libc", "libglib", "libz", "shop", "node");
    }

    private static FromAgent.Builder point(ToAgent request) {
        var query = request.getFindPoints();
        if (query.hasStaticProbes()) {
            return query.getStaticProbes().getBinary().equals("libc") ? FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                    .setTotalMatches(1).addNames(query.getStaticProbes().getPattern()).setBinary("/usr/lib/libc-2.31.so"))
                    : error(Error.Code.NO_SUCH_BINARY);
        }
        return switch (query.getSystemCalls() + query.getKernelFunctions() + query.getTracepoints()) {
            case "fsync", "vfs_fsync", "sched:sched_wakeup" -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder().setTotalMatches(1)
                    .addNames(query.getSystemCalls() + query.getKernelFunctions() + query.getTracepoints()));
            case "sched:sched_switch" -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder().setTotalMatches(1)
                    .addRefused(RefusedPoint.newBuilder().setName("sched:sched_switch").setReason("It is in use.")));
            case "ext4_sync_file" -> error(Error.Code.UNSUPPORTED);
            case "fsink" -> error(Error.Code.NO_SUCH_FUNCTION);
            default -> error(Error.Code.FAILED);
        };
    }

    /** Points of the kernel are found in the other host's kernel. */
    @Test
    void aPointOfTheKernelIsFoundAndWhatIsNotIsNamed() throws Exception {
        var template = new RecordingTemplate("calls", List.of(new Probe(new ProbePoint.SystemCall("fsync"), "syscall:fsync"),
                new Probe(new ProbePoint.KernelFunction("ext4", "ext4_sync_file"), "kernel:ext4_sync_file"),
                new Probe(new ProbePoint.KernelFunction("", "vfs_fsync"), "kernel:vfs_fsync"),
                new Probe(new ProbePoint.Tracepoint("sched", "sched_switch"), "tracepoint:sched:sched_switch"),
                new Probe(new ProbePoint.SystemCall("fsink"), "syscall:fsink"),
                new Probe(new ProbePoint.Tracepoint("sched", "sched_wakeup"), "tracepoint:sched:sched_wakeup")), false, Filter.AUTO, Optional.empty());
        FakeAgent fake = new FakeAgent().on(BodyCase.FIND_POINTS, TemplateTest::point);
        try (Agent agent = Agent.connect(fake.start())) {
            TemplateLookup.Result result = new TemplateLookup(agent, 7, "/srv/shop").find(template);
            assertThat(result.functions()).extracting(FunctionInfo::point).containsExactly(new ProbePoint.SystemCall("fsync"),
                    new ProbePoint.KernelFunction("", "vfs_fsync"), new ProbePoint.Tracepoint("sched", "sched_wakeup"));
            assertThat(result.functions()).allMatch(FunctionInfo::probeable);
            assertThat(result.missing()).extracting(lack -> lack.probe().function() + " " + lack.reason()).containsExactly(
                    "kernel:ext4_sync_file There is none.", "tracepoint:sched:sched_switch It can't be probed: It is in use.",
                    "syscall:fsink There is none.");
            var broken = new RecordingTemplate("x", List.of(new Probe(new ProbePoint.SystemCall("other"), "syscall:other")), false, Filter.AUTO,
                    Optional.empty());
            assertThatThrownBy(() -> new TemplateLookup(agent, 7, "").find(broken)).isInstanceOf(TargetException.class);
        }
    }

    @Test
    void aPointThatIsNoFunctionIsKeptAndNamed() throws Exception {
        var template = new RecordingTemplate("calls", List.of(new Probe(new ProbePoint.SystemCall("fsync"), "syscall:fsync"),
                new Probe(new ProbePoint.Tracepoint("sched", "sched_switch"), "sched:sched_switch"),
                new Probe(new ProbePoint.KernelFunction("ext4", "ext4_sync_file"), "ext4_sync_file"),
                new Probe(new ProbePoint.Usdt("libc.so.6", "libc", "setjmp"), "usdt:libc.so.6:libc:setjmp")), false, Filter.AUTO, Optional.empty());
        Path file = folder.resolve("calls.json");
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        FakeAgent fake = new FakeAgent().on(BodyCase.FIND_POINTS, TemplateTest::point);
        try (Agent agent = Agent.connect(fake.start())) {
            assertThat(new TemplateLookup(agent, 7, "/srv/shop").find(template).functions()).last().extracting(FunctionInfo::name)
                    .as("in another version of the library").isEqualTo("usdt:libc-2.31.so:libc:setjmp");
        }
        Files.writeString(file, Files.readString(file).replaceAll(",\\s*\"point\" : \\{[^}]*\\}", ""));
        assertThat(Files.readString(file)).doesNotContain("\"point\"");
        assertThat(TemplateStore.read(file).probes().getFirst()).as("as older versions write them")
                .isEqualTo(new Probe("", "fsync", "syscall:fsync"));
    }

    @Test
    void whatANewerVersionSaysOfAPointIsKept() throws Exception {
        Path file = Files.writeString(folder.resolve("newer.json"), """
                {"schema":"kview-template/1","name":"newer","probes":[
                  {"point":{"kind":"system_call","name":"fsync","nr":74}},
                  {"point":{"kind":"uring","opcode":"fsync","of":{"files":[1,2]}},"price":2},
                  {"symbol":"f","weight":3}]}
                """);
        RecordingTemplate template = TemplateStore.read(file);
        assertThat(template.probes()).extracting(Probe::point).containsExactly(new ProbePoint.SystemCall("fsync"),
                new ProbePoint.Unknown("uring", ""), new ProbePoint.UserFunction("", "f", 0, 0, 0));
        assertThat(template.probes().getFirst().function()).isEqualTo("syscall:fsync");
        TemplateStore.write(template, file);
        assertThat(TemplateStore.read(file)).isEqualTo(template);
        assertThat(Files.readString(file).replaceAll("\\s", ""))
                .contains("{\"point\":{\"kind\":\"uring\",\"opcode\":\"fsync\",\"of\":{\"files\":[1,2]}},\"price\":2}");
    }

    @Test
    void findsWhatIsThereAndSaysWhatIsMissing() throws Exception {
        FakeAgent fake = new FakeAgent().on(BodyCase.FIND_FUNCTIONS, TemplateTest::answer);
        try (Agent agent = Agent.connect(fake.start())) {
            TemplateLookup.Result result = new TemplateLookup(agent, 7, "/srv/shop").find(SHOP);
            assertThat(result.functions()).extracting("name").as("also of another version of a library")
                    .containsExactly("place()", "deflate");
            assertThat(result.missing()).extracting(lack -> lack.probe().point().symbol()).containsExactly("hidden", "gone");
            assertThat(result.missing().getFirst().reason()).contains("too short");
            var stranger = new RecordingTemplate("x", List.of(new Probe("", "f", "f")), true, Filter.AUTO, Optional.empty());
            assertThatThrownBy(() -> new TemplateLookup(agent, 7, "").find(stranger)).isInstanceOf(TargetException.class);
        }
    }
}
