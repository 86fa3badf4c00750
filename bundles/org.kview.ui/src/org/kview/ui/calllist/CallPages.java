// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.kview.session.calls.CallList;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredCall;
import org.kview.ui.UiThread;

/**
 * The calls that are in sight, and those around them: read from the store by a job, as the disk may be slow. For the UI thread.
 */
final class CallPages {
    private static final int PAGE_CALLS = 128;
    private static final int MOST_PAGES = 64;

    private final Runnable loaded;
    private final Map<Integer, Optional<List<StoredCall>>> pages = new LinkedHashMap<>(MOST_PAGES, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Optional<List<StoredCall>>> eldest) {
            return size() > MOST_PAGES;
        }
    };
    private Optional<SessionCallStore> store = Optional.empty();
    private Optional<CallList> list = Optional.empty();
    /** What was read of the list before it grew, by the calls' numbers, which stay the same; and what stood where. */
    private final Map<Integer, StoredCall> readBefore = new HashMap<>();
    private final Map<Integer, StoredCall> stoodBefore = new HashMap<>();

    /** @param loaded runs when more calls are there */
    CallPages(Runnable loaded) {
        this.loaded = loaded;
    }

    /** The same list, of more calls: others may stand between those that it had. */
    void grow(SessionCallStore calls, CallList of) {
        Map<Integer, StoredCall> read = new HashMap<>();
        Map<Integer, StoredCall> stood = new HashMap<>();
        list.ifPresent(before -> pages.forEach((page, known) -> {
            for (int i = 0; i < known.map(List::size).orElse(0); i++) {
                int place = page * PAGE_CALLS + i;
                read.put(before.number(place), known.get().get(i));
                stood.put(place, known.get().get(i));
            }
        }));
        if (read.size() + readBefore.size() <= MOST_PAGES * PAGE_CALLS) {
            // Of pages that were not read before the list has grown once more.
            readBefore.forEach(read::putIfAbsent);
            stoodBefore.forEach(stood::putIfAbsent);
        }
        show(calls, of, false);
        readBefore.putAll(read);
        stoodBefore.putAll(stood);
    }

    /** @param more whether the list begins with what was shown before */
    void show(SessionCallStore calls, CallList of, boolean more) {
        if (more) {
            // What is still read is of the former list, and won't be taken; and its last page may be longer now.
            pages.values().removeIf(page -> page.filter(its -> its.size() == PAGE_CALLS).isEmpty());
        } else {
            forget();
        }
        store = Optional.of(calls);
        list = Optional.of(of);
    }

    private void forget() {
        pages.clear();
        readBefore.clear();
        stoodBefore.clear();
    }

    void clear() {
        forget();
        store = Optional.empty();
        list = Optional.empty();
    }

    int size() {
        return list.map(CallList::size).orElse(0);
    }

    Optional<CallList> list() {
        return list;
    }

    /** The call in a place of the list; empty until it was read. */
    Optional<StoredCall> call(int place) {
        if (place < 0 || place >= size()) {
            return Optional.empty();
        }
        int page = place / PAGE_CALLS;
        Optional<List<StoredCall>> known = pages.get(page);
        if (known == null) {
            known = Optional.empty();
            pages.put(page, known);
            load(page);
        }
        return known.map(calls -> calls.get(place % PAGE_CALLS))
                .or(() -> Optional.ofNullable(readBefore.get(list.orElseThrow().number(place))));
    }

    /** What is drawn there: until the call was read the one that stood there before the list grew, so that nothing flickers. */
    Optional<StoredCall> drawn(int place) {
        return call(place).or(() -> Optional.ofNullable(stoodBefore.get(place)).filter(_ -> place < size()));
    }

    private void load(int page) {
        SessionCallStore from = store.orElseThrow();
        CallList of = list.orElseThrow();
        Display display = Display.getCurrent();
        Job job = Job.create("Read calls", _ -> {
            int first = page * PAGE_CALLS;
            from.ask(calls -> IntStream.range(first, Math.min(of.size(), first + PAGE_CALLS)).map(of::number)
                    .mapToObj(calls::call).toList()).ifPresent(read -> UiThread.later(display, () -> take(of, page, read)));
        });
        job.setSystem(true);
        job.setPriority(Job.INTERACTIVE);
        job.schedule();
    }

    private void take(CallList of, int page, List<StoredCall> read) {
        if (list.filter(current -> current == of).isPresent()) {
            pages.put(page, Optional.of(read));
            loaded.run();
        }
    }
}
