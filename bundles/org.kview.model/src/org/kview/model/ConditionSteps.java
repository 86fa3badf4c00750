// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.kview.model.CallCondition.Step;

/**
 * Makes steps of a term: a binary decision diagram, in which each test is asked at most once on each way, and what calls return
 * last, as that is known last.
 */
final class ConditionSteps {
    /** A test that decides something of a term, and what is left of that by its outcome: another node's term, or a constant. */
    private record Node(CallTest test, ConditionTerm ifTrue, ConditionTerm ifFalse) {
    }

    private static final int MOST_VISITED = 10_000;

    private final List<CallTest> order;
    private final Map<ConditionTerm, Node> nodes = new HashMap<>();
    /** Of each term the one of its first node, or a constant. */
    private final Map<ConditionTerm, ConditionTerm> visited = new HashMap<>();
    private final Map<CallTest, Set<ConditionTerm>> byTest = new HashMap<>();
    private final int length;

    private ConditionSteps(List<CallTest> order, int length) {
        this.order = order;
        this.length = length;
    }

    /** @param length of the text, behind which a mistake of all of it stands */
    static List<Step> of(ConditionTerm term, int length) throws SyntaxException {
        Set<CallTest> tests = new LinkedHashSet<>();
        collect(term, tests);
        List<CallTest> order = new ArrayList<>(tests.stream().filter(t -> t.value() != CallTest.Value.RETURNED).toList());
        order.addAll(tests.stream().filter(t -> t.value() == CallTest.Value.RETURNED).toList());
        return new ConditionSteps(order, length).steps(term);
    }

    private static void collect(ConditionTerm term, Set<CallTest> tests) {
        switch (term) {
            case ConditionTerm.Constant _ -> {
            }
            case ConditionTerm.Comparison(CallTest test) -> tests.add(test);
            case ConditionTerm.Not(ConditionTerm inner) -> collect(inner, tests);
            case ConditionTerm.Both(ConditionTerm one, ConditionTerm other) -> {
                collect(one, tests);
                collect(other, tests);
            }
            case ConditionTerm.Either(ConditionTerm one, ConditionTerm other) -> {
                collect(one, tests);
                collect(other, tests);
            }
        }
    }

    private List<Step> steps(ConditionTerm term) throws SyntaxException {
        ConditionTerm root = visit(term, 0);
        if (root instanceof ConditionTerm.Constant(boolean holds)) {
            throw new SyntaxException(holds ? "this is true of every call: leave it out" : "this is true of no call", 1);
        }
        Map<ConditionTerm, Integer> numbers = new HashMap<>();
        List<ConditionTerm> sorted = new ArrayList<>();
        for (CallTest test : order) {
            for (ConditionTerm each : byTest.getOrDefault(test, Set.of())) {
                numbers.put(each, sorted.size());
                sorted.add(each);
            }
        }
        return sorted.stream().map(nodes::get).map(node -> new Step(node.test(), number(node.ifTrue(), numbers),
                number(node.ifFalse(), numbers))).toList();
    }

    private static int number(ConditionTerm term, Map<ConditionTerm, Integer> numbers) {
        return term instanceof ConditionTerm.Constant(boolean holds) ? holds ? CallCondition.MATCHES : CallCondition.DIFFERS
                : numbers.get(term);
    }

    /** Adds the nodes of what is left, from a test on; the term of the first one, or a constant. */
    private ConditionTerm visit(ConditionTerm term, int from) throws SyntaxException {
        ConditionTerm known = term instanceof ConditionTerm.Constant ? term : visited.get(term);
        if (known != null) {
            return known;
        }
        CallTest test = order.get(from);
        ConditionTerm ifTrue = visit(term.given(test, true), from + 1);
        ConditionTerm ifFalse = visit(term.given(test, false), from + 1);
        ConditionTerm first = ifTrue.equals(ifFalse) ? ifTrue : term;
        if (!first.equals(ifTrue)) {
            nodes.put(term, new Node(test, ifTrue, ifFalse));
            byTest.computeIfAbsent(test, _ -> new LinkedHashSet<>()).add(term);
        }
        visited.put(term, first);
        if (nodes.size() > CallCondition.MOST_STEPS || visited.size() > MOST_VISITED) {
            throw new SyntaxException("this takes more than " + CallCondition.MOST_STEPS + " comparisons on its ways", length + 1);
        }
        return first;
    }
}
