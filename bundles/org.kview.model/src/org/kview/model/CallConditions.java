// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/** Which calls a recording measures, of which functions; as text as {@link PerFunction} has it. */
public record CallConditions(PerFunction<CallCondition> byFunction) {
    public static final CallConditions NONE = new CallConditions(new PerFunction<>(List.of()));
    private static final String NOUN = "condition";

    /**
     * A text of blanks has no conditions.
     *
     * @throws SyntaxException if one of them is none
     */
    public static CallConditions parse(String text) throws SyntaxException {
        return new CallConditions(PerFunction.parse(text, NOUN, ": join them with && or ||", CallCondition::parse));
    }

    /** Those that functions were measured by: so others of the same names are measured likewise. */
    public static CallConditions ofFunctions(List<ProbedFunction> functions) {
        try {
            return parse(PerFunction.textOf(functions, ProbedFunction::condition));
        } catch (SyntaxException e) {
            // The file was changed, or is of a newer version.
            return NONE;
        }
    }

    /** That of a function. */
    public Optional<CallCondition> of(String function) {
        return byFunction.of(function);
    }

    /** What is wrong with them for some functions, in a sentence without a full stop. */
    public Optional<String> problem(List<String> functions) {
        return byFunction.problem(functions, NOUN);
    }

    /** Whether one of them is decided when calls have ended. */
    public boolean areDecidedAtEnd() {
        return byFunction.all().stream().anyMatch(one -> one.said().isDecidedAtEnd());
    }

    public boolean isEmpty() {
        return byFunction.isEmpty();
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return byFunction.toString();
    }
}
