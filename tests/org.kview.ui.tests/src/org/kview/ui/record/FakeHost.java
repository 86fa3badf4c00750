// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.eclipse.jface.wizard.WizardDialog;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetRegistry;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.ui.Ui;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.CalibrateReply;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.ExitKind;
import org.kview.wire.proto.Filter;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FindFunctionsRequest;
import org.kview.wire.proto.FindPointsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.InstructionCost;
import org.kview.wire.proto.ListMappedFilesReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Losses;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** A host with a shop that runs, and an agent that counts what a test tells it to. */
public final class FakeHost implements Target {
    static final int SHOP_PID = 4711;

    private static final List<Function> FUNCTIONS = List.of(
            function("price_basket", 1500, InstructionCost.INSTRUCTION_EMULATED, ""),
            function("price_total", 1500, InstructionCost.INSTRUCTION_EMULATED, ""),
            function("flush_cache", 10_400, InstructionCost.INSTRUCTION_SINGLE_STEPPED, ""),
            function("start_of_all", 0, InstructionCost.INSTRUCTION_EMULATED,
                    "its first bytes are the target of a jump."));

    private final List<FakeAgent> agents = new CopyOnWriteArrayList<>();
    private final String name;
    private final FakeSurvey survey = new FakeSurvey();
    private volatile boolean measured;
    private volatile long costNanos;
    private volatile long cpuNanos;
    private volatile int lastCalls = 500;
    private volatile List<FunctionDelta> others = List.of();
    private volatile String refusal = "";
    private volatile boolean hasCgroups = true;
    /** The agent that was last asked to record: others may come later. */
    private volatile FakeAgent recording;
    private volatile CompletableFuture<Void> mayStart = CompletableFuture.completedFuture(null);
    private volatile CompletableFuture<Void> mayStop = CompletableFuture.completedFuture(null);

    public FakeHost() {
        this("local");
    }

    public FakeHost(String name) {
        this.name = name;
    }

    private static Function function(String name, long costNanos, InstructionCost cost, String reason) {
        return Function.newBuilder().setName(name).setSymbol(name).setBinary("/srv/shop/checkout")
                .setFileOffset(0x1000 + name.hashCode() % 0x1000L * 16).setSizeBytes(120).setProbeable(reason.isEmpty())
                .setReason(reason).setExitKind(ExitKind.EXIT_URETPROBE).setEntryCost(cost).setExitCost(cost)
                .setPredictedCostNs(costNanos).build();
    }

    /** Its agent is one that measures single processes. */
    void withoutCgroups() {
        hasCgroups = false;
    }

