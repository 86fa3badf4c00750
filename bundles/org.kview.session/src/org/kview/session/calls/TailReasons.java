// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongPredicate;

import org.kview.calls.CallBox;
import org.kview.calls.CallBox.Range;
import org.kview.calls.CallField;
import org.kview.calls.CallScan;
import org.kview.calls.Condition;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.session.calls.CallGroup.Trait;

/**
 * What is different about some calls: they are held against the rest of their functions' calls. It tells what goes together, not
 * what is the cause of what.
 */
public final class TailReasons {
    /** A part that makes up less of the difference is not worth a sentence. */
    private static final double LEAST_SHARE = 0.05;
    /** Likewise what is so much more frequent. */
    private static final double LEAST_DIFFERENCE = 0.1;
    /** Standard errors: less may be chance. */
    private static final double LEAST_ERRORS = 4;
    /** Of fewer calls nothing is said. */
    private static final int LEAST_CALLS = 5;
    private static final int MOST_PARTS = 3;
    private static final int NAME = 60;

    private final List<StorePart> parts;
    private final CallError error;
    private final CallGroup tail = new CallGroup();
    private final CallGroup rest = new CallGroup();

    /**
     * A sentence.
     *
     * @param text     for people, with its numbers; {@link org.kview.model.SafeText}
     * @param evidence a filter of {@link CallFilter} that takes the calls it speaks of
     * @param cause    the part of their time that it is about; empty if it is about none
     */
    public record Reason(String text, String evidence, Optional<Metric> cause) {
    }

    /**
     * What was found.
     *
     * @param tailCalls   how many calls are looked at
     * @param restCalls   how many they are held against
     * @param tailMeanNanos what one of them took on average
     * @param restMeanNanos likewise
     * @param reasons     what differs most first; empty if nothing does by more than chance
     */
    public record Found(long tailCalls, long restCalls, double tailMeanNanos, double restMeanNanos, List<Reason> reasons) {
    }

    private TailReasons(List<StorePart> parts, CallSelector of) {
        this.parts = parts;
        error = parts.stream().filter(part -> part.isOf(of)).map(part -> part.callError(of)).reduce(CallError.NONE, CallError::or);
    }

    /**
     * @param of   the calls, all time and latencies of them
     * @param ends when those that are looked at returned
     * @param wall how long these took
     * @param progress hears now and then how many calls were read; says whether to go on
     */
    static Found of(List<StorePart> parts, CallSelector of, Range ends, Range wall, LongPredicate progress) {
        TailReasons reasons = new TailReasons(parts, of);
        long read = 0;
        for (StorePart part : parts) {
            if (part.isOf(of)) {
                read = reasons.read(part, of, ends, wall, progress, read);
            }
        }
        return reasons.found();
    }

    private long read(StorePart part, CallSelector of, Range ends, Range wall, LongPredicate progress, long before) {
        CallBox chosen = part.box(of.withEnds(ends).withWall(wall));
        Condition returned = new Condition.Between(CallField.END, chosen.end().least(), chosen.end().most());
        Condition took = new Condition.Between(CallField.WALL, wall.least(), wall.most());
        long[] read = {before};
        new CallScan(part.store(), part.box(of).conditions()).each((block, rows, count) -> {
            read[0] += count;
            if (!progress.test(read[0])) {
                throw new CancellationException();
            }
            for (int i = 0; i < count; i++) {
                boolean isTail = returned.holds(block.value(CallField.END, rows[i])) && took.holds(block.value(CallField.WALL, rows[i]));
                (isTail ? tail : rest).add(part.host().index(), block, rows[i]);
            }
            return true;
        });
        return read[0];
    }

    private Found found() {
        List<Reason> reasons = new ArrayList<>();
        if (tail.calls() > 0 && rest.calls() > 0) {
            addParts(reasons);
            for (CallField field : CallGroup.TRAITS) {
                striking(field).ifPresent(trait -> reasons.add(reason(field, trait)));
            }
        }
        return new Found(tail.calls(), rest.calls(), tail.meanWallNanos(), rest.meanWallNanos(), reasons);
    }

    // Where the time went

    /** Which parts of a call account for what they take longer. */
    private void addParts(List<Reason> reasons) {
        double more = tail.meanWallNanos() - rest.meanWallNanos();
        if (more <= 0) {
            return;
        }
        Arrays.stream(CallGroup.allParts()).filter(part -> moreOf(part) / more >= LEAST_SHARE)
                .sorted(Comparator.comparingDouble(this::moreOf).reversed()).limit(MOST_PARTS)
                .forEach(part -> reasons.add(new Reason(LatencyFormat.percent(Math.min(1, moreOf(part) / more))
                        + " of what they take longer is " + part.label() + ": " + LatencyFormat.nanos(tail.meanNanos(part))
                        + " a call instead of " + LatencyFormat.nanos(rest.meanNanos(part)) + doubt(part) + ".", "cause == " + part.id(),
                        Optional.of(part))));
    }

