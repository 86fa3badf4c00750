// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The threads that are known, by number. Who was looked for lately is found at once, as each event looks for one. */
final class ThreadTable {
    private static final int LATELY = 1 << 8;

    private final Map<Long, ThreadCalls> all = new HashMap<>();
    private final long[] latelyTids = new long[LATELY];
    private final Optional<ThreadCalls>[] lately;

    // No array of a generic type can be made.
    @SuppressWarnings("unchecked")
    ThreadTable() {
        lately = new Optional[LATELY];
        forget();
    }

    Optional<ThreadCalls> get(long tid) {
        int at = (int) tid & LATELY - 1;
        if (latelyTids[at] != tid) {
            latelyTids[at] = tid;
            lately[at] = Optional.ofNullable(all.get(tid));
        }
        return lately[at];
    }

    void put(long tid, ThreadCalls thread) {
        all.put(tid, thread);
        forget();
    }

    void remove(long tid) {
        all.remove(tid);
        forget();
    }

    void removeIf(Predicate<ThreadCalls> which) {
        all.values().removeIf(which);
        forget();
    }

    void clear() {
        all.clear();
        forget();
    }

    /** No thread has this number. */
    private void forget() {
        Arrays.fill(latelyTids, -1);
    }

    int size() {
        return all.size();
    }

    Collection<ThreadCalls> all() {
        return all.values();
    }
}
