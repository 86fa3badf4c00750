// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.kview.model.ProbeSpec;
import org.kview.targets.values.Survey;

/**
 * Suggests which functions to probe: those in whose calls the time is spent. It follows the calls down from the start of a
 * thread, until the time is in a function itself or is divided between several that it calls. It is not known here how often a
 * function is called.
 */
public final class SuggestedProbes {
    private static final int MOST = 10;
    /** If one call takes this share of its caller's time, that call is looked into instead of the caller. */
    private static final double NEARLY_ALL = 0.8;
    /** If several calls share their caller's time: the least share of each, and of all of them together. */
    private static final double PART = 0.1;
    private static final double MOST_OF_IT = 0.7;
    /** The least share of the survey's length. */
    private static final double LEAST = 0.01;
    /** The least share of a function that does not return, from which on it is worth a look. */
    private static final double WORTH = 0.02;

    /** Points of other kinds begin with these words. */
    private static final Set<String> NAMES_OF_OTHERS = Set.of("kernel", "syscall");

    private final SurveyedFunctions functions;
    private final OwnCalls calls;
    private final Set<Integer> chosen = new LinkedHashSet<>();
    private final Set<Integer> endless = new LinkedHashSet<>();

    public SuggestedProbes(SurveyedFunctions functions) {
        this.functions = functions;
        calls = new OwnCalls(functions);
        calls.root().callees().forEach(this::look);
    }

    private void look(OwnCalls.Node node) {
        List<OwnCalls.Node> heavy = heavy(node, functions.of(node.function()).isAlwaysThere() ? WORTH : PART);
        if (calls.isWait(node.function())) {
            chosen.add(node.function());
        } else if (functions.of(node.function()).isAlwaysThere()) {
            if (heavy.isEmpty()) {
                endless.add(node.function());
            }
            heavy.forEach(this::look);
        } else if (!heavy.isEmpty() && heavy.getFirst().nanos() >= NEARLY_ALL * node.nanos()
                && !isLoopsWork(heavy.getFirst())) {
            look(heavy.getFirst());
        } else if (heavy.size() > 1 && heavy.stream().mapToLong(OwnCalls.Node::nanos).sum() >= MOST_OF_IT * node.nanos()) {
            heavy.forEach(this::look);
        } else {
            chosen.add(node.function());
        }
    }

    /** Its caller may well call it in a loop: then probes on the caller tell as much, and cost less. */
    private boolean isLoopsWork(OwnCalls.Node node) {
        return heavy(node, PART).isEmpty() && functions.of(node.function()).isComputing();
    }

    private static List<OwnCalls.Node> heavy(OwnCalls.Node node, double share) {
        List<OwnCalls.Node> heavy = new ArrayList<>();
        node.callees().forEach(callee -> {
            if (callee.nanos() > 0 && callee.nanos() >= share * node.nanos()) {
                heavy.add(callee);
            }
        });
        heavy.sort(Comparator.comparingLong(OwnCalls.Node::nanos).reversed());
        return heavy;
    }

    /**
     * The first ones computed, or waited for something other than time and peers, the longest. Behind the first, none that
     * all threads together were in for less than a hundredth of the survey: one or a few stacks say little.
     */
    public List<FunctionTimes> functions() {
        List<FunctionTimes> longest = chosen.stream().map(functions::of).sorted(Comparator.comparingLong(
                FunctionTimes::busyNanos).thenComparingLong(FunctionTimes::wallNanos).reversed()).limit(MOST).toList();
        double least = LEAST * functions.survey().stretch().nanos();
        return longest.stream().filter(f -> f == longest.getFirst() || f.wallNanos() >= least).toList();
    }

    /** Functions that have time of their own, but did not return: probes would not see their calls. */
    public List<FunctionTimes> endless() {
        return endless.stream().map(functions::of).sorted(Comparator.comparingLong(FunctionTimes::busyNanos).reversed())
                .toList();
    }

    /**
     * How {@code record --probe} names a function: as short as it is clear among the files of the survey. Of several with one
     * name, as overloads, it is the symbol.
     */
    public ProbeSpec probe(Survey.Function function) {
        Set<String> sameName = new HashSet<>();
        String name = fileName(function.binary());
        functions.survey().tree().functions().stream().map(Survey.Function::binary).filter(path -> fileName(path).equals(name))
                .forEach(sameName::add);
        boolean isClear = sameName.size() == 1 && !NAMES_OF_OTHERS.contains(name);
        ProbeSpec shown = new ProbeSpec(isClear ? name : function.binary(), function.name());
        return shown.isGlob() || isOneOfSeveral(function) ? new ProbeSpec(shown.binary(), function.symbol()) : shown;
    }

    private boolean isOneOfSeveral(Survey.Function function) {
        return functions.survey().tree().functions().stream().anyMatch(other -> other.name().equals(function.name())
                && other.binary().equals(function.binary()) && !other.symbol().equals(function.symbol()));
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
