// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.kview.model.CameOff;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProgramEnd;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;

/** What was odd about a recording as a whole, in sentences: how it and its program ended, what it can't account for. */
public final class RecordingNotes {
    private static final int NAMES_SHOWN = 5;

    private final LatencySnapshot snapshot;
    private final List<String> sentences = new ArrayList<>();

    private RecordingNotes(LatencySnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** One sentence each, the gravest first; of several hosts, with the target before those that are one host's. */
    public static List<String> of(LatencySnapshot snapshot) {
        RecordingNotes notes = new RecordingNotes(snapshot);
        notes.collect();
        return notes.sentences;
    }

    private void collect() {
        if (snapshot.hosts().isEmpty()) {
            ends(snapshot, "");
        } else {
            snapshot.hosts().forEach(host -> ends(host, host.info().target() + ": "));
        }
        sentences.addAll(CameOff.summary(snapshot));
        lost(LostCalls::endUnseen, "ended, and no probe saw it on their thread");
        lost(LostCalls::probesOff, "still ran when their probes came off");
        lost(LostCalls::exec, "ended as the process executed another program");
        count(inconsistent(false),
                "call seemed to be off the CPU for longer than it took, an error of measuring: that part was shortened to fit.",
                "calls seemed to be off the CPU for longer than they took, an error of measuring: that part was shortened to"
                        + " fit.");
        count(inconsistent(true), "call took less than what its jumps are taken to cost: it counts as 0 ns.",
                "calls took less than what their jumps are taken to cost: they count as 0 ns.");
        Losses l = snapshot.losses();
        count(l.unmatchedReturns(), "return belonged to no call that was seen.", "returns belonged to no call that was seen.");
        overlapping(l.unmatchedReturns());
        count(l.figuresLost(), "figure could not be fetched for want of memory: the totals lack it.",
                "figures could not be fetched for want of memory: the totals lack them.");
        unaccounted();
        long forced = snapshot.functions().stream().filter(f -> f.function().ends().forced()).count();
        count(forced, "function's return address was replaced although nothing proves that harmless (--return-probes).",
                "functions' return addresses were replaced although nothing proves that harmless (--return-probes).");
    }

    private void ends(LatencySnapshot host, String where) {
        SessionInfo info = host.info();
        if (info.program().isPresent() && !info.program().get().isSuccess()) {
            ProgramEnd end = info.program().get();
            sentences.add(where + "The program " + end.text() + "." + (end.signalled() ? " " + end.advice() : ""));
        }
        if (info.state() == State.STOPPED && !info.stateNote().isEmpty()) {
            sentences.add(where + info.stateNote());
        }
    }

    /** Begins that another one gave up, and as many ends that have none: which end belongs to which begin was taken wrongly. */
    private void overlapping(long endsWithoutBegin) {
        long givenUp = snapshot.functions().stream().filter(f -> f.function().point() instanceof ProbePoint.Usdt usdt && usdt.isPair())
                .mapToLong(FunctionLatency::abandoned).sum();
        if (givenUp > 0 && endsWithoutBegin > 0) {
            sentences.add("Of pairs of static probes " + LatencyFormat.count(givenUp) + (givenUp == 1 ? " begin was" : " begins were")
                    + " given up for another one at the same place, and there were ends without a begin: if requests overlap on one thread, as"
                    + " in an event loop, the times of the pairs are not those of the requests.");
        }
    }

    /** All of a function's calls have a fate, or a figure is wrong: checked of every recording that was ended. */
    private void unaccounted() {
        List<FunctionLatency> wrong = parts().filter(part -> part.info().state() == State.STOPPED
                || part.info().state() == State.PROCESS_ENDED).flatMap(part -> part.functions().stream())
                .filter(f -> f.unaccountedCalls() != 0).toList();
        long calls = Math.max(snapshot.losses().unaccountedCalls(),
                wrong.stream().mapToLong(f -> Math.abs(f.unaccountedCalls())).sum());
        if (calls > 0) {
            sentences.add("The calls of " + (wrong.isEmpty() ? "some function" : names(wrong)) + " don't add up: "
                    + LatencyFormat.count(calls) + " of them are timed, abandoned, unfinished or lost once too often or"
                    + " not at all. That is a mistake of the agent; please report it.");
        }
    }

    private Stream<LatencySnapshot> parts() {
        return snapshot.hosts().isEmpty() ? Stream.of(snapshot) : snapshot.hosts().stream();
    }

    private void lost(ToLongFunction<LostCalls> reason, String what) {
        long calls = snapshot.functions().stream().mapToLong(f -> reason.applyAsLong(f.knownFates().lost())).sum();
        count(calls, "call " + what + ": it is counted and has no time.", "calls " + what
                + ": they are counted and have no time.");
    }

    /** By jumps there is one reason for it, and by the others another one. */
    private long inconsistent(boolean byJumps) {
        return snapshot.functions().stream().filter(f -> f.function().mechanism().equals(Mechanism.JUMP) == byJumps)
                .mapToLong(f -> f.knownFates().inconsistentCalls()).sum();
    }

    private void count(long count, String one, String many) {
        if (count > 0) {
            sentences.add(LatencyFormat.count(count) + " " + (count == 1 ? one : many));
        }
    }

    /** "a, b, c and 4 more". */
    static String names(List<FunctionLatency> functions) {
        String shown = String.join(", ", functions.stream().limit(NAMES_SHOWN).map(f -> f.function().name()).toList());
        return functions.size() <= NAMES_SHOWN ? shown : shown + " and " + (functions.size() - NAMES_SHOWN) + " more";
    }
}
