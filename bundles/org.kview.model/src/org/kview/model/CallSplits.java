// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/** By which values a recording splits the figures of which functions; as text as {@link PerFunction} has it. */
public record CallSplits(PerFunction<CallSplit> byFunction) {
    public static final CallSplits NONE = new CallSplits(new PerFunction<>(List.of()));
    /** What an agent takes at most, of all functions. */
    public static final int MOST_FUNCTIONS = 8;
    private static final String NOUN = "value";

    /**
     * A text of blanks splits nothing.
     *
     * @throws SyntaxException if one of them is no value
     */
    public static CallSplits parse(String text) throws SyntaxException {
        return new CallSplits(PerFunction.parse(text, NOUN, ": a function is split by one", CallSplit::parse));
    }

    /** Those by which functions were split: so others of the same names are split likewise. */
    public static CallSplits ofFunctions(List<ProbedFunction> functions) {
        try {
            return parse(PerFunction.textOf(functions, ProbedFunction::by));
        } catch (SyntaxException e) {
            // The file was changed, or is of a newer version.
            return NONE;
        }
    }

    /** That of a function. */
    public Optional<CallSplit> of(String function) {
        return byFunction.of(function);
    }

    /** What is wrong with them for some functions, in a sentence without a full stop. */
    public Optional<String> problem(List<String> functions) {
        long split = functions.stream().filter(name -> of(name).isPresent()).count();
        return byFunction.problem(functions, NOUN).or(() -> split <= MOST_FUNCTIONS ? Optional.empty()
                : Optional.of("The figures of " + split + " functions were to be split by values, and of at most " + MOST_FUNCTIONS
                        + " they are in one recording: name those that matter, such as --by 'price: arg1'"));
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