    /** Only from time on a CPU something is subtracted for the probes. Both means may be wrong, in opposite directions. */
    private String doubt(Metric part) {
        if (part != Metric.ON_CPU) {
            return "";
        }
        double ofTail = error.nanosOf(tail.meanNanos(part));
        double ofRest = error.nanosOf(rest.meanNanos(part));
        return moreOf(part) >= ofTail + ofRest ? ""
                : ", which may be the probes: " + (ofTail == ofRest ? "each is known to ± " + LatencyFormat.nanos(ofTail)
                        : "they are known to ± " + LatencyFormat.nanos(ofTail) + " and ± " + LatencyFormat.nanos(ofRest));
    }

    private double moreOf(Metric part) {
        return tail.meanNanos(part) - rest.meanNanos(part);
    }

    // What they have in common

    /** What is so much more frequent among them that it is no chance, and most of all. */
    private Optional<Trait> striking(CallField field) {
        return tail.traits(field).entrySet().stream().filter(counted -> counted.getValue() >= LEAST_CALLS).map(Map.Entry::getKey)
                .filter(trait -> trait.number() != 0 || isNumber(field))
                .filter(trait -> difference(field, trait) >= LEAST_DIFFERENCE && isNoChance(field, trait))
                .max(Comparator.comparingDouble(trait -> difference(field, trait)));
    }

    private static boolean isNumber(CallField field) {
        return field == CallField.TID || field == CallField.CPU;
    }

    private double difference(CallField field, Trait trait) {
        return tail.share(field, trait) - rest.share(field, trait);
    }

    private boolean isNoChance(CallField field, Trait trait) {
        double all = (double) tail.calls() + rest.calls();
        double share = (tail.share(field, trait) * tail.calls() + rest.share(field, trait) * rest.calls()) / all;
        double error = Math.sqrt(share * (1 - share) * (1.0 / tail.calls() + 1.0 / rest.calls()));
        return difference(field, trait) > LEAST_ERRORS * error;
    }

    private Reason reason(CallField field, Trait trait) {
        String of = LatencyFormat.percent(tail.share(field, trait));
        String others = LatencyFormat.percent(rest.share(field, trait));
        StorePart part = parts.stream().filter(each -> each.host().index() == trait.host()).findFirst().orElseThrow();
        String where = parts.size() > 1 ? " of " + part.host().target() : "";
        long number = trait.number();
        return switch (field) {
            case TID -> reason(of + " of them ran in thread " + named(name(part, CallField.TID, CallField.THREAD, number), number) + where
                    + "; of the others " + others + ".", "tid == " + number);
            case CPU -> reason(of + " of them returned on CPU " + number + where + "; of the others " + others + ".", "cpu == " + number);
            case PARENT_FUNCTION -> {
                String caller = part.host().function(number - 1);
                yield reason(of + " of them were called by " + shortened(caller) + "; of the others " + others + ".",
                        "parent == " + (caller.indexOf('"') < 0 ? '"' + caller + '"' : "'" + caller + "'"));
            }
            case WAKER_TID -> reason("In " + of + " of them thread "
                    + named(name(part, CallField.WAKER_TID, CallField.WAKER, number), number - 1) + where
                    + " ended the longest wait; of the others in " + others + ".", "waker_tid == " + (number - 1));
            default -> throw new IllegalArgumentException("No trait: " + field);
        };
    }

    private static Reason reason(String text, String evidence) {
        return new Reason(text, evidence, Optional.empty());
    }

    /** As one of the calls tells it. */
    private static String name(StorePart part, CallField field, CallField textField, long number) {
        String[] found = {""};
        new CallScan(part.store(), List.of(new Condition.Between(field, number, number))).each((block, rows, count) -> {
            found[0] = part.store().text(block.value(textField, rows[0]));
            return found[0].isEmpty();
        });
        return CallHost.shown(found[0]);
    }

    private static String named(String name, long tid) {
        return name.isEmpty() ? Long.toString(tid) : shortened(name) + " (" + tid + ")";
    }

    private static String shortened(String name) {
        return name.length() <= NAME ? name : name.substring(0, NAME - 1) + "…";
    }
}
