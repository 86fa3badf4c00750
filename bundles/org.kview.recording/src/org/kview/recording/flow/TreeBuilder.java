// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.End;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.targets.values.Flow;

/** Makes a tree of the steps of a call. */
final class TreeBuilder {
    /** A function that has been entered. */
    private static final class Open {
        private final String name;
        private final long begin;
        private final List<FlowPart> parts = new ArrayList<>();
        private long called;
        private long waited;
        private long waitedInCalled;
        private long tooDeep;

        Open(String name, long begin) {
            this.name = name;
            this.begin = begin;
        }

        Function close(long now, End end) {
            long wall = now - begin;
            return new Function(name, begin, wall, waited + waitedInCalled, wall - called - waited, end, tooDeep, parts);
        }
    }

    private final List<String> names;
    private final Deque<Open> open = new ArrayDeque<>();
    /** Those that are open below the deepest one that has a line. */
    private int deeper;
    private long now;
    private Function root;

    TreeBuilder(List<String> names) {
        this.names = names;
    }

    /** What is open ends with the last step. */
    Function root(List<Flow.Step> steps) {
        steps.forEach(this::add);
        while (!open.isEmpty()) {
            close(End.GOES_ON);
        }
        return root;
    }

    private void add(Flow.Step step) {
        now = step.nanos();
        switch (step) {
            case Flow.Enter enter -> enter(enter.function());
            case Flow.Leave leave -> leave(leave.seen() ? End.RETURNED : End.NOT_SEEN);
            case Flow.Wait wait -> {
                now += wait.wallNanos();
                open.peek().waited += wait.wallNanos();
                open.peek().parts.add(new Absence(wait.cause(), wait.nanos(), wait.wallNanos(), wait.runQueueNanos(), wait.ended()));
            }
        }
    }

    private void enter(int function) {
        if (open.size() < FlowTree.MOST_DEPTH) {
            open.push(new Open(names.get(function), now));
        } else {
            open.peek().tooDeep++;
            deeper++;
        }
    }

    private void leave(End end) {
        if (deeper > 0) {
            deeper--;
        } else {
            close(end);
        }
    }

    private void close(End end) {
        Function function = open.pop().close(now, end);
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
