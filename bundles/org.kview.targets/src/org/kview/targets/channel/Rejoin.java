// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.Locale;

import org.kview.targets.values.LinkState;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.RejoinRequest;
import org.kview.wire.proto.ToAgent;

/** Takes a recording up again after its link was lost: tries until that succeeds, is refused, or is too late. */
final class Rejoin {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final Link link;
    private final Link.Kept recording;
    private final LinkOptions.Reopen reopen;
    private final long lostNanos = System.nanoTime();
    /** Part of the sentence that is shown if all attempts fail. */
    private String lastFailure;
    /** Whether {@link #lastFailure} names the host. */
    private boolean namesHost;

    /** @param why the link was lost */
    Rejoin(Link link, Link.Kept recording, LinkOptions.Reopen reopen, String why) {
        this.link = link;
        this.recording = recording;
        this.reopen = reopen;
        this.lastFailure = why;
    }

    void start() {
        Thread.ofVirtual().name("kview-agent-rejoin").start(this::run);
    }

    private void run() {
        try {
            Duration pause = FIRST_PAUSE;
            while (!isTooLate() && !link.isOver()) {
                // Not at once: often the network is back a moment later, or the host has noticed the break by then.
                Thread.sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                link.states().set(LinkState.RECONNECTING, link.states().now().sentence());
                if (attempt()) {
                    return;
                }
            }
            link.gone(new TargetException(Kind.CONNECTION_LOST, link.isClosed() ? "The agent was disconnected"
                    : "The link" + (namesHost ? "" : " to " + link.transport().description())
                            + " was lost and not back within " + recording.grace().toSeconds() + " s: " + lastFailure
                            + "; what was recorded before is kept"));
        } catch (InterruptedException e) {
            link.gone(new TargetException(Kind.CONNECTION_LOST, "The link was lost, and this program ends"));
        } catch (RuntimeException | java.lang.Error e) {
            // Without this thread the recording would wait for ever.
            link.gone(TargetException.mistake(e));
        }
    }

    private boolean isTooLate() {
        return System.nanoTime() - lostNanos > link.endsWithin(recording.grace()).toNanos();
    }

    /** @return false where another attempt makes sense */
    private boolean attempt() throws InterruptedException {
        Carrier next;
        try {
            next = new Carrier(reopen.open());
        } catch (TargetException e) {
            // Without the part after the semicolon, which says what the user can do: here that does not apply.
            String sentence = e.getMessage().replaceFirst("(?s); [^;]*$", "");
            failed(sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1), true);
            return false;
        }
        try {
            FromAgent reply = next.ask(request(), ANSWER_TIMEOUT);
            if (reply.hasRejoin()) {
                link.goOn(next, Duration.ofNanos(System.nanoTime() - lostNanos));
                return true;
            }
            next.abandon();
            if (reply.getError().getCode() == Error.Code.NOTHING_TO_REJOIN) {
                link.gone(new TargetException(Kind.CONNECTION_LOST, "The recording on the host can't be taken up again: "
                        + reply.getError().getMessage().replaceFirst("[.]$", "")
                        + "; what was recorded before is kept"));
                return true;
            }
            failed(reply.getError().getMessage().replaceFirst("[.]$", ""), false);
        } catch (TargetException e) {
            failed(e.getMessage(), false);
            next.abandon();
        }
        return false;
    }

    private void failed(String why, boolean saysWhere) {
        lastFailure = why;
        namesHost = saysWhere;
    }

    private ToAgent request() {
        return ToAgent.newBuilder().setRequestId(1).setRejoin(RejoinRequest.newBuilder().setToken(recording.token())
                .setSequence(link.receivedSequence())
                .setLinkTimeoutMs((int) link.options().lostAfter().orElse(Duration.ZERO).toMillis())).build();
    }
}
