// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.why;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.kview.calls.CallBox.Range;
import org.kview.model.Distribution;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.calls.TailReasons;
import org.kview.ui.calls.view.LatestJob;

/** Finds out what is different about some calls. */
final class WhyJob extends LatestJob<WhyJob.Wish, WhyJob.Answer> {
    private static final double SLOWEST = 99;

    /**
     * What is to be explained.
     *
     * @param of  the calls, all time and latencies of them
     * @param box those of them that are selected; empty for the slowest
     */
    record Wish(SessionCallStore calls, CallSelector of, Optional<CallSelector> box) {
    }

    /** @param wall how long those took that were looked at */
    record Answer(Wish wish, Range wall, TailReasons.Found found) {
    }

    WhyJob(Consumer<Answer> answers, Consumer<Wish> unanswered) {
        super("Compare calls", answers, unanswered);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        wish.calls().ask(calls -> answer(calls, wish, wanted)).ifPresent(this::tell);
    }

    private Answer answer(StoredSession calls, Wish wish, BooleanSupplier wanted) {
        Range ends = wish.box().map(CallSelector::ends).orElse(Range.ALL);
        Range wall = wish.box().map(CallSelector::wall).orElseGet(() -> slowest(calls.distribution(wish.of(), wanted)));
        return new Answer(wish, wall, calls.reasons(wish.of(), ends, wall, _ -> wanted.getAsBoolean()));
    }

    /** From the first time beyond p99, as the report has it. */
    private static Range slowest(Distribution calls) {
        return new Range((long) Math.floor(calls.percentileNanos(SLOWEST)) + 1, Long.MAX_VALUE);
    }
}
