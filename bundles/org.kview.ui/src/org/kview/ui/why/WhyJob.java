// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.why;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.calls.CallBox.Range;
import org.kview.model.Distribution;
import org.kview.model.SafeText;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.calls.TailReasons;

/** Finds out what was asked for last; what was asked for before is given up. */
final class WhyJob extends Job {
    private static final double SLOWEST = 99;

    private final AtomicReference<Optional<Wish>> wished = new AtomicReference<>(Optional.empty());
    private final BiConsumer<Wish, Answer> answers;

    /**
     * What is to be explained.
     *
     * @param of  the calls, all time and latencies of them
     * @param box those of them that are selected; empty for the slowest
     */
    record Wish(SessionCallStore calls, CallSelector of, Optional<CallSelector> box) {
    }

    /** @param wall how long those took that were looked at */
    record Answer(Range wall, TailReasons.Found found) {
    }

    /** @param answers hears of them on the job's thread */
    WhyJob(BiConsumer<Wish, Answer> answers) {
        super("Compare calls");
        this.answers = answers;
        setPriority(SHORT);
    }

    void explain(Wish wish) {
        wished.set(Optional.of(wish));
        schedule();
    }

    void forget() {
        wished.set(Optional.empty());
        cancel();
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        Optional<Wish> taken = wished.getAndSet(Optional.empty());
        if (taken.isEmpty()) {
            return Status.OK_STATUS;
        }
        Wish wish = taken.get();
        monitor.beginTask(SafeText.line(getName()), IProgressMonitor.UNKNOWN);
        try {
            wish.calls().ask(calls -> answer(calls, wish, monitor)).ifPresent(answer -> answers.accept(wish, answer));
            return Status.OK_STATUS;
        } catch (CancellationException e) {
            // Something else is to be explained, or nothing.
            return Status.CANCEL_STATUS;
        }
    }

    private Answer answer(StoredSession calls, Wish wish, IProgressMonitor monitor) {
        Range ends = wish.box().map(CallSelector::ends).orElse(Range.ALL);
        Range wall = wish.box().map(CallSelector::wall).orElseGet(() -> slowest(calls.distribution(wish.of())));
        return new Answer(wall, calls.reasons(wish.of(), ends, wall, _ -> wished.get().isEmpty() && !monitor.isCanceled()));
    }

    /** From the first time beyond p99, as the report has it. */
    private static Range slowest(Distribution calls) {
        return new Range((long) Math.floor(calls.percentileNanos(SLOWEST)) + 1, Long.MAX_VALUE);
    }
}
