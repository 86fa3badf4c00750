// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ILinkEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.calls.CallBox;
import org.kview.session.calls.CallList;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredSession;
import org.kview.session.calls.StoredStates;
import org.kview.ui.calls.view.LatestJob;
import org.kview.ui.selection.CallSelection;

/** Finds what threads did in a stretch of time: their calls, and their states. */
final class TimelineJob extends LatestJob<TimelineJob.Wish, TimelineJob.Answer> {
    /** More could not be told apart. */
    static final int MOST_CALLS = 20_000;

    /**
     * What is to be shown.
     *
     * @param selection  which calls stand out; those of other threads are left out
     * @param host       the one that is shown alone; empty if all are
     * @param startNanos the recording's start, in ns since 1970
     * @param shown      which time, likewise
     * @param leastNanos shorter calls are less than a pixel
     */
    record Wish(SessionCallStore calls, CallSelection selection, Optional<String> host, long startNanos, CallBox.Range shown,
            long leastNanos) {
        /** Whether a call stands out. */
        boolean isChosen(StoredCall call) {
            return (selection.functions().isEmpty()
                    || call.functionId().isPresent() && selection.functions().contains(call.functionId().getAsInt()))
                    && (selection.causes().isEmpty() || selection.causes().contains(call.mainPart()))
                    && selection.wall().filter(wall -> call.wallNanos() < wall.least() || call.wallNanos() > wall.most()).isEmpty();
        }
    }

    /**
     * The lines, from the top.
     *
     * @param threads   a line each, below which stand those of calls within its calls, and of its states; times since the
     *                  recording's start
     * @param arrows    from who woke a thread to that thread
     * @param drawn     the numbers of the calls that they hold
     * @param all       how many there are of at least the wish's length
     * @param states    what they show between the calls
     */
    record Answer(Wish wish, List<TimeGraphEntry> threads, List<ILinkEvent> arrows, int[] drawn, int all, StoredStates states) {
    }

    TimelineJob(Consumer<Answer> answers, Consumer<Wish> unanswered) {
        super("Find calls by time", answers, unanswered);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        wish.calls().ask(calls -> answer(calls, wish, wanted)).ifPresent(this::tell);
    }

    private static Answer answer(StoredSession calls, Wish wish, BooleanSupplier wanted) {
        CallSelection threads = CallSelection.ALL.withThreads(wish.selection().threads());
        CallList list = calls.running(threads.selector(wish.host()), wish.shown(), wish.leastNanos(), _ -> wanted.getAsBoolean());
        int[] drawn = IntStream.range(0, Math.min(list.size(), MOST_CALLS)).map(list::number).toArray();
        List<StoredCall> longest = Arrays.stream(drawn).mapToObj(calls::call)
                .sorted(Comparator.comparingLong(call -> call.time().beginNanos())).toList();
        StoredStates states = calls.states(threads.selector(wish.host()), wish.shown(), wish.leastNanos(), wanted);
        TimelineLines lines = new TimelineLines(wish, longest, states.threads());
        return new Answer(wish, lines.lines(), lines.arrows(), drawn, list.size(), states);
    }
}
