// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.kview.model.ClockOffset;
import org.kview.targets.channel.AgentTransport;
import org.kview.targets.channel.Connection;
import org.kview.targets.channel.Link;
import org.kview.targets.channel.LinkOptions;
import org.kview.targets.channel.Receipts;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.LaunchedProcess;
import org.kview.targets.values.LinkListener;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.Listening;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.ProcessListener;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.Survey;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.wire.WireFigures;
import org.kview.targets.wire.WireRecording;
import org.kview.targets.wire.WireSurvey;
import org.kview.targets.wire.WireValues;
import org.kview.wire.proto.CalibrateRequest;
import org.kview.wire.proto.EndProgramRequest;
import org.kview.wire.proto.EndSurveyRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloRequest;
import org.kview.wire.proto.ListMappedFilesRequest;
import org.kview.wire.proto.ListProcessesRequest;
import org.kview.wire.proto.ResumeRequest;
import org.kview.wire.proto.StopRecordingRequest;
import org.kview.wire.proto.ToAgent;

/**
 * A connected agent. Each call blocks until the agent has answered; safe for use by several threads.
 *
 * <p>When the agent dies or its link is gone for good, all waiting calls, and all later ones, throw
 * {@link Kind#CONNECTION_LOST}, and a recording's listener hears {@link RecordingListener#ended}.
 */
public final class Agent implements AutoCloseable {
    /* An emulated, busy host takes more than 15 s for the simplest answer; for a calibration, as for hundreds of probes, minutes. */
    static final Duration QUICK = Duration.ofSeconds(60);
    static final Duration SLOW = Duration.ofSeconds(300);
    /** How long to wait for a recording's end when an older agent says too early that nothing is being recorded. */
    private static final Duration LAST_WORD = Duration.ofSeconds(5);
    private static final long MAX_OUTPUT_BYTES = 16 << 20;
    /** Enough for hours of histograms; only an agent that sends without end exceeds it. */
    private static final long MAX_CONTROL_BYTES = 32 << 20;

    private final AgentTransport transport;
    final Connection connection;
    private final Lane control;
    private final Lane output;
    private final Map<Long, ProcessListener> processes = new ConcurrentHashMap<>();
    private final Map<Long, ProcessListener> recorded = new ConcurrentHashMap<>();
    private final RecordingSlot recording;
    private HostInfo host;

    private Agent(AgentTransport transport, LinkOptions options) {
        this.transport = transport;
        control = new Lane("kview-agent-control", MAX_CONTROL_BYTES, this::listenerFailed);
        output = new Lane("kview-agent-output", MAX_OUTPUT_BYTES, this::listenerFailed);
        recording = new RecordingSlot(control);
        connection = new Connection(transport, options, new Connection.Receiver() {
            @Override
            public void receive(FromAgent message) throws InterruptedException {
                Agent.this.receive(message);
            }

            @Override
            public void lost(TargetException why) {
                Agent.this.lost(why);
            }
        });
    }

    /**
     * Greets a started agent.
     *
     * @param transport closed with the result, or before an exception
     * @throws TargetException if it does not answer, or speaks another version of the protocol
     */
    public static Agent connect(AgentTransport transport) throws TargetException, InterruptedException {
        return connect(transport, LinkOptions.local());
    }

    /**
     * Greets a started agent over a link that may break.
     *
     * @param transport closed with the result, or before an exception
     * @throws TargetException if it does not answer, or speaks another version of the protocol
     */
    public static Agent connect(AgentTransport transport, LinkOptions options)
            throws TargetException, InterruptedException {
        Agent agent = new Agent(transport, options);
        boolean greeted = false;
        try {
            agent.greet();
            greeted = true;
            return agent;
        } finally {
            if (!greeted) {
                agent.close();
            }
        }
    }

    private void greet() throws TargetException, InterruptedException {
        host = connection.request(ToAgent.newBuilder().setHello(HelloRequest.newBuilder()
                .setProtocolVersion(WireValues.PROTOCOL_VERSION).setClientVersion("1")
                .setLinkWindowBytes(Receipts.WINDOW_BYTES)
                .setLinkTimeoutMs((int) link().options().lostAfter().orElse(Duration.ZERO).toMillis())),
                "answer", QUICK, reply -> {
                    HostInfo info = WireValues.host(reply);
                    if (reply.getHello().getLink()) {
                        link().watch(connection::isAsking);
                    }
                    return info;
                });
    }

    private Link link() {
        return connection.link();
    }

    /** The present state of the link to the agent. */
    public LinkStatus linkStatus() {
        return link().states().now();
    }

    /**
     * Tells a listener of each change of the link from now on.
     *
     * @return to be closed when the listener shall hear no more
     */
    public Listening listen(LinkListener listener) {
        return link().states().listen(listener);
    }

    /** The time from here to the agent and back, measured at the last exchange; empty before the first one. */
    public Optional<Duration> roundTrip() {
        return link().clock().roundTrip();
    }

