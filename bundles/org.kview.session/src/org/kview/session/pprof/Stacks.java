// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.kview.ctf.calls.Nesting;

/**
 * The stacks of all threads, as many as fit in memory. Further stacks are cut off after their outermost function, and if
 * there are still too many, threads are not told apart either. No time is lost by this.
 */
final class Stacks {
    private static final Owner ANY_THREAD = new Owner(-1, "", -1);

    private final Map<Owner, Stack> roots = new LinkedHashMap<>();
    private final int folded;
    private final int most;
    private int count;
    private long foldedCalls;

    /**
     * A thread, or a group of threads, whose stacks are kept apart from those of others.
     *
     * @param host the number of its host; -1 for any
     * @param name as the trace has it; empty if it is not known
     * @param tid  -1 if threads of one name are not told apart
     */
    record Owner(int host, String name, long tid) {
    }

    /**
     * @param folded stands for functions that are not told apart
     * @param most   how many stacks are kept, besides two for each function
     */
    Stacks(int folded, int most) {
        this.folded = folded;
        this.most = most;
    }

    /** @param functions those that call each other, the outermost first; the call is one of the last */
    void add(Owner owner, List<Integer> functions, Nesting call) {
        Stack stack = roots.get(owner);
        if (stack == null && count < most) {
            count++;
            stack = Stack.empty();
            roots.put(owner, stack);
        }
        for (int function : functions) {
            if (stack == null || count >= most && !stack.hasInner(function)) {
                fold(owner, functions, call);
                return;
            }
            count += stack.hasInner(function) ? 0 : 1;
            stack = stack.inner(function);
        }
        stack.add(call);
    }

    private void fold(Owner owner, List<Integer> functions, Nesting call) {
        foldedCalls++;
        Stack own = roots.get(owner);
        int outermost = functions.getFirst();
        Stack stack = (own != null && own.hasInner(outermost) ? own : roots.computeIfAbsent(ANY_THREAD, _ -> Stack.empty()))
                .inner(outermost);
        (functions.size() == 1 ? stack : stack.inner(folded)).add(call);
    }

    Map<Owner, Stack> roots() {
        return roots;
    }

    /** How many calls were not told apart. */
    long foldedCalls() {
        return foldedCalls;
    }
}
