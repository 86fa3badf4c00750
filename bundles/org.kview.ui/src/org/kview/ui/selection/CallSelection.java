// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import java.util.Optional;
import java.util.Set;

import org.kview.calls.CallBox;
import org.kview.model.Bookmark;
import org.kview.model.Metric;
import org.kview.session.calls.CallSelector;

/**
 * Which calls all views show: those of which all of this is true. Immutable.
 *
 * @param time      when they returned; empty for the whole recording
 * @param wall      how long they took, in ns; empty for all
 * @param functions the ids of their functions in the session's figures, all hosts together; empty for all
 * @param threads   the ids of their threads, likewise
 * @param causes    the largest parts of their time, likewise
 */
public record CallSelection(Optional<Bookmark.Range> time, Optional<CallBox.Range> wall, Set<Integer> functions, Set<Long> threads,
        Set<Metric> causes) {
    /** All calls. */
    public static final CallSelection ALL = new CallSelection(Optional.empty(), Optional.empty(), Set.of(), Set.of(), Set.of());

    public CallSelection {
        functions = Set.copyOf(functions);
        threads = Set.copyOf(threads);
        causes = Set.copyOf(causes);
    }

    /** A stretch of time, and of latency. */
    public CallSelection withBox(Optional<Bookmark.Range> when, Optional<CallBox.Range> howLong) {
        return new CallSelection(when, howLong, functions, threads, causes);
    }

    public CallSelection withTime(Optional<Bookmark.Range> when) {
        return new CallSelection(when, wall, functions, threads, causes);
    }

    public CallSelection withFunctions(Set<Integer> ids) {
        return new CallSelection(time, wall, ids, threads, causes);
    }

    public CallSelection withThreads(Set<Long> ids) {
        return new CallSelection(time, wall, functions, ids, causes);
    }

    public CallSelection withCauses(Set<Metric> metrics) {
        return new CallSelection(time, wall, functions, threads, metrics);
    }

    /** Whether a stretch of time or latency is selected. */
    public boolean hasBox() {
        return time.isPresent() || wall.isPresent();
    }

    /** @param target the host that is shown alone, as the user named it; empty if all are */
    public CallSelector selector(Optional<String> target) {
        return new CallSelector(time.map(range -> new CallBox.Range(range.beginNanos(), range.endNanos())).orElse(CallBox.Range.ALL),
                wall.orElse(CallBox.Range.ALL), some(functions), some(threads), some(causes), target);
    }

    private static <T> Optional<Set<T>> some(Set<T> chosen) {
        return chosen.isEmpty() ? Optional.empty() : Optional.of(chosen);
    }
}
