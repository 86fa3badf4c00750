// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is said of functions by their names; as text with a semicolon between one and the next. What a function's name, a pattern with
 * {@code *} and {@code ?}, or a name in quotes and a colon precede is for those functions, any other one for all that have none of their own:
 * {@code arg0 > 4096; shop::pay: retval < 0; 'shop::get(int)': arg1 == 3}. A name goes before a pattern.
 *
 * @param <T> what is said
 */
public record PerFunction<T>(List<One<T>> all) {
    /** More would be no user's. */
    private static final int MOST_CHARACTERS = 20_000;
    private static final int MOST_OF_ONE = 4_000;
    /** A colon that is no part of "::", before anything that only conditions have; or behind a name in quotes. */
    private static final Pattern NAMED = Pattern.compile(
            "\\s*+((?:syscall:)?(?:[^\"'=!&|;:<>]|::|<[^=])++|'[^']++'|\"[^\"]++\")\\s*+(?<!:):(?!:)(.*+)", Pattern.DOTALL);

    /** Makes a value of its text. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(String text) throws SyntaxException;
    }

    /** What is said of some functions. */
    public record One<T>(FunctionNames functions, T said) {
        @Override
        public String toString() {
            return functions.areOthers() ? said.toString() : functions + ": " + said;
        }
    }

    public PerFunction {
        all = List.copyOf(all);
    }

    /**
     * A text of blanks says nothing.
     *
     * @param noun what is read, as messages name it
     * @throws SyntaxException if some of it is none
     */
    static <T> PerFunction<T> parse(String text, String noun, String join, Reader<T> reader) throws SyntaxException {
        if (text.length() > MOST_CHARACTERS) {
            throw new SyntaxException("more than " + MOST_CHARACTERS + " characters are too many", MOST_CHARACTERS + 1);
        }
        List<One<T>> all = new ArrayList<>();
        int begin = 0;
        while (begin < text.length()) {
            int end = end(text, begin);
            if (!text.substring(begin, end).isBlank()) {
                all.add(one(text, begin, end, noun, reader));
            }
            begin = end + 1;
        }
        for (One<T> one : all) {
            if (all.stream().filter(other -> other.functions.equals(one.functions)).count() > 1) {
                throw new SyntaxException("there are two " + noun + "s for " + (one.functions.areOthers() ? "all functions" : one.functions.text())
                        + join, text.length() + 1);
            }
        }
        return new PerFunction<>(all);
    }

    /** Where it ends: at a semicolon that is in no quotes, or with the text. */
    private static int end(String text, int begin) {
        char quote = 0;
        for (int at = begin; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == ';') {
                return at;
            } else if (c == '"' || c == '\'') {
                quote = c;
            }
        }
        return text.length();
    }

    private static <T> One<T> one(String text, int begin, int end, String noun, Reader<T> reader) throws SyntaxException {
        if (end - begin > MOST_OF_ONE) {
            throw new SyntaxException("a " + noun + " of more than " + MOST_OF_ONE + " characters is too long", begin + MOST_OF_ONE + 1);
        }
        Matcher named = NAMED.matcher(text.substring(begin, end));
        boolean isNamed = named.matches();
        int from = begin + (isNamed ? named.start(2) : 0);
        try {
            return new One<>(isNamed ? names(named.group(1).strip()) : FunctionNames.OTHERS, reader.read(text.substring(from, end)));
        } catch (SyntaxException e) {
            throw new SyntaxException(e.getMessage(), e.column() + from);
        }
    }

    private static FunctionNames names(String text) {
        boolean isQuoted = text.startsWith("'") || text.startsWith("\"");
        return isQuoted ? new FunctionNames(text.substring(1, text.length() - 1), true) : new FunctionNames(text, false);
    }

    /** As text: what was said of functions that were measured, so that it is said of others of the same names. */
    static String textOf(List<ProbedFunction> functions, Function<ProbedFunction, String> said) {
        List<String> texts = functions.stream().map(said).distinct().toList();
        return texts.size() == 1 ? texts.getFirst() : functions.stream().filter(f -> !said.apply(f).isEmpty())
                .map(f -> new FunctionNames(f.name(), true) + ": " + said.apply(f)).distinct().collect(Collectors.joining("; "));
    }

    /** What is said of a function: where it is named, else where a pattern is its, else of all. */
    public Optional<T> of(String function) {
        return best(function).stream().map(One::said).findFirst();
    }

    private List<One<T>> best(String function) {
        int best = all.stream().mapToInt(one -> one.functions.match(function)).max().orElse(0);
        return best == 0 ? List.of() : all.stream().filter(one -> one.functions.match(function) == best).toList();
    }

    /** What is wrong with it for some functions, in a sentence without a full stop: it names none of them, or one twice. */
    public Optional<String> problem(List<String> names, String noun) {
        String unused = all.stream().map(One::functions).filter(these -> !these.areOthers() && names.stream().allMatch(name -> these.match(name) == 0))
                .map(FunctionNames::text).collect(Collectors.joining(", "));
        if (!unused.isEmpty()) {
            return Optional.of("A " + noun + " is for " + unused + ", and no function of that name is measured: name it as the list of functions does");
        }
        return names.stream().filter(name -> best(name).stream().map(One::said).distinct().count() > 1).min(Comparator.naturalOrder())
                .map(name -> "There are several " + noun + "s for " + name + ", which is one of "
                        + best(name).stream().map(one -> one.functions.text()).collect(Collectors.joining(" and of "))
                        + ": write the one that is meant with the function's whole name");
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** As it can be read again. */
    @Override
    public String toString() {
        return String.join("; ", all.stream().map(One::toString).toList());
    }
}
