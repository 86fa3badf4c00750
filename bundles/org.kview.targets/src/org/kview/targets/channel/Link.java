// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.kview.targets.values.LinkState;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.wire.FrameException;
import org.kview.wire.proto.Acknowledge;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Goodbye;
import org.kview.wire.proto.ToAgent;

import com.google.protobuf.ByteString;

/**
 * The link to an agent, over one transport after the other, as agent.proto describes it. Each message
 * is handed on once and in order, whatever happens to the transports.
 */
public final class Link implements AutoCloseable, Carrier.Handler {
    private static final Duration END_TIMEOUT = Duration.ofSeconds(2);
    /**
     * How an agent ended is told some time after its last message, on a busy host seconds: who gives up earlier takes an agent that was killed
     * for a link that broke. A connection that breaks ends the wait at once.
     */
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);

    /** The user of the link. */
    interface Receiver {
        /** May block; nothing is read meanwhile. */
        void receive(FromAgent message) throws InterruptedException;

        /** Runs the action, which switches the link to the new transport, and then sends unanswered requests again. */
        void resumed(Runnable activate);

        /** The link has ended for good. Called once, also after {@link Link#close}. */
        void gone(TargetException why);
    }

    /**
     * A recording that outlives its link.
     *
     * @param token the agent's secret, by which this client proves that the recording is its own
     * @param grace how long the agent waits for the client
     */
    public record Kept(ByteString token, Duration grace) {
    }

    private final LinkOptions options;
    private final Receiver receiver;
    private final LinkStates states = new LinkStates();
    private final LinkClock clock = new LinkClock();
    private final Receipts receipts = new Receipts();
    private final ReentrantLock receiving = new ReentrantLock();
    private volatile Carrier carrier;
    /** False from the loss of one carrier until the next one is in use. */
    private volatile boolean up = true;
    private volatile boolean understood;
    private volatile Optional<Kept> kept = Optional.empty();
    private volatile Optional<Heartbeat> heartbeat = Optional.empty();
    private volatile boolean closed;
    /** Both guarded by {@code this}. */
    private boolean over;
    private boolean impatient;

    Link(AgentTransport transport, LinkOptions options, Receiver receiver) {
        this.options = options;
        this.receiver = receiver;
        this.carrier = new Carrier(transport);
    }

    void start() {
        carrier.start(this);
    }

    /** To be called when the agent knows pings and acknowledgements: from now on the link is watched. */
    public void watch(BooleanSupplier isAgentBusy) {
        understood = true;
        heartbeat = Optional.of(new Heartbeat(options, this, isAgentBusy));
    }

    /** From now on a lost link is taken up again, for this recording. */
    public void keep(Kept recording) {
        kept = Optional.of(recording);
    }

    public void letGo() {
        kept = Optional.empty();
    }

    /** Whether a recording can outlive this link. */
    public boolean canResume() {
        return understood && options.reopen().isPresent();
    }

    public LinkOptions options() {
        return options;
    }

    public LinkStates states() {
        return states;
    }

    public LinkClock clock() {
        return clock;
    }

    boolean isUp() {
        return up;
    }

    long heardNanos() {
        return carrier.heardNanos();
    }

    AgentTransport transport() {
        return carrier.transport();
    }

    /** Returns at once; while the link is down nothing is sent. */
    void send(ToAgent message) {
        if (up) {
            carrier.send(message);
        }
    }

    void ping() {
        if (up) {
            carrier.send(ToAgent.newBuilder().setPing(clock.ping()).build());
        }
    }

    void acknowledge() {
        if (up && understood && receipts.isDue()) {
            Acknowledge next = receipts.take();
            carrier.send(ToAgent.newBuilder().setAcknowledge(next).build());
        }
    }

    public void consumedPacket(long bytes) {
        if (receipts.consumedPacket(bytes)) {
            acknowledge();
        }
    }

    public void consumedOutput(long bytes) {
        if (receipts.consumedOutput(bytes)) {
            acknowledge();
        }
    }

    @Override
    public void arrived(Carrier from, FromAgent message) throws InterruptedException {
        receiving.lockInterruptibly();
        try {
            if (from != carrier || !receipts.arrived(message)) {
                return;
            }
            if (message.hasPong()) {
                clock.pong(message.getPong());
            } else {
                receiver.receive(message);
            }
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public void ended(Carrier from, Optional<Throwable> cause) {
        try {
            judge(from, cause);
        } catch (RuntimeException | Error e) {
            gone(TargetException.mistake(e));
        }
    }

    private void judge(Carrier from, Optional<Throwable> cause) {
        if (from != carrier || !up) {
            return;
        }
        if (closed) {
            gone(new TargetException(Kind.CONNECTION_LOST, agent() + " was disconnected; connect again to go on"));
        } else if (cause.isPresent() && !isBroken(cause.get()) && !isRefused(cause.get())) {
            from.transport().kill();
            gone(TargetException.mistake(cause.get()));
        } else if (cause.isPresent() && !isBroken(cause.get())) {
            // It may be any program: nothing says that it ends when its input does.
            from.transport().kill();
            gone(new TargetException(Kind.CONNECTION_LOST, agent() + " sent what can't be understood: "
                    + cause.get().getMessage() + "; see that it is the agent that came with this workbench",
                    cause.get()));
        } else {
            OptionalInt status = from.awaitExit(EXIT_TIMEOUT);
            if (status.isEmpty() && options.reopen().isPresent()) {
                lost(from, "the connection broke");
            } else {
                gone(ended(from, status));
            }
        }
    }

    /** Whether the stream was cut off, which can happen at any byte, rather than wrong in its content. */
    private static boolean isBroken(Throwable cause) {
        return cause instanceof FrameException frame ? frame.isCutOff() : cause instanceof IOException;
    }

    /** Whether this side refused what arrived, as something that no agent sends. */
    private static boolean isRefused(Throwable cause) {
        return cause instanceof IOException || cause instanceof IllegalArgumentException
                || cause instanceof IllegalStateException || cause instanceof ArithmeticException;
    }

    private TargetException ended(Carrier from, OptionalInt status) {
        StringBuilder text = new StringBuilder(agent()).append(" ended unexpectedly");
        status.ifPresent(s -> text.append(s > 128 ? ", killed by signal " + (s - 128) : ", with exit status " + s));
        try {
            from.errors().lastAtEnd(END_TIMEOUT).ifPresent(line -> text.append(", after it said: ").append(line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new TargetException(Kind.CONNECTION_LOST, text.append("; connect again to go on").toString());
    }

    private String agent() {
        String text = carrier.transport().description();
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** The agent has been silent for so long that the link counts as lost. */
    void silent(Duration silence) {
        if (up && !closed) {
            lost(carrier, "nothing was heard for " + silence.toSeconds() + " s");
        }
    }

    void stalled(boolean stalled) {
        if (!up) {
            return;
        }
        if (stalled) {
            states.change(LinkState.CONNECTED, LinkState.STALLED, agent() + " has not answered for a while");
            states.change(LinkState.RESUMED, LinkState.STALLED, agent() + " has not answered for a while");
        } else {
            states.change(LinkState.STALLED, LinkState.CONNECTED, "");
        }
    }

    /** The agent seems silent for a reason that is not its own, and that is not held against the link. */
    void excuseSilence() {
        carrier.heard();
    }

    /** From now on a lost link is not taken up again. One that is lost already ends at once; what came is kept. */
    public void endWhereLost() {
        boolean lost;
        synchronized (this) {
            impatient = true;
            lost = !up && !over;
        }
        if (lost) {
            gone(notWaitedFor("The link to " + carrier.transport().description() + " is lost"));
        }
    }

    private TargetException notWaitedFor(String what) {
        return new TargetException(Kind.CONNECTION_LOST, what + " and was not waited for, as the end was asked for; what"
                + " was recorded before is kept, and the agent there detaches its probes and ends by itself within "
                + endsWithin(kept.map(Kept::grace).orElse(Duration.ZERO)).toSeconds() + " s");
    }

    /** After a loss. The agent may notice it later than this side, by the time for which silence is tolerated. */
    public Duration endsWithin(Duration grace) {
        return grace.plus(options.lostAfter().orElse(Duration.ZERO));
    }

    private void lost(Carrier from, String why) {
        Optional<Kept> recording;
        boolean ends;
        synchronized (this) {
            if (from != carrier || !up || over) {
                return;
            }
            up = false;
            recording = kept;
            ends = impatient;
        }
        from.abandon();
        String what = "The link to " + from.transport().description() + " is lost (" + why + ")";
        if (recording.isEmpty() || options.reopen().isEmpty()) {
            states.set(LinkState.LOST, what);
            gone(new TargetException(Kind.CONNECTION_LOST, what + "; connect again to go on"));
            return;
        }
        if (ends) {
            states.set(LinkState.LOST, what);
            gone(notWaitedFor(what));
            return;
        }
        states.set(LinkState.LOST, what + ": recording goes on there for " + recording.get().grace().toSeconds()
                + " s, and is taken up again as soon as the link is back");
        new Rejoin(this, recording.get(), options.reopen().get(), why).start();
    }

    long receivedSequence() {
        return receipts.sequence();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the link has ended or was closed, so that nothing is taken up again. */
    synchronized boolean isOver() {
        return closed || over;
    }

    /** Goes on with a new transport. */
    void goOn(Carrier next, Duration without) {
        receiving.lock();
        try {
            if (!takeUp(next)) {
                // The agent has taken the recording up again. Unless told, it would wait for its client once more.
                end(next);
                return;
            }
        } finally {
            receiving.unlock();
        }
        next.start(this);
        if (closed) {
            close();
        }
        states.set(LinkState.RESUMED, String.format(Locale.ROOT,
                "The link to %s is back after %.1f s, and its figures are complete",
                next.transport().description(), without.toMillis() / 1000.0));
    }

    /** @return false where the link was given up meanwhile: then the caller has to close the transport */
    private boolean takeUp(Carrier next) {
        receiver.resumed(() -> {
            synchronized (this) {
                carrier = over ? carrier : next;
                up = !over;
            }
        });
        return carrier == next;
    }

    /** Ends the link; the first reason counts. */
    void gone(TargetException why) {
        Carrier last;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            last = carrier;
        }
        heartbeat.ifPresent(Heartbeat::close);
        try {
            receiver.gone(why);
            states.set(LinkState.GONE, why.getMessage());
        } finally {
            end(last);
        }
    }

    /** On a thread of its own: closing waits for the agent's end, for which the caller need not wait. */
    private void end(Carrier last) {
        Thread.ofVirtual().name("kview-agent-end").start(() -> close(last));
    }

    private void close(Carrier last) {
        if (understood) {
            // Otherwise the agent would wait for this client to come back.
            last.send(ToAgent.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
        }
        last.close();
    }

    @Override
    public void close() {
        closed = true;
        close(carrier);
    }
}
