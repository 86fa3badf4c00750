// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.kview.calls.CallBox.Range;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.ui.calls.view.LatestJob;

/** Draws heat maps: first the picture, then its exact figures, for which more has to be read. */
final class HeatJob extends LatestJob<HeatJob.Wish, HeatJob.Answer> {
    /** A picture, and out of which calls. */
    record Wish(SessionCallStore calls, HeatRequest request) {
    }

    /**
     * What came of a wish.
     *
     * @param picture empty if there are no calls to show
     * @param summary empty at first
     */
    record Answer(Wish wish, Optional<HeatPicture> picture, Optional<HeatSummary> summary) {
    }

    HeatJob(Consumer<Answer> answers, Consumer<Wish> unanswered) {
        super("Draw latency over time", answers, unanswered);
        setSystem(true);
        setPriority(INTERACTIVE);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        HeatRequest request = wish.request();
        Optional<Optional<HeatPicture>> picture = wish.calls().ask(calls -> HeatPainter.paint(calls, request, wanted));
        if (picture.isEmpty()) {
            // The session was closed: the view will hear of it.
            return;
        }
        tell(new Answer(wish, picture.get(), Optional.empty()));
        if (wanted.getAsBoolean()) {
            wish.calls().ask(calls -> summary(calls, request, wanted))
                    .ifPresent(summary -> tell(new Answer(wish, picture.get(), Optional.of(summary))));
        }
    }

    static HeatSummary summary(StoredSession calls, HeatRequest request, BooleanSupplier wanted) {
        CallSelector shown = request.shown().map(range -> request.calls().withEnds(new Range(range.beginNanos(), range.endNanos())))
                .orElse(request.calls());
        return new HeatSummary(calls.distribution(shown, wanted), request.brush().map(brush -> calls.distribution(brush, wanted)));
    }
}
