// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.LockHolder;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.model.Wait;
import org.kview.model.Waker;

/**
 * Who held the locks that calls waited for. The events of single waits don't tell it: it is counted for the waits of a function, by
 * lock, holder and who ended them.
 *
 * @param waits for locks that are known, or of which it is known who held them, by the id of the function
 */
record LockHolders(Map<Integer, List<Wait>> waits) {
    /** Of each host it would be another thread that has the number. */
    static LockHolders of(Optional<LatencySnapshot> figures) {
        return new LockHolders(figures.filter(all -> all.hosts().size() < 2).stream().flatMap(all -> all.functions().stream())
                .collect(Collectors.toMap(function -> function.function().id(), function -> function.knownFates().waits().all().stream()
                        .filter(wait -> wait.cause() == Metric.LOCK && (wait.hasLock() || wait.holder().isPresent())).toList())));
    }

    /**
     * Who held what the calls of a function waited for: "cache_lock, 188 of 190 times held by thread 4711 (worker)"; "cache_lock" where
     * that is not known.
     */
    Optional<String> ofFunction(int id) {
        return told(waits.getOrDefault(id, List.of()));
    }

    /** Likewise, of the waits that a thread ended. */
    Optional<String> ofWaker(long tid) {
        return told(waits.values().stream().flatMap(List::stream)
                .filter(wait -> wait.waker().kind() == Waker.Kind.THREAD && wait.waker().tid() == tid).toList());
    }

    /** The lock that was waited for most often, and who held it most often. */
    private static Optional<String> told(List<Wait> of) {
        return most(of, LockHolders::lock).map(lock -> {
            List<Wait> its = of.stream().filter(wait -> lock(wait).equals(lock)).toList();
            List<Wait> held = its.stream().filter(wait -> wait.holder().isPresent()).toList();
            return SafeText.line(lock + most(held, LockHolders::holder).map(holder -> ", " + LatencyFormat.count(count(held.stream()
                    .filter(wait -> holder(wait).equals(holder)))) + " of " + LatencyFormat.count(count(its.stream())) + " times held by " + holder).orElse(""));
        });
    }

    private static String lock(Wait wait) {
        return wait.hasLock() ? wait.lockText() : "a lock";
    }

    /** In whichever function it was. */
    private static String holder(Wait wait) {
        LockHolder holder = wait.holder().orElseThrow();
        return new LockHolder(holder.tid(), holder.pid(), holder.name(), "").text();
    }

    private static long count(Stream<Wait> of) {
        return of.mapToLong(Wait::count).sum();
    }

    private static Optional<String> most(List<Wait> of, Function<Wait, String> name) {
        Map<String, Long> counts = new LinkedHashMap<>();
        of.forEach(wait -> counts.merge(name.apply(wait), wait.count(), Long::sum));
        return counts.entrySet().stream().max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
    }
}
