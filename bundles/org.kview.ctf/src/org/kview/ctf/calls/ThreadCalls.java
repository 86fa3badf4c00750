// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.ctf.TraceEvent.CallEntry;
import org.kview.ctf.TraceEvent.CallExit;
import org.kview.ctf.calls.Call.Parent;
import org.kview.ctf.calls.Call.Waker;

/** The calls that a thread is in, the outermost first, and what it does between its switches. Where events are missing, some of them are not there. */
final class ThreadCalls {
    private final List<OpenCall> open = new ArrayList<>(4);
    private final Optional<ThreadActivity> activity;
    private String name = "";
    /** What was found out of what comes next of its name; empty if nobody has looked. */
    private Optional<Optional<String>> nextName = Optional.empty();
    private Optional<Waker> woken = Optional.empty();

    /** @param activity what follows its switches, if somebody wants to know */
    ThreadCalls(Optional<ThreadActivity> activity) {
        this.activity = activity;
    }

    Optional<ThreadActivity> activity() {
        return activity;
    }

    String name() {
        return name;
    }

    void named(String text) {
        name = text;
        nextName = Optional.empty();
    }

    /** It gets this name later, or none before it ends. */
    void willBeNamed(Optional<String> later) {
        nextName = Optional.of(later);
        name = later.orElse(name);
    }

    /** Whether its name was to be another one than comes now. */
    boolean wasToBeNamedOtherwise(Optional<String> comes) {
        return nextName.isPresent() && !nextName.get().equals(comes);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    int depth() {
        return open.size();
    }

    /** A call begins. Open calls of the same depth, or of a greater one, were left without a return that a probe saw. */
    OpenCall enter(CallEntry entry) {
        leave(entry.depth());
        Optional<Parent> parent = open.isEmpty() || open.getLast().entry().depth() != entry.depth() - 1 ? Optional.empty()
                : Optional.of(new Parent(open.getLast().entry().function(), open.getLast().entry().nanos()));
        OpenCall call = new OpenCall(entry, parent, open.isEmpty() ? Optional.empty() : Optional.of(open.getLast()));
        open.add(call);
        return call;
    }

    /**
     * A call ends. Empty if its entry was not seen. Calls within it are kept until the thread enters another one, because a
     * thread that switches stacks, as coroutines do, may still return from them.
     */
    Optional<OpenCall> exit(CallExit exit) {
        int at = indexOf(exit.depth());
        if (at < 0 || open.get(at).entry().nanos() != exit.beginNanos() || open.get(at).entry().function() != exit.function()) {
            return Optional.empty();
        }
        for (OpenCall inner : open.subList(at + 1, open.size())) {
            open.get(at).encloses(inner);
        }
        OpenCall call = open.get(at);
        end(at);
        return Optional.of(call);
    }

    /** The depths ascend. */
    private int indexOf(long depth) {
        int low = 0;
        int high = open.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = open.get(middle).entry().depth();
            if (found == depth) {
                return middle;
            }
            low = found < depth ? middle + 1 : low;
            high = found < depth ? high : middle - 1;
        }
        return -1;
    }

    /** Ends the calls of this depth and deeper ones. */
    void leave(long depth) {
        while (!open.isEmpty() && open.getLast().entry().depth() >= depth) {
            // Its own time will never be known. The times of the calls within it are known, and count as time within the
            // call around it.
            open.getLast().handOn(open.getLast().innerNanos());
            end(open.size() - 1);
        }
    }

    private void end(int at) {
        OpenCall call = open.remove(at);
        call.end();
        if (at < open.size()) {
            open.get(at).parentEnded();
        }
        if (at > 0) {
            open.get(at - 1).encloses(call);
        }
    }

    void switchedOut() {
        woken = Optional.empty();
    }

    void woken(Waker by) {
        woken = woken.or(() -> Optional.of(by));
    }

    /** @param waitedNanos how long it could not run */
    void switchedIn(long waitedNanos) {
        if (!open.isEmpty() && woken.isPresent()) {
            open.getLast().waited(waitedNanos, woken);
        }
        woken = Optional.empty();
    }
}
