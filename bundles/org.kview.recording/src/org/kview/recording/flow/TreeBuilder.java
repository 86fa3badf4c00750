// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.End;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.targets.values.Flow;

/** Makes a tree of the steps of a call. */
final class TreeBuilder {
    /** A function that has been entered. */
    private static final class Open {
        private final int function;
        private final long begin;
        private final List<FlowPart> parts = new ArrayList<>();
        private long called;
        private long waited;
        private long waitedInCalled;
        private long tooDeep;

        Open(int function, long begin) {
            this.function = function;
            this.begin = begin;
        }

        Function close(String name, long now, End end) {
            long wall = now - begin;
            return new Function(name, begin, wall, waited + waitedInCalled, wall - called - waited, end, tooDeep, parts);
        }
    }

    /**
     * The thread is without a CPU.
     *
     * @param since    as far as it is in the tree already
     * @param queuedAt from when on it could run; beyond all times if it was not seen to come back
     */
    private record Away(Flow.Out out, long since, long queuedAt) {
    }

    private final List<String> names;
    private final List<Flow.Step> steps;
    private final Deque<Open> open = new ArrayDeque<>();
    /** Those below the deepest one that has a line. */
    private final Deque<Integer> deeper = new ArrayDeque<>();
    private Optional<Away> away = Optional.empty();
    private long now;
    private Function root;

    TreeBuilder(List<String> names, List<Flow.Step> steps) {
        this.names = names;
        this.steps = steps;
    }

    /** What is open ends with the last step. */
    Function root() {
        for (int i = 0; i < steps.size(); i++) {
            add(i);
        }
        while (!open.isEmpty()) {
            close(End.GOES_ON);
        }
        return root;
    }

    private void add(int i) {
        now = steps.get(i).nanos();
        passed();
        switch (steps.get(i)) {
            case Flow.Enter enter -> enter(enter.function());
            case Flow.Leave leave -> leave(leave.function());
            // Of two in a row one was not seen: the thread was away from the first one on.
            case Flow.Out out -> away = away.or(() -> Optional.of(new Away(out, now, queuedAt(i))));
            case Flow.In _ -> away = Optional.empty();
        }
    }

    /** It waited for a CPU last. */
    private long queuedAt(int out) {
        return steps.subList(out, steps.size()).stream().filter(Flow.In.class::isInstance).map(Flow.In.class::cast).findFirst()
                .map(in -> in.nanos() - in.runQueueNanos()).orElse(Long.MAX_VALUE);
    }

    /** If the thread is away, it was so in the innermost function until now. */
    private void passed() {
        if (away.isEmpty() || open.isEmpty()) {
            return;
        }
        Away a = away.get();
        long nanos = now - a.since;
        if (nanos > 0) {
            Open in = open.peek();
            in.parts.add(new Absence(a.out.cause(), a.since, nanos, Math.max(0, now - Math.max(a.since, a.queuedAt)),
                    a.queuedAt != Long.MAX_VALUE));
            in.waited += nanos;
        }
        away = Optional.of(new Away(a.out, now, a.queuedAt));
    }

    private void enter(int function) {
        if (open.size() < FlowTree.MOST_DEPTH) {
            open.push(new Open(function, now));
        } else {
            open.peek().tooDeep++;
            deeper.push(function);
        }
    }

    private void leave(int function) {
        while (!deeper.isEmpty()) {
            if (deeper.pop() == function) {
                return;
            }
        }
        while (open.peek().function != function) {
            close(End.NOT_SEEN);
        }
        close(End.RETURNED);
    }

    private void close(End end) {
        Open ended = open.pop();
        Function function = ended.close(names.get(ended.function), now, end);
        if (open.isEmpty()) {
            root = function;
            return;
        }
        Open caller = open.peek();
        caller.parts.add(function);
        caller.called += function.wallNanos();
        caller.waitedInCalled += function.waitedNanos();
    }
}
