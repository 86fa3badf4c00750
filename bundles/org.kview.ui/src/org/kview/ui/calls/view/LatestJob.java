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

/**
 * Answers what was asked last; what was asked before is given up.
 *
 * @param <W> what is asked
 * @param <A> what is answered
 */
public abstract class LatestJob<W, A> extends Job {
    private final AtomicReference<Optional<W>> wished = new AtomicReference<>(Optional.empty());
    private final Consumer<A> answers;
    private final Consumer<W> unanswered;
    /** What ends next had begun, or was cancelled because nothing was wanted any more. */
    private volatile boolean begun;
    private volatile boolean forgotten;

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
        addJobChangeListener(IJobChangeListener.onDone(_ -> ended()));
    }

    /** Where it was cancelled before it began, nobody else tells. */
    private void ended() {
        boolean lost = !begun && !forgotten;
        begun = false;
        forgotten = false;
        if (lost) {
            wished.getAndSet(Optional.empty()).ifPresent(unanswered);
        }
    }

    public final void ask(W wish) {
        wished.set(Optional.of(wish));
        schedule();
    }

    /** Nothing is wanted any more. */
    public final void forget() {
        wished.set(Optional.empty());
        forgotten = getState() != NONE;
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
        begun = true;
        Optional<W> wish = wished.getAndSet(Optional.empty());
        if (wish.isEmpty()) {
            return Status.OK_STATUS;
        }
        monitor.beginTask(SafeText.line(getName()), IProgressMonitor.UNKNOWN);
        try {
            answer(wish.get(), () -> wished.get().isEmpty() && !monitor.isCanceled());
            return Status.OK_STATUS;
        } catch (CancellationException e) {
            if (!monitor.isCanceled()) {
                // Something else is wanted.
                return Status.OK_STATUS;
            }
            if (!forgotten) {
                unanswered.accept(wish.get());
            }
            return Status.CANCEL_STATUS;
        } catch (RuntimeException | Error e) {
            unanswered.accept(wish.get());
            throw e;
        }
    }
}
