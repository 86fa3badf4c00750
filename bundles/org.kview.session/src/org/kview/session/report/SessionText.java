// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.AgentCost;
import org.kview.model.ForkedChildren;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;

/** What reports for people say of a session beside its figures, in sentences. */
public final class SessionText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;
    private static final double NOTABLY_MORE = 1.05;

    private final LatencySnapshot snapshot;

    public SessionText(LatencySnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** "/usr/bin/checkout --port 80 (pid 4711) on web-3". */
    public String title() {
        SessionInfo info = snapshot.info();
        if (!snapshot.hosts().isEmpty()) {
            return info.command() + " on " + info.target();
        }
        if (info.cgroup().isPresent()) {
            return "cgroup " + info.cgroup().get().path() + " on " + info.host();
        }
        return (info.command().isEmpty() ? "process" : info.command()) + numbers(info)
                + (info.group().isPresent() ? " with its children" : "") + " on " + info.host();
    }

    private static String numbers(SessionInfo info) {
        return switch (info.pids().size()) {
            case 0 -> "";
            case 1 -> " (pid " + info.pidsText() + ")";
            default -> " (pids " + info.pidsText() + ")";
        };
    }

    /** When, for how long, on which kernel. */
    public String recorded() {
        SessionInfo info = snapshot.info();
        if (info.provenance().origin().isPresent()) {
            return "recorded " + TIME.format(info.start()) + " for " + LatencyFormat.nanos(info.duration().toNanos()) + " · Linux "
                    + info.kernel() + " · imported from " + info.provenance().origin().get().path();
        }
        return "recorded " + TIME.format(info.start()) + " for " + LatencyFormat.nanos(info.duration().toNanos())
                + " · Linux " + info.kernel() + " · target " + info.target() + " · filter " + info.filter()
                + info.group().map(group -> " · " + group.membersText()).filter(text -> !text.equals(" · ")).orElse("")
                + info.program().map(end -> " · the program " + end.text()).orElse("");
    }

    /** What is wrong or missing, most serious first; empty if all is well. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(snapshot.problems());
        SessionInfo info = snapshot.info();
        if (info.state() == State.RECORDING) {
            warnings.add(info.duration().isZero()
                    ? "The recording has not been ended, and no interval of it is complete: there are no figures."
                    : "The recording has not been ended: the figures are those up to its last checkpoint.");
        } else if (info.state() == State.FAILED) {
            warnings.add(info.stateNote().isEmpty() ? "The recording was broken off."
                    : "The recording was broken off: " + info.stateNote());
        }
        warnings.addAll(RecordingNotes.of(snapshot));
        Losses l = snapshot.losses();
        addCount(warnings, l.eventsDropped(), "event was lost and is not in the trace; histograms are complete.",
                "events were lost and are not in the trace; histograms are complete.");
        boolean hits = Hits.areIn(snapshot);
        addCount(warnings, l.missedReturns(), hits ? "return or hit may not have been reported by the kernel: that call has no time, that hit is not counted."
                : "return was not reported by the kernel: that call has no time.",
                hits ? "returns or hits may not have been reported by the kernel: those calls have no time, those hits are not counted."
                        : "returns were not reported by the kernel: those calls have no time.");
        addCount(warnings, l.depthOverflows(), "call was nested too deep and was not measured.",
                "calls were nested too deep and were not measured.");
        addCount(warnings, l.untrackedThreads() - hitsWithoutTime(), "call was not measured: there was no room to follow its thread.",
                "calls were not measured: there was no room to follow their threads.");
        return warnings;
    }

    /** They are counted, and their notes tell it. */
    private long hitsWithoutTime() {
        return Hits.of(snapshot).stream().mapToLong(f -> f.knownFates().lost().noMemory()).sum();
    }

    /** How it was recorded, one sentence each. */
    List<String> method() {
        List<String> sentences = new ArrayList<>();
        snapshot.survey().ifPresent(survey -> sentences.add(String.join(" ", SurveyText.sentences(survey,
                snapshot.functions().stream().map(FunctionLatency::function).toList()))));
        if (!snapshot.info().filterNote().isEmpty()) {
            sentences.add(snapshot.info().filterNote());
        }
        if (Hits.areOfStaticProbes(snapshot.functions().stream())) {
            sentences.add("Of static probes hits at any of their places are counted, and the time from each hit to the next one of the same"
                    + " thread: a thread's first hit has none before it.");
        }
        if (snapshot.functions().stream().anyMatch(f -> f.function().point() instanceof ProbePoint.Usdt usdt && usdt.isPair())) {
            sentences.add("Of pairs of static probes an end is taken for that of its thread's last begin that has none yet; ends without a begin"
                    + " are told as returns of calls that were not seen to begin, and begins without an end are unfinished, or abandoned where"
                    + " the same work began again, or a thread had too many of them.");
        }
        if (Hits.areOfTracepoints(snapshot.functions().stream())) {
            sentences.add("Of tracepoints hits are counted, outside of kernel views also in interrupts that came while the process had the CPU,"
                    + " and the time from each hit to the next one of the same thread: a thread's first hit has none before it.");
        }
        long sites = exits(ExitKind.RETURN_SITES);
        long returns = exits(ExitKind.URETPROBE);
        if (sites > 0) {
            sentences.add("The end of a call is seen by a probe on each return and tail call in " + of(sites) + ".");
        }
        if (returns > 0) {
            sentences.add("The end of a call is seen by replacing its return address in " + of(returns) + ".");
        }
        long healed = snapshot.losses().healedSwitches();
        if (healed > 0) {
            sentences.add(LatencyFormat.count(healed) + (healed == 1 ? " switch to a thread was" : " switches to threads"
                    + " were") + " not reported and rebuilt from the scheduler's clocks; nothing is missing for it.");
        }
        return sentences;
    }

    /** What measuring cost, one sentence each. */
    public List<String> cost() {
        List<String> sentences = new ArrayList<>();
        Overhead overhead = snapshot.overhead();
        long unmatched = snapshot.functions().stream().mapToLong(f -> f.knownFates().unmatched()).sum();
        long calls = snapshot.functions().stream().mapToLong(FunctionLatency::calls).sum() + unmatched;
        if (calls == 0 && isWhole()) {
            sentences.add(Hits.areAllOf(snapshot) ? "No " + Hits.word(snapshot.functions()) + " was hit, so nothing cost the " + whom() + " more than without probes."
                    : "No probed function was called, so no call cost more than without probes.");
        } else if (calls == unmatched && unmatched > 0) {
            sentences.add("Of none of " + LatencyFormat.count(unmatched) + " calls its condition was true; what their probes took is part of what all"
                    + " took of the " + whom() + "'s CPU time.");
        } else if (overhead.perCallNanos() == 0) {
            sentences.add("What the probes cost is not known.");
        } else {
            sentences.add("Each " + one() + " cost the " + whom() + " " + (isLeast(calls) ? "at least " : "")
                    + LatencyFormat.nanos(overhead.perCallNanos()) + " more than without probes, " + (overhead.process().isKnown() ? "" : "some ")
                    + LatencyFormat.nanos(probesNanos(calls)) + " in the sum over " + LatencyFormat.count(calls)
                    + " " + (calls == 1 ? one() : many() + " of all threads") + (unmatched == 0 ? "" : ", with " + LatencyFormat.count(unmatched) + " that no condition was true of")
                    + (overhead.process().isKnown() && !Hits.areAllOf(snapshot) ? ", with what else their threads paid, as at context switches." : ".")
                    + (probesNanos(calls) > snapshot.info().duration().toNanos() && snapshot.info().duration().isPositive()
                            ? " That is more than the recording lasted: " + (overhead.process().isKnown()
                                    ? "its threads ran side by side." : "they ran side by side, or a " + one() + " cost less than that.")
                            : ""));
        }
        share(overhead).ifPresent(sentences::add);
        children(overhead.process().children()).ifPresent(sentences::add);
        uncalibrated().ifPresentOrElse(sentences::add, () -> {
            if (called().findAny().isPresent()) {
                sentences.add("The probes' own time within a call was measured on the host and is subtracted"
                        + (called().anyMatch(SessionText::isMeasuredAsAWhole) ? ", but for system calls, whose times contain it." : "."));
            }
        });
        if (!overhead.waitsNote().isEmpty()) {
            sentences.add(overhead.waitsNote());
        }
        overhead.agent().ifPresent(agent -> sentences.add(agent(agent)));
        return sentences;
    }

    /** What it cost processes that were not recorded, one sentence each. */
    List<String> others() {
        return snapshot.hosts().isEmpty() ? new OthersText(snapshot).all()
                : snapshot.hosts().stream().flatMap(host -> new OthersText(host).all().stream()
                        .map(sentence -> host.info().target() + ": " + sentence)).toList();
    }

    /** Why times may contain some of the probes' own; empty if this was measured and is subtracted, or if nothing was called. */
    Optional<String> uncalibrated() {
        Overhead overhead = snapshot.overhead();
        if (!overhead.note().isEmpty()) {
            return Optional.of(overhead.note());
        }
        return overhead.calibrated() || called().findAny().isEmpty() ? Optional.empty()
                : Optional.of(called().allMatch(SessionText::isMeasuredAsAWhole)
                        ? "What of the probes' own time lies within a call's time is not known: all of it is part of"
                                + " the figures, nothing is subtracted."
                        : "The probes' own time within a call could not be measured: it is part of the figures.");
    }

    /** Whether the session is complete: the recording ended properly, and nothing was lost or damaged. */
    private boolean isWhole() {
        State state = snapshot.info().state();
        return state != State.RECORDING && state != State.FAILED && snapshot.problems().isEmpty()
                && !snapshot.losses().any();
    }

    /** The probes' time as the agent counted it, or estimated from the mean cost of a call. */
    private double probesNanos(long calls) {
        Overhead overhead = snapshot.overhead();
        return overhead.process().isKnown() ? overhead.process().probesNanos()
                : (double) calls * overhead.perCallNanos();
    }

    /**
     * Whether the sum is clearly more than calls × mean cost, because it also contains what the process paid besides
     * its calls.
     */
    private boolean isLeast(long calls) {
        return snapshot.overhead().process().isKnown()
                && probesNanos(calls) > NOTABLY_MORE * calls * snapshot.overhead().perCallNanos();
    }

    /** Whether a call's whole cost is known, but not the part within its measured time, as for system calls. */
    private static boolean isMeasuredAsAWhole(FunctionLatency latency) {
        return latency.function().cost().callNanos() > 0 && latency.function().cost().innerNanos() == 0;
    }

    private Stream<FunctionLatency> called() {
        return snapshot.functions().stream().filter(f -> f.calls() > 0 && !f.function().countsHits());
    }

    private String one() {
        return !Hits.areIn(snapshot) ? "call" : Hits.areAllOf(snapshot) ? "hit" : "call or hit";
    }

    /** What the estimate is of. */
    private String whole() {
        return Hits.areAllOf(snapshot) ? "hit" : Hits.areIn(snapshot) ? "hit or call" : "call";
    }

    private String many() {
        return !Hits.areIn(snapshot) ? "calls" : Hits.areAllOf(snapshot) ? "hits" : "calls and hits";
    }

    /** Who paid. */
    private String whom() {
        return snapshot.info().cgroup().isPresent() ? "cgroup" : snapshot.info().group().isPresent() ? "processes" : "process";
    }

    private Optional<String> share(Overhead overhead) {
        boolean isEstimate = snapshot.functions().stream().anyMatch(f -> f.calls() > 0 && isMeasuredAsAWhole(f));
        return overhead.process().share().isEmpty() ? Optional.empty()
                : Optional.of("The probes took " + (isEstimate ? "about " : "") + percent(overhead.process().share().getAsDouble())
                        + " of the " + LatencyFormat.nanos(overhead.process().processNanos())
                        + " of CPU time that the " + whom() + " had" + overhead.budget().map(b -> b.isLimited()
                                ? "; " + b.text() + " were allowed." : "; no limit was set.").orElse(".")
                        + (isEstimate ? " That is an estimate: a " + whole()
                                + " counts as halfway from one that finds all in the processor's caches to one that finds nothing, but for"
                                + " those that come faster than caches can be emptied." : "")
                        + (overhead.process().share().getAsDouble() > 1
                                ? " More than all of it can't be: a call cost less than was measured beforehand." : ""));
    }

    private static Optional<String> children(ForkedChildren children) {
        return !children.any() ? Optional.empty()
                : Optional.of("It forked " + LatencyFormat.count(children.forked()) + (children.forked() == 1 ? " child"
                        : " children") + " with the probes, which cost " + (children.forked() == 1 ? "it" : "them")
                        + " at most the " + LatencyFormat.nanos(children.cpuNanos()) + " of CPU time until they came off"
                        + (children.withProbes() == 0 ? "." : "; " + LatencyFormat.count(children.withProbes())
                                + " kept them until the end."));
    }

    /** "0.4 %", "38 %". */
    private static String percent(double share) {
        return share < 0.0995 ? String.format(Locale.ROOT, "%.1f %%", share * 100) : LatencyFormat.percent(share);
    }

    private static String agent(AgentCost agent) {
        return String.format(Locale.ROOT, "The agent used %s of CPU time and at most %.1f MiB; setting the probes took"
                + " %s, removing them %s.", LatencyFormat.nanos(agent.cpu().toNanos()),
                agent.peakRssBytes() / BYTES_PER_MEBIBYTE, LatencyFormat.nanos(agent.attach().toNanos()),
                LatencyFormat.nanos(agent.detach().toNanos()));
    }

    private long exits(ExitKind kind) {
        return snapshot.functions().stream().filter(f -> f.function().exit() == kind).count();
    }

    /** How many these are, among the functions whose ends are seen by probes: those of system calls are not. */
    private String of(long functions) {
        long all = snapshot.functions().size() - exits(ExitKind.UNKNOWN);
        return functions == all ? all == 1 ? "the function" : "all functions" : functions + " of " + all + " functions";
    }

    private static void addCount(List<String> sentences, long count, String one, String many) {
        if (count > 0) {
            sentences.add(LatencyFormat.count(count) + " " + (count == 1 ? one : many));
        }
    }
}
