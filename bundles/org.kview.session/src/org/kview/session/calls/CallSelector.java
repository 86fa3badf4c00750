// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Optional;
import java.util.Set;

import org.kview.calls.CallBox.Range;
import org.kview.model.Metric;

/**
 * Which calls of a session are looked at: those of which all of this is true. Immutable.
 *
 * @param ends      when they returned: ns since 1970, on the clock of their host, as the times of a trace's events
 * @param wall      how long they took, in ns
 * @param functions the ids of their functions in the session's figures; empty for all
 * @param threads   the ids of their threads, likewise
 * @param causes    the largest parts of their time, likewise
 * @param target    the host they ran on, as the user named it; empty for all
 */
public record CallSelector(Range ends, Range wall, Optional<Set<Integer>> functions, Optional<Set<Long>> threads,
        Optional<Set<Metric>> causes, Optional<String> target) {
    /** All calls. */
    public static final CallSelector ALL = new CallSelector(Range.ALL, Range.ALL, Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty());

    public CallSelector {
        functions = functions.map(Set::copyOf);
        threads = threads.map(Set::copyOf);
        causes = causes.map(Set::copyOf);
    }

    public CallSelector withEnds(Range range) {
        return new CallSelector(range, wall, functions, threads, causes, target);
    }

    public CallSelector withWall(Range range) {
        return new CallSelector(ends, range, functions, threads, causes, target);
    }

    public CallSelector withFunctions(Optional<Set<Integer>> ids) {
        return new CallSelector(ends, wall, ids, threads, causes, target);
    }

    public CallSelector withCauses(Optional<Set<Metric>> metrics) {
        return new CallSelector(ends, wall, functions, threads, metrics, target);
    }

    public CallSelector withTarget(Optional<String> name) {
        return new CallSelector(ends, wall, functions, threads, causes, name);
    }
}
