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

/** Finds and sorts calls: where that takes long and can be told before, the first ones come at once. */
final class ListJob extends LatestJob<ListJob.Wish, ListJob.Answer> {
    /** More than a screen holds. */
    static final int FIRST = 256;

    /** Which calls, and in which order. */
    record Wish(SessionCallStore calls, CallSelector selector, CallFilter filter, CallOrder order) {
        /** Whether the same is wanted, perhaps of more calls. */
        boolean isOfSame(Wish other) {
            return selector.equals(other.selector) && filter.equals(other.filter) && order.equals(other.order);
        }
    }

    /** @param all whether the list has all of them, or the first only */
    record Answer(Wish wish, CallList list, boolean all) {
    }

    ListJob(Consumer<Answer> answers, Consumer<Wish> unanswered) {
        super("List calls", answers, unanswered);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        if (wish.filter() == CallFilter.ALL && wish.order().equals(CallOrder.SLOWEST_FIRST)) {
            wish.calls().ask(calls -> calls.slowest(wish.selector(), FIRST, wanted)).filter(first -> first.size() == FIRST)
                    .ifPresent(first -> tell(new Answer(wish, first, false)));
        }
        wish.calls().ask(calls -> calls.list(wish.selector(), wish.filter(), wish.order(), _ -> wanted.getAsBoolean()))
                .ifPresent(list -> tell(new Answer(wish, list, true)));
    }
}
