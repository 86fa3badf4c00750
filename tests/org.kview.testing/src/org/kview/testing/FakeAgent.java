// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.kview.targets.channel.AgentTransport;
import org.kview.wire.FrameReader;
import org.kview.wire.FrameWriter;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.ToAgent;

/**
 * An agent that says what a test tells it to, with no process and no kernel behind it. Greets by
 * itself; other requests are answered as {@link #on} says, or not at all.
 */
public final class FakeAgent implements AgentTransport {
    private static final int PIPE_BYTES = 64 << 10;

    private final Pipe toAgent = new Pipe(PIPE_BYTES);
    private final Pipe fromAgent = new Pipe(PIPE_BYTES);
    private final Pipe errors = new Pipe(PIPE_BYTES);
    private final OutputStream replies = fromAgent.output();
    private final FrameWriter writer = new FrameWriter(replies);
    private final Map<ToAgent.BodyCase, Function<ToAgent, FromAgent.Builder>> answers =
            new EnumMap<>(ToAgent.BodyCase.class);
    private final List<ToAgent> received = new CopyOnWriteArrayList<>();
    private final Semaphore unanswered = new Semaphore(0);
    private volatile boolean privileged;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    public FakeAgent() {
        on(ToAgent.BodyCase.HELLO, request -> FromAgent.newBuilder().setHello(HelloReply.newBuilder()
                .setProtocolVersion(1).setAgentVersion("fake").setHostname("testhost").setKernelRelease("6.18.0")
                .setMachine("x86_64").setCpus(2).addCapabilities(Capability.newBuilder().setName("uprobe_multi")
                        .setAvailable(true).setRequired(true).setDetail("Probes can be set."))));
    }

    /** Answers requests of a kind; a reply of {@code null} leaves them unanswered. */
    public FakeAgent on(ToAgent.BodyCase kind, Function<ToAgent, FromAgent.Builder> answer) {
        synchronized (answers) {
            answers.put(kind, answer);
        }
        return this;
    }

    /** Answers requests of a kind with an error. */
    public FakeAgent refuse(ToAgent.BodyCase kind, Error.Code code, String message, String... suggestions) {
        return on(kind, request -> FromAgent.newBuilder().setError(Error.newBuilder().setCode(code)
                .setMessage(message).addAllSuggestions(List.of(suggestions))));
    }

    /** Begins to serve; to be called once. */
    public FakeAgent start() {
        Thread.ofVirtual().name("fake-agent").start(this::serve);
        return this;
    }

    /** The requests so far. */
    public List<ToAgent> received() {
        return received;
    }

    /** Waits for a request that is left unanswered. */
    public void awaitUnanswered() {
        unanswered.acquireUninterruptibly();
    }

    /** Sends a message on its own account; blocks while nobody reads. */
    public void send(FromAgent.Builder message) {
        try {
            writer.write(message.build());
        } catch (IOException e) {
            throw new IllegalStateException("The fake agent can't send: " + e.getMessage(), e);
        }
    }

    /** Sends what is no message. */
    public void sendRaw(byte[] bytes) throws IOException {
        replies.write(bytes);
    }

    /** Ends as a process does that says something and exits, or is killed with 128 + a signal's number. */
    public void die(int status, String lastLine) throws IOException {
        errors.output().write((lastLine + "\n").getBytes(StandardCharsets.UTF_8));
        errors.output().close();
        replies.close();
        exit.complete(status);
    }

    private void serve() {
        FrameReader<ToAgent> reader = new FrameReader<>(toAgent.input(), ToAgent.parser());
        try {
            for (Optional<ToAgent> request = reader.read(); request.isPresent(); request = reader.read()) {
                received.add(request.get());
                answer(request.get());
            }
        } catch (IOException e) {
            // The client has gone, as it may.
        }
        replyEnd();
    }

    private void answer(ToAgent request) throws IOException {
        Function<ToAgent, FromAgent.Builder> answer;
        synchronized (answers) {
            answer = answers.get(request.getBodyCase());
        }
        FromAgent.Builder reply = answer == null ? null : answer.apply(request);
        if (reply != null) {
            writer.write(reply.setRequestId(request.getRequestId()).build());
        } else {
            unanswered.release();
        }
    }

    private void replyEnd() {
        try {
            replies.close();
            errors.output().close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        exit.complete(0);
    }

    /** Pretends to have been started with rights that the test has not. */
    public FakeAgent privileged() {
        privileged = true;
        return this;
    }

    @Override
    public boolean raisesPrivileges() {
        return privileged;
    }

    @Override
    public String description() {
        return "the fake agent";
    }

    @Override
    public InputStream input() {
        return fromAgent.input();
    }

    @Override
    public OutputStream output() {
        return toAgent.output();
    }

    @Override
    public InputStream errors() {
        return errors.input();
    }

    @Override
    public OptionalInt awaitExit(Duration timeout) throws InterruptedException {
        try {
            return OptionalInt.of(exit.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return OptionalInt.empty();
        }
    }

    @Override
    public void kill() {
        exit.complete(128 + 9);
        close();
    }

    @Override
    public void close() {
        try {
            output().close();
            input().close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
