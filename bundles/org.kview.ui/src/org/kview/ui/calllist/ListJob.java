// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallList;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.ui.calls.view.LatestJob;

/** Finds and sorts calls. */
final class ListJob extends LatestJob<ListJob.Wish, ListJob.Answer> {
    /** Which calls, and in which order. */
    record Wish(SessionCallStore calls, CallSelector selector, CallFilter filter, CallOrder order) {
    }

    record Answer(Wish wish, CallList list) {
    }

    /** @param answers hears of them on the job's thread */
    ListJob(Consumer<Answer> answers) {
        super("List calls", answers);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        wish.calls().ask(calls -> calls.list(wish.selector(), wish.filter(), wish.order(), _ -> wanted.getAsBoolean()))
                .ifPresent(list -> tell(new Answer(wish, list)));
    }
}