    /** How far the host's clock is from this machine's; empty before the first exchange. */
    public Optional<ClockOffset> clockOffset() {
        return link().clock().offset();
    }

    /** What the agent said about its host when it was greeted. */
    public HostInfo host() {
        return host;
    }

    /** All processes that the agent's user can see, by pid. */
    public List<ProcessInfo> processes() throws TargetException, InterruptedException {
        return processList().processes();
    }

    /** All processes, and when they were listed: two lists tell how much CPU time each process took in between. */
    public ProcessList processList() throws TargetException, InterruptedException {
        return connection.request(ToAgent.newBuilder().setListProcesses(ListProcessesRequest.getDefaultInstance()),
                "list the processes", QUICK, WireValues::processes);
    }

    /**
     * The files whose code a process maps, by the paths that the process sees. {@link FunctionQuery#binary()} may
     * name any of them.
     *
     * @throws TargetException of kind NO_SUCH_PROCESS or NO_PERMISSION, and others
     */
    public List<String> mappedFiles(long pid) throws TargetException, InterruptedException {
        return connection.request(ToAgent.newBuilder().setListMappedFiles(
                ListMappedFilesRequest.newBuilder().setPid((int) pid)), "list the mapped files", QUICK,
                WireValues::mappedFiles);
    }

    /** @throws TargetException of kind NO_SUCH_PROCESS, NO_SUCH_BINARY, STRIPPED or NO_SUCH_FUNCTION, and others */
    public FunctionMatches findFunctions(FunctionQuery query) throws TargetException, InterruptedException {
        return connection.request(ToAgent.newBuilder().setFindFunctions(WireValues.request(query)),
                "find the functions", SLOW, WireValues::functions);
    }

    /** False where {@link #launch} always fails, because programs would get rights that their user does not have. */
    public boolean canLaunch() {
        return !transport.raisesPrivileges();
    }

    /**
     * Starts a program and stops it before the first instruction of its own. If it is never resumed, it ends
     * with the connection.
     *
     * @throws TargetException also where the program would get rights that its user does not have
     */
    public LaunchedProcess launch(LaunchSpec spec, ProcessListener listener)
            throws TargetException, InterruptedException {
        if (!canLaunch()) {
            throw new TargetException(Kind.NO_PERMISSION, "The agent was started through sudo, and would start "
                    + spec.arguments().getFirst() + " as root; start it yourself and record it by its pid,"
                    + " or run kview as root");
        }
        return connection.request(ToAgent.newBuilder().setLaunch(WireValues.request(spec)), "start the program", QUICK,
                reply -> {
                    LaunchedProcess process = WireValues.launched(reply);
                    processes.put(process.pid(), listener);
                    return process;
                });
    }

    /**
     * Tells a listener how a process ends that this connection records but did not launch. The agent knows
     * its exit status if the process ends during the recording; otherwise it reports status 0.
     *
     * @param listener replaces the one that heard of this process before
     */
    public void listenToEnd(long pid, ProcessListener listener) {
        recorded.put(pid, listener);
    }

    /** Lets a launched program run. */
    public void resume(long pid) throws TargetException, InterruptedException {
        connection.request(ToAgent.newBuilder().setResume(ResumeRequest.newBuilder().setPid((int) pid)),
                "let the program run", QUICK, WireValues::resumed);
    }

    /**
     * Ends a program that this agent launched; its listener hears when it has ended.
     *
     * @param force whether by SIGKILL; otherwise by SIGTERM, which the program may handle or ignore
     * @throws TargetException of kind NO_SUCH_PROCESS if it has ended already, and others
     */
    public void endProgram(long pid, boolean force) throws TargetException, InterruptedException {
        connection.request(ToAgent.newBuilder().setEndProgram(
                EndProgramRequest.newBuilder().setPid((int) pid).setForce(force)), "end the program", QUICK,
                WireValues::programEnded);
    }

    /** Takes jumps out of a process that a killed agent left in its code. Tells of how many places; 0: there were none. */
    public long clean(long pid) throws TargetException, InterruptedException {
        return connection.request(WireValues.clean(pid), "restore the process", SLOW, WireValues::cleaned);
    }

    /**
     * Attaches probes and starts to count. One recording at a time.
     *
     * @param listener hears {@link RecordingListener#started} before this call returns or soon after
     * @throws TargetException if the recording did not start; the listener hears nothing then
     */
    public RecordingStart startRecording(RecordingSpec spec, RecordingListener listener)
            throws TargetException, InterruptedException {
        Duration grace = link().canResume() ? spec.grace() : Duration.ZERO;
        return connection.request(ToAgent.newBuilder().setStartRecording(WireRecording.request(spec, grace)),
                "attach the probes", SLOW, reply -> {
                    RecordingStart start = WireRecording.started(reply, spec);
                    if (!reply.getStartRecording().getResumeToken().isEmpty()) {
                        link().keep(new Link.Kept(reply.getStartRecording().getResumeToken(), grace));
                    }
                    RecordingChannel channel = new RecordingChannel(listener, control, link()::consumedPacket,
                            this::listenerFailed);
                    recording.begin(channel, start);
                    return start;
                });
    }

