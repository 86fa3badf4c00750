// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.kview.model.Metric;
import org.kview.targets.values.Survey;

/**
 * The calls of a survey without those that nobody would probe to find out about a program: those of the kernel and of the
 * libraries that every program has, functions without a name, and helpers, whose callers are to blame. A recursion is one
 * call. Where a function that does not return waits for a disk in such a library, and nothing between the two can be probed, the
 * library's function is taken: else nothing would be said of that time.
 */
final class OwnCalls {
    private static final Pattern OF_EVERY_PROGRAM = Pattern.compile(
            "(ld-linux|ld-musl|ld-|libc|libpthread|libm|librt|libdl|libgcc_s|libstdc\\+\\+|libc\\+\\+)[-.0-9].*|\\[vdso\\]");
    /** Who is called from so many functions helps them all. */
    private static final int CALLERS_OF_HELPER = 3;
    /** Of the time of a library's function: the share in which it waited for a disk, from which on it is taken. On a busy machine it waits for a CPU then. */
    private static final double FOR_DISK = 0.05;

    /** A function called from another one, or several calls of it from there. */
    static final class Node {
        private final int function;
        private final Map<Integer, Node> callees = new HashMap<>();
        private long nanos;

        private Node(int function) {
            this.function = function;
        }

        int function() {
            return function;
        }

        /** With what it called. */
        long nanos() {
            return nanos;
        }

        Iterable<Node> callees() {
            return callees.values();
        }
    }

    private final Survey.Tree tree;
    private final Node root = new Node(-1);
    private final SurveyedFunctions functions;
    private final boolean[] isOwn;
    private final boolean[] isWait;

    OwnCalls(SurveyedFunctions functions) {
        this.functions = functions;
        tree = functions.survey().tree();
        isOwn = new boolean[tree.functions().size()];
        isWait = new boolean[isOwn.length];
        for (int i = 0; i < isOwn.length; i++) {
            isOwn[i] = isOwn(tree.functions().get(i));
            isWait[i] = waitsForDisk(functions.of(i));
        }
        leaveOutHelpers();
        int[] path = new int[tree.calls().size()];
        tree.times().forEach(time -> add(time, path));
    }

    /** Whether somebody may want to probe it. */
    private static boolean isOwn(Survey.Function function) {
        return isNamed(function) && !OF_EVERY_PROGRAM.matcher(file(function)).matches();
    }

    private static boolean isNamed(Survey.Function function) {
        return !function.kernel() && !function.symbol().isEmpty() && !file(function).isEmpty();
    }

    private static String file(Survey.Function function) {
        return function.binary().substring(function.binary().lastIndexOf('/') + 1);
    }

    private static boolean waitsForDisk(FunctionTimes times) {
        long waited = times.nanos().getOrDefault(Metric.BLOCK_IO, 0L) + times.nanos().getOrDefault(Metric.PAGE_FAULT, 0L);
        return isNamed(times.function()) && OF_EVERY_PROGRAM.matcher(file(times.function())).matches() && waited > 0
                && waited >= FOR_DISK * times.wallNanos();
    }

    /** Whether it is a library's function of which more is known than its stacks say: it waits, and returns then. */
    boolean isWait(int function) {
        return isWait[function];
    }

    private void leaveOutHelpers() {
        Map<Integer, Set<Integer>> callers = new HashMap<>();
        for (int i = 1; i < tree.calls().size(); i++) {
            Survey.Call call = tree.calls().get(i);
            int caller = call.parent() == 0 ? -1 : tree.calls().get(call.parent()).function();
            if (caller >= 0 && caller != call.function()) {
                callers.computeIfAbsent(call.function(), _ -> new HashSet<>()).add(caller);
            }
        }
        callers.forEach((function, who) -> isOwn[function] &= who.size() < CALLERS_OF_HELPER);
    }

    private void add(Survey.Time time, int[] path) {
        int depth = 0, wait = -1;
        for (int call = time.call(); call != 0; call = tree.calls().get(call).parent()) {
            int function = tree.calls().get(call).function();
            if (isOwn[function]) {
                if (depth == 0 && wait >= 0 && functions.of(function).isAlwaysThere()) {
                    path[depth++] = wait;
                }
                path[depth++] = function;
            } else if (depth == 0 && isWait[function] && (wait < 0 || !functions.of(function).isAlwaysThere())) {
                wait = function;
            }
        }
        Set<Integer> entered = new HashSet<>();
        Node node = root;
        node.nanos += time.nanos();
        while (depth-- > 0) {
            if (entered.add(path[depth])) {
                node = node.callees.computeIfAbsent(path[depth], Node::new);
                node.nanos += time.nanos();
            }
        }
    }

    /** The start of all threads. */
    Node root() {
        return root;
    }
}
