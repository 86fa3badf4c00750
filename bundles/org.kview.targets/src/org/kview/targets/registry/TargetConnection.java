// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.registry.TargetStatus.State;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * One target and at most one agent on it, which serves all who look at the target's processes and functions.
 * Recordings have agents of their own. Safe for use by several threads.
 */
public final class TargetConnection {
    /** How a target came to be known. */
    public enum Origin {
        /** It is this machine. */
        LOCAL,
        /** The user's SSH configuration names it. */
        SSH_CONFIG,
        /** The user added it. */
        ADDED
    }

    private final Target target;
    private final Origin origin;
    private final Runnable changed;
    private final List<String> recordings = new ArrayList<>();
    private State state = State.IDLE;
    private String sentence = "";
    private Optional<HostInfo> host = Optional.empty();
    private Optional<Agent> agent = Optional.empty();
    private Optional<Attempt> attempt = Optional.empty();

    TargetConnection(Target target, Origin origin, Runnable changed) {
        this.target = target;
        this.origin = origin;
        this.changed = changed;
    }

    /** One attempt to connect. All who want a connection meanwhile wait for the same attempt. */
    private final class Attempt {
        private final CompletableFuture<Agent> result = new CompletableFuture<>();
        private final Thread thread = Thread.ofVirtual().name("kview-connect").unstarted(this::run);

        private void run() {
            try {
                connected(this, target.connect());
            } catch (TargetException e) {
                failed(this, e);
            } catch (InterruptedException e) {
                failed(this, cancelled());
            } catch (RuntimeException e) {
                failed(this, new TargetException(Kind.FAILED, "A mistake in this program broke the connection to "
                        + name() + "; please report it: " + e, e));
            }
        }
    }

    private static TargetException cancelled() {
        return new TargetException(Kind.NOT_REACHED, "The connection was cancelled");
    }

    public Target target() {
        return target;
    }

    public Origin origin() {
        return origin;
    }

    public String name() {
        return target.name();
    }

    public synchronized TargetStatus status() {
        Optional<Duration> roundTrip = state.isUp() ? agent.flatMap(Agent::roundTrip) : Optional.empty();
        return new TargetStatus(state, sentence, host, roundTrip, recordings);
    }

    /** The agent, as long as there is one that answers. */
    public synchronized Optional<Agent> agent() {
        return state.isUp() ? agent : Optional.empty();
    }

    /**
     * Connects, if that is not done yet, and waits for it. The agent belongs to this connection: nobody else closes it.
     *
     * @throws TargetException if connecting fails, or {@link #disconnect} is called meanwhile
     */
    public Agent connect() throws TargetException, InterruptedException {
        Attempt current;
        synchronized (this) {
            if (state.isUp() && agent.isPresent()) {
                return agent.get();
            }
            if (attempt.isEmpty()) {
                attempt = Optional.of(new Attempt());
                state = State.CONNECTING;
                sentence = "";
                attempt.get().thread.start();
            }
            current = attempt.get();
        }
        changed.run();
        try {
            return current.result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TargetException t ? new TargetException(t.kind(), t.getMessage(), t)
                    : new TargetException(Kind.FAILED, String.valueOf(e.getCause()), e);
        }
    }

    private void connected(Attempt of, Agent fresh) {
        boolean wanted;
        synchronized (this) {
            wanted = isCurrent(of);
            if (wanted) {
                attempt = Optional.empty();
                agent = Optional.of(fresh);
                host = Optional.of(fresh.host());
                state = State.CONNECTED;
            }
        }
        if (wanted) {
            // The listener ends with the agent. It does not hear of earlier changes, so the present state is read, too.
            fresh.listen(status -> linkChanged(fresh, status));
            linkChanged(fresh, fresh.linkStatus());
            of.result.complete(fresh);
            changed.run();
        } else {
            fresh.close();
        }
    }

    private void linkChanged(Agent of, LinkStatus status) {
        boolean gone;
        synchronized (this) {
            if (agent.isEmpty() || agent.get() != of) {
                return;
            }
            State next = switch (status.state()) {
                case CONNECTED, RESUMED, STALLED -> State.CONNECTED;
                case RECONNECTING -> State.RECONNECTING;
                case LOST, GONE -> State.LOST;
            };
            if (next == state && status.sentence().equals(sentence)) {
                return;
            }
            state = next;
            sentence = status.sentence();
            gone = status.state() == LinkState.GONE;
            if (gone) {
                agent = Optional.empty();
            }
        }
        changed.run();
        if (gone) {
            Thread.ofVirtual().name("kview-disconnect").start(of::close);
        }
    }

    private void failed(Attempt of, TargetException why) {
        boolean wanted;
        synchronized (this) {
            wanted = isCurrent(of);
            if (wanted) {
                attempt = Optional.empty();
                state = State.FAILED;
                sentence = why.getMessage();
            }
        }
        of.result.completeExceptionally(why);
        if (wanted) {
            changed.run();
        }
    }

    private boolean isCurrent(Attempt of) {
        return attempt.isPresent() && attempt.get() == of;
    }

    /**
     * Ends the connection, or the attempt to make one. Returns when the agent has ended, which may take
     * some seconds on a slow host. Recordings go on.
     */
    public void disconnect() {
        Optional<Attempt> given;
        Optional<Agent> old;
        synchronized (this) {
            given = attempt;
            old = agent;
            attempt = Optional.empty();
            agent = Optional.empty();
            state = State.IDLE;
            sentence = "";
        }
        given.ifPresent(a -> {
            a.result.completeExceptionally(cancelled());
            a.thread.interrupt();
        });
        changed.run();
        old.ifPresent(Agent::close);
    }

    /**
     * Shows a recording as running on this target.
     *
     * @param session the name of its session
     * @return to be run when the recording has ended
     */
    public Runnable recording(String session) {
        synchronized (this) {
            recordings.add(session);
        }
        changed.run();
        return () -> {
            synchronized (this) {
                recordings.remove(session);
            }
            changed.run();
        };
    }
}