    /** The only target that there is. */
    public static TargetConnection connection(Target target) {
        TargetRegistry registry = new TargetRegistry();
        registry.show(List.of(new TargetRegistry.Entry(target, TargetConnection.Origin.LOCAL)));
        return registry.connections().getFirst();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Agent connect() throws TargetException, InterruptedException {
        FakeAgent fake = new FakeAgent();
        agents.add(fake);
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1).setAgentVersion("fake")
                .setHostname("testhost").setKernelRelease("6.18.0").setMachine("x86_64").setCpus(2)
                .addCapabilities(Capability.newBuilder().setName("uprobe_multi").setAvailable(true).setRequired(true)
                        .setDetail("Probes can be set."))
                .addCapabilities(Capability.newBuilder().setName("cgroup").setAvailable(hasCgroups))));
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(process(SHOP_PID, "checkout", "shop", "/srv/shop/checkout --workers 8", 38_000_000_000L))
                .addProcesses(process(812, "redis-server", "redis", "redis-server *:6379", 3_000_000_000L))
                .addProcesses(Process.newBuilder().setPid(2).setName("kthreadd").setKernelThread(true))));
        fake.on(BodyCase.LIST_MAPPED_FILES, _ -> FromAgent.newBuilder().setListMappedFiles(ListMappedFilesReply
                .newBuilder().addPaths("/srv/shop/checkout").addPaths("/usr/lib/x86_64-linux-gnu/libc.so.6")));
        fake.on(BodyCase.FIND_FUNCTIONS, this::find);
        fake.on(BodyCase.FIND_POINTS, FakeHost::findPoints);
        fake.on(BodyCase.CALIBRATE, _ -> {
            measured = true;
            return FromAgent.newBuilder().setCalibrate(CalibrateReply.getDefaultInstance());
        });
        survey.serve(fake);
        fake.on(BodyCase.START_RECORDING, request -> {
            recording = fake;
            mayStart.join();
            return refusal.isEmpty() ? started(request) : FromAgent.newBuilder()
                    .setError(Error.newBuilder().setCode(Error.Code.NO_PERMISSION).setMessage(refusal));
        });
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            mayStop.join();
            fake.send(delta(lastCalls, 0, true));
            fake.send(FromAgent.newBuilder().setRecordingEnded(RecordingEnded.newBuilder()
                    .setReason(RecordingEnded.Reason.REQUESTED).setEndNs(9_000_000_000L)));
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
        return Agent.connect(fake.start());
    }

    private static Process process(int pid, String name, String user, String command, long cpuNanos) {
        return Process.newBuilder().setPid(pid).setName(name).setUser(user).setExecutable("/srv/shop/" + name)
                .addAllArguments(List.of(command.split(" "))).setThreads(9).setCpuTimeNs(cpuNanos)
                .setCgroup("/system.slice/" + user + ".service").build();
    }

    /** Its kernel has few system calls. */
    private static FromAgent.Builder findPoints(ToAgent request) {
        String pattern = request.getFindPoints().getSystemCalls();
        List<String> names = Stream.of("fsync", "read").filter(name -> pattern.startsWith("*") ? name.contains(pattern.replace("*", "")) : name.equals(pattern)).toList();
        return !names.isEmpty()
                ? FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder().setTotalMatches(names.size()).addAllNames(names))
                : FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_SUCH_FUNCTION).setMessage("There is none."));
    }

    /** What a function's probes cost is not known before it was measured. */
    private FromAgent.Builder find(ToAgent request) {
        FindFunctionsRequest query = request.getFindFunctions();
        String pattern = query.getPattern().replace("*", "");
        List<Function> matches = FUNCTIONS.stream().filter(f -> f.getName().contains(pattern))
                .map(f -> measured ? f : f.toBuilder().clearPredictedCostNs().build()).toList();
        return FromAgent.newBuilder().setFindFunctions(FindFunctionsReply.newBuilder().addAllFunctions(matches)
                .setTotalMatches(matches.size()).setBinary("/srv/shop/checkout"));
    }

    private static FromAgent.Builder started(ToAgent request) {
        StartRecordingReply.Builder reply = StartRecordingReply.newBuilder().setStartNs(1_000_000_000L)
                .setFilter(Filter.FILTER_IN).setFilterNote("Each context switch takes 0.2 µs longer.");
        request.getStartRecording().getProbesList().forEach(probe -> reply.addProbes(AttachedProbe.newBuilder()
                .setFunctionId(probe.getFunctionId()).setExitKind(ExitKind.EXIT_URETPROBE).setInnerCostNs(640)
                .setCallCostNs(1500)));
        return FromAgent.newBuilder().setStartRecording(reply);
    }

    /** Tells the recording that there were so many calls in all, each of 20 µs, half of it on a CPU. */
    public void count(int calls, int lost) {
        recording.send(delta(calls, lost, false));
    }

    /** What the first function's probes take from now on, and the process with them, in 8 s. */
    void cost(long probesNanos, long processNanos) {
        costNanos = probesNanos;
        cpuNanos = processNanos;
    }

    /** How often the first function is called in the 8 s of a recording, and the second, whose probes take what is given. */
    void calls(int first, int second, int passedBySecond, long secondCostNanos) {
        lastCalls = first;
        others = List.of(FunctionDelta.newBuilder().setFunctionId(1).setCalls(second).setPassedSites(passedBySecond)
                .setCostNs(secondCostNanos).addMetrics(metric(Metric.WALL, 10, 20_000)).build());
    }

    FakeSurvey survey() {
        return survey;
    }

    /** Functions are found as before their cost was measured. */
    void forgetCosts() {
        measured = false;
    }

    /** Lets no recording start any more. */
    public void refuse(String message) {
        refusal = message;
    }

    /** Takes its time to start recordings from now on: until the result is completed. */
    public CompletableFuture<Void> holdStart() {
        mayStart = new CompletableFuture<>();
        return mayStart;
    }

    /** Takes its time to end recordings from now on: until the result is completed. */
    public CompletableFuture<Void> holdStop() {
        mayStop = new CompletableFuture<>();
        return mayStop;
    }

    /** Whether all its agents have ended, or do so soon. */
    public boolean awaitNoAgent() throws InterruptedException {
        for (FakeAgent agent : agents) {
            if (agent.awaitExit(Duration.ofMinutes(2)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** How often it was connected to. */
    int connections() {
        return agents.size();
    }

    /** Lets the agent of the first connection die. */
    void loseFirst() throws IOException {
        agents.getFirst().die(1, "The link broke.");
    }

    void fail(String message) {
        agents.getLast().send(FromAgent.newBuilder().setRecordingEnded(RecordingEnded.newBuilder()
                .setReason(RecordingEnded.Reason.FAILED).setMessage(message).setEndNs(5_000_000_000L)));
    }

    private FromAgent.Builder delta(int calls, int lost, boolean last) {
        return FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().setBeginNs(1_000_000_000L)
                .setEndNs(3_000_000_000L).setLast(last).setProcessCpuNs(cpuNanos).setLosses(Losses.newBuilder().setEventsDropped(lost))
                .addFunctions(FunctionDelta.newBuilder().setFunctionId(0).setCalls(calls).setCostNs(costNanos)
                        .addMetrics(metric(Metric.WALL, 10, 20_000)).addMetrics(metric(Metric.ON_CPU, 10, 10_000))
                        .addMetrics(metric(Metric.LOCK, 10, 10_000))).addAllFunctions(others));
    }

    private static MetricDelta metric(Metric metric, int count, long nanos) {
        return MetricDelta.newBuilder().setMetric(metric).setCount(count).setTotalNs(count * nanos).setMaxNs(nanos)
                .addBucketIndex(org.kview.model.LatencyBuckets.indexOf(nanos)).addBucketCount(count).build();
    }

    /** Every request that reached an agent of this host. */
    List<ToAgent> received() {
        return agents.stream().flatMap(agent -> agent.received().stream()).toList();
    }

    /** Closes a wizard, and lets go of all that it may have connected to, without waiting for that. */
    static void leave(WizardDialog dialog, RecordWizard wizard) {
        Ui.run(() -> {
            wizard.targets().forEach(target -> Thread.ofVirtual().start(target::disconnect));
            dialog.close();
        });
        Ui.settle();
    }
}
