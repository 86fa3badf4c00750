// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallList;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;

/** Finds and sorts the calls that were asked for last; what was asked for before is given up. */
final class ListJob extends Job {
    private final AtomicReference<Optional<Wish>> wished = new AtomicReference<>(Optional.empty());
    private final BiConsumer<Wish, CallList> lists;

    /** Which calls, and in which order. */
    record Wish(SessionCallStore calls, CallSelector selector, CallFilter filter, CallOrder order) {
    }

    /** @param lists hears of them on the job's thread */
    ListJob(BiConsumer<Wish, CallList> lists) {
        super("List calls");
        this.lists = lists;
        setPriority(SHORT);
    }

    void list(Wish wish) {
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
            wish.calls().ask(calls -> calls.list(wish.selector(), wish.filter(), wish.order(),
                    _ -> wished.get().isEmpty() && !monitor.isCanceled())).ifPresent(list -> lists.accept(wish, list));
            return Status.OK_STATUS;
        } catch (CancellationException e) {
            // Another one is wanted, or none.
            return Status.CANCEL_STATUS;
        }
    }
}
