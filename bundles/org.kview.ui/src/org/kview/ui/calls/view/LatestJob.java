// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;

/**
 * Answers what was asked last; what was asked before is given up.
 *
 * @param <W> what is asked
 * @param <A> what is answered
 */
public abstract class LatestJob<W, A> extends Job {
    /** How a run ends that was cancelled; one that was cancelled before it began ends with another status, of the same kind. */
    private static final IStatus GIVEN_UP = new Status(IStatus.CANCEL, KviewUi.BUNDLE_ID, "given up");

    /**
     * What is wanted.
     *
     * @param next what the next run answers
     * @param now  what the one that goes on answers, until nobody waits for it any more
     */
    private record Wishes<W>(Optional<W> next, Optional<W> now) {
    }

    private final AtomicReference<Wishes<W>> wishes = new AtomicReference<>(new Wishes<>(Optional.empty(), Optional.empty()));
    private final Consumer<A> answers;
    private final Consumer<W> unanswered;

    /**
     * Both hear on the job's thread, or on that which cancels it.
     *
     * @param unanswered hears of what gets no answer although nothing else was asked, and it was not forgotten
     */
    protected LatestJob(String name, Consumer<A> answers, Consumer<W> unanswered) {
        super(SafeText.line(name));
        this.answers = answers;
        this.unanswered = unanswered;
        setPriority(SHORT);
        addJobChangeListener(IJobChangeListener.onDone(event -> ended(event.getResult())));
    }

    /** Where it was cancelled before it began, nobody else tells; what was asked since then is answered by another run. */
    private void ended(IStatus how) {
        if (how.getSeverity() == IStatus.CANCEL && how != GIVEN_UP && getState() == NONE) {
            wishes.getAndUpdate(w -> new Wishes<>(Optional.empty(), w.now)).next.ifPresent(unanswered);
        }
    }

    public final void ask(W wish) {
        wishes.updateAndGet(w -> new Wishes<>(Optional.of(wish), w.now));
        schedule();
    }

    /** Nothing is wanted any more. */
    public final void forget() {
        wishes.set(new Wishes<>(Optional.empty(), Optional.empty()));
        cancel();
    }

    /**
     * On the job's thread.
     *
     * @param wanted whether the answer still is; to be asked now and then
     * @throws CancellationException if it is not
     */
    protected abstract void answer(W wish, BooleanSupplier wanted);

    protected final void tell(A answer) {
        answers.accept(answer);
    }

    @Override
    protected final IStatus run(IProgressMonitor monitor) {
        Optional<W> wish = wishes.updateAndGet(w -> new Wishes<>(Optional.empty(), w.next)).now;
        if (wish.isEmpty()) {
            return Status.OK_STATUS;
        }
        monitor.beginTask(SafeText.line(getName()), IProgressMonitor.UNKNOWN);
        try {
            answer(wish.get(), () -> wishes.get().next.isEmpty() && !monitor.isCanceled());
            return Status.OK_STATUS;
        } catch (CancellationException e) {
            if (!monitor.isCanceled()) {
                // Something else is wanted.
                return Status.OK_STATUS;
            }
            tellUnanswered();
            return GIVEN_UP;
        } catch (RuntimeException | Error e) {
            tellUnanswered();
            throw e;
        }
    }

    private void tellUnanswered() {
        wishes.getAndUpdate(w -> new Wishes<>(w.next, Optional.empty())).now.ifPresent(unanswered);
    }
}
