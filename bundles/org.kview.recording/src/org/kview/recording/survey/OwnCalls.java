// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.kview.targets.values.Survey;

/**
 * The calls of a survey without those that nobody would probe to find out about a program: those of the kernel and of the
 * libraries that every program has, functions without a name, and helpers, whose callers are to blame. A recursion is one
 * call.
 */
final class OwnCalls {
    private static final Pattern OF_EVERY_PROGRAM = Pattern.compile(
            "(ld-linux|ld-musl|ld-|libc|libpthread|libm|librt|libdl|libgcc_s|libstdc\\+\\+|libc\\+\\+)[-.0-9].*|\\[vdso\\]");
    /** Who is called from so many functions helps them all. */
    private static final int CALLERS_OF_HELPER = 3;

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
    private final boolean[] isOwn;

    OwnCalls(Survey.Tree tree) {
        this.tree = tree;
        isOwn = new boolean[tree.functions().size()];
        for (int i = 0; i < isOwn.length; i++) {
            isOwn[i] = isOwn(tree.functions().get(i));
        }
        leaveOutHelpers();
        int[] path = new int[tree.calls().size()];
        tree.times().forEach(time -> add(time, path));
    }

    /** Whether somebody may want to probe it. */
    private static boolean isOwn(Survey.Function function) {
        String file = function.binary().substring(function.binary().lastIndexOf('/') + 1);
        return !function.kernel() && !function.symbol().isEmpty() && !file.isEmpty()
                && !OF_EVERY_PROGRAM.matcher(file).matches();
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
        int depth = 0;
        for (int call = time.call(); call != 0; call = tree.calls().get(call).parent()) {
            if (isOwn[tree.calls().get(call).function()]) {
                path[depth++] = tree.calls().get(call).function();
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
