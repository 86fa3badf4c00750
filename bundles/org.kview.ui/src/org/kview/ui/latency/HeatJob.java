// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.calls.CallBox.Range;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;

/** Draws what was asked for last: first the picture, then its exact figures, for which more has to be read. */
final class HeatJob extends Job {
    private final AtomicReference<Optional<Wish>> wished = new AtomicReference<>(Optional.empty());
    private final Consumer<Answer> answers;

    private record Wish(SessionCallStore calls, HeatRequest request) {
    }

    /**
     * What came of a request.
     *
     * @param picture empty if there are no calls to show
     * @param summary empty at first
     */
    record Answer(HeatRequest request, Optional<HeatPicture> picture, Optional<HeatSummary> summary) {
    }

    /** @param answers hears of them on the job's thread */
    HeatJob(Consumer<Answer> answers) {
        super("Draw latency over time");
        this.answers = answers;
        setSystem(true);
        setPriority(INTERACTIVE);
    }

    void draw(SessionCallStore calls, HeatRequest request) {
        wished.set(Optional.of(new Wish(calls, request)));
        schedule();
    }

    /** Nothing is wanted any more. */
    void forget() {
        wished.set(Optional.empty());
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        Optional<Wish> wish = wished.getAndSet(Optional.empty());
        if (wish.isPresent()) {
            draw(wish.get());
        }
        return Status.OK_STATUS;
    }

    private void draw(Wish wish) {
        HeatRequest request = wish.request();
        Optional<Optional<HeatPicture>> picture = wish.calls().ask(calls -> HeatPainter.paint(calls, request));
        if (picture.isEmpty()) {
            // The session was closed: the view will hear of it.
            return;
        }
        answers.accept(new Answer(request, picture.get(), Optional.empty()));
        if (wished.get().isEmpty()) {
            wish.calls().ask(calls -> summary(calls, request))
                    .ifPresent(summary -> answers.accept(new Answer(request, picture.get(), Optional.of(summary))));
        }
    }

    static HeatSummary summary(StoredSession calls, HeatRequest request) {
        CallSelector shown = request.shown().map(range -> request.calls().withEnds(new Range(range.beginNanos(), range.endNanos())))
                .orElse(request.calls());
        return new HeatSummary(calls.distribution(shown), request.brush().map(calls::distribution));
    }
}