    /** Ends the recording and detaches its probes; {@link RecordingListener#ended} may come a little later. */
    public void stopRecording() throws TargetException, InterruptedException {
        Optional<RecordingChannel> channel = recording.recording();
        channel.ifPresent(RecordingChannel::stopping);
        try {
            connection.requestBehindAll(ToAgent.newBuilder().setStopRecording(
                    StopRecordingRequest.getDefaultInstance()), "detach the probes", SLOW, WireValues::stopped);
            channel.ifPresent(Agent::endedByNow);
        } catch (TargetException e) {
            if (e.kind() == Kind.BAD_REQUEST && channel.isPresent()) {
                // The recording has just ended by itself. Older agents may answer so before they say how it ended.
                channel.get().awaitEnd(LAST_WORD);
                endedByNow(channel.get());
            }
            throw e;
        }
    }

    /**
     * From now on a lost link is not taken up again. If it is lost already, or once it is lost, all waiting calls
     * throw, and a recording ends with what had arrived. The agent then ends by itself after the recording's grace
     * time.
     */
    public void endWhereLost() {
        link().endWhereLost();
    }

    /**
     * How long a recording's agent stays at most after this client has disappeared without a word.
     *
     * @param grace the grace time that the recording was started with
     * @return empty where the agent ends with this client
     */
    public Optional<Duration> endsWithin(Duration grace) {
        return link().canResume() ? Optional.of(link().endsWithin(grace)) : Optional.empty();
    }

    /** The message of the end comes before the reply: if it has not come by now, it never does. */
    private static void endedByNow(RecordingChannel channel) {
        channel.lost(new TargetException(Kind.CONNECTION_LOST,
                "The agent detached its probes and did not say how the recording ended"));
    }

    /** What probes cost on the host, by a child process of the agent's own: a second; with what other ways cost, some more. */
    public Calibration calibrate(boolean ways) throws TargetException, InterruptedException {
        return connection.request(ToAgent.newBuilder().setCalibrate(CalibrateRequest.newBuilder().setWays(ways)),
                "calibrate", SLOW, WireValues::calibration);
    }

    /**
     * Finds out where the time of a process's threads goes, without probes; returns when the survey's time is over, the
     * process has ended, or {@link #endSurvey} was called. Not together with a recording.
     */
    public Survey survey(SurveySpec spec) throws TargetException, InterruptedException {
        return connection.request(ToAgent.newBuilder().setSurvey(WireSurvey.request(spec)), "survey the process",
                SLOW.plus(spec.duration()), WireSurvey::survey);
    }

    /** Ends the survey that another thread waits for, with what it has found so far. */
    public void endSurvey() throws TargetException, InterruptedException {
        connection.request(ToAgent.newBuilder().setEndSurvey(EndSurveyRequest.getDefaultInstance()), "end the survey",
                SLOW, WireSurvey::ended);
    }

    /** Disconnects: the agent detaches everything and ends. A recording that still runs is lost to its listener. */
    @Override
    public void close() {
        connection.close();
        lost(new TargetException(Kind.CONNECTION_LOST, "The agent was disconnected"));
    }

    private void receive(FromAgent message) throws InterruptedException {
        switch (message.getBodyCase()) {
            case HISTOGRAM_DELTA -> known().interval(WireFigures.interval(message.getHistogramDelta()),
                    message.getSerializedSize());
            case EVENT_PACKET -> known().packet(message.getEventPacket());
            case RECORDING_ENDED -> {
                link().letGo();
                known().ended(WireRecording.end(message.getRecordingEnded()));
            }
            case PROCESS_OUTPUT -> {
                byte[] bytes = message.getProcessOutput().getData().toByteArray();
                ProcessListener listener = processes.get(Integer.toUnsignedLong(message.getProcessOutput().getPid()));
                output.put(bytes.length, () -> {
                    if (listener != null) {
                        listener.output(message.getProcessOutput().getErrorStream(), bytes);
                    }
                    link().consumedOutput(bytes.length);
                });
            }
            case PROCESS_EXITED -> {
                var exited = message.getProcessExited();
                ProcessListener listener = processes.remove(Integer.toUnsignedLong(exited.getPid()));
                ProcessListener other = recorded.remove(Integer.toUnsignedLong(exited.getPid()));
                for (ProcessListener told : Stream.of(listener, other).filter(Objects::nonNull).toList()) {
                    output.put(0, () -> told.exited(exited.getSignalled(), exited.getStatus()));
                }
            }
            default -> {
                // A newer agent may send messages that this client does not know.
            }
        }
    }

    private RecordingChannel known() {
        return recording.recording().orElseThrow(
                () -> new IllegalStateException("the agent sent figures before a recording was started"));
    }

    private void lost(TargetException why) {
        recording.gone(why);
        output.finish();
    }

    private void listenerFailed(Throwable e) {
        connection.fail(TargetException.mistake(e));
    }
}
