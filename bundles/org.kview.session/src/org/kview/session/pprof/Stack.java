// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

import org.kview.ctf.calls.Nesting;
import org.kview.model.Metric;

/** A stack of functions that call each other, with the sum of the own times of the innermost function's calls. */
final class Stack {
    private static final Metric[] METRICS = Metric.values();

    private final Optional<Stack> outer;
    private final int frame;
    private final Map<Integer, Stack> inner = new LinkedHashMap<>(2);
    private final long[] selfNanos = new long[METRICS.length];
    private long calls;

    private Stack(Optional<Stack> outer, int frame) {
        this.outer = outer;
        this.frame = frame;
    }

    /** The empty stack of a thread. */
    static Stack empty() {
        return new Stack(Optional.empty(), -1);
    }

    boolean hasInner(int function) {
        return inner.containsKey(function);
    }

    /** This stack with one more function, which its innermost function calls. */
    Stack inner(int function) {
        return inner.computeIfAbsent(function, called -> new Stack(Optional.of(this), called));
    }

    void add(Nesting call) {
        calls++;
        for (int i = 0; i < METRICS.length; i++) {
            selfNanos[i] += call.selfNanos(METRICS[i]);
        }
    }

    Iterable<Stack> inner() {
        return inner.values();
    }

    long calls() {
        return calls;
    }

    /** May be less than 0, as {@link Nesting#selfNanos} may. */
    long selfNanos(Metric metric) {
        return selfNanos[metric.ordinal()];
    }

    /** Its functions, the innermost first. */
    void frames(IntConsumer each) {
        for (Stack at = this; at.outer.isPresent(); at = at.outer.get()) {
            each.accept(at.frame);
        }
    }
}
