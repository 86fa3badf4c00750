// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which calls a recording measures, of which functions; as text conditions with a semicolon between them. One that a function's name, or a
 * pattern with {@code *} and {@code ?}, and a colon precede is for those functions, any other one for all that have none of their own:
 * {@code arg0 > 4096; shop::pay: retval < 0}.
 */
public record CallConditions(List<One> all) {
    public static final CallConditions NONE = new CallConditions(List.of());
    /** A colon that is no part of "::", before anything that only conditions have. */
    private static final Pattern NAMED = Pattern.compile("\\s*((?:syscall:)?(?:[^\"'=!&|;:<>]|::|<[^=])+?)\\s*(?<!:):(?!:)(.*)", Pattern.DOTALL);

    /**
     * A condition and its functions.
     *
     * @param pattern of their names; empty for all that have none of their own
     */
    public record One(String pattern, CallCondition condition) {
        boolean isOf(String function) {
            return pattern.isEmpty() || matches(function) || function.indexOf('(') > 0 && matches(function.substring(0, function.indexOf('(')));
        }

        private boolean matches(String name) {
            return Wildcards.match(pattern, name, (at, c) -> pattern.charAt(at) == c ? at + 1 : -1);
        }

        @Override
        public String toString() {
            return pattern.isEmpty() ? condition.text() : pattern + ": " + condition.text();
        }
    }

    public CallConditions {
        all = List.copyOf(all);
    }

    /**
     * A text of blanks has no conditions.
     *
     * @throws SyntaxException if one of them is none
     */
    public static CallConditions parse(String text) throws SyntaxException {
        List<One> all = new ArrayList<>();
        int begin = 0;
        while (begin < text.length()) {
            int end = end(text, begin);
            if (!text.substring(begin, end).isBlank()) {
                all.add(one(text, begin, end));
            }
            begin = end + 1;
        }
        for (One one : all) {
            if (all.stream().filter(other -> other.pattern.equals(one.pattern)).count() > 1) {
                throw new SyntaxException(one.pattern.isEmpty() ? "there are two conditions for all functions: join them with && or ||"
                        : "there are two conditions for " + one.pattern + ": join them with && or ||", text.length() + 1);
            }
        }
        return new CallConditions(all);
    }

    /** Those that functions were measured by: so others of the same names are measured likewise. */
    public static CallConditions ofFunctions(List<ProbedFunction> functions) {
        List<String> texts = functions.stream().map(ProbedFunction::condition).distinct().toList();
        String all = texts.size() == 1 ? texts.getFirst() : functions.stream().filter(ProbedFunction::isConditional)
                .map(f -> pattern(f.name()) + ": " + f.condition()).distinct().collect(Collectors.joining("; "));
        try {
            return parse(all);
        } catch (SyntaxException e) {
            // The file was changed, or is of a newer version.
            return NONE;
        }
    }

    /** What would end a name has a wildcard in its place. */
    private static String pattern(String function) {
        return function.replaceAll("\\(.*", "").replaceAll("[^\\w:.~ $@]", "?");
    }

    /** Where the condition ends: at a semicolon that is in no quotes, or with the text. */
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

    private static One one(String text, int begin, int end) throws SyntaxException {
        String part = text.substring(begin, end);
        Matcher named = NAMED.matcher(part);
        boolean isNamed = named.matches();
        int from = begin + (isNamed ? named.start(2) : 0);
        try {
            return new One(isNamed ? named.group(1).strip() : "", CallCondition.parse(text.substring(from, end)));
        } catch (SyntaxException e) {
            throw new SyntaxException(e.getMessage(), e.column() + from);
        }
    }

    /** That of a function: the first that names it, else the one for all. */
    public Optional<CallCondition> of(String function) {
        return all.stream().filter(one -> !one.pattern.isEmpty() && one.isOf(function)).findFirst()
                .or(() -> all.stream().filter(one -> one.pattern.isEmpty()).findFirst()).map(One::condition);
    }

    /** Patterns that match none of some functions: these were meant for others. */
    public List<String> unused(List<String> functions) {
        return all.stream().filter(one -> !one.pattern.isEmpty() && functions.stream().noneMatch(one::isOf)).map(One::pattern).toList();
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return String.join("; ", all.stream().map(One::toString).toList());
    }
}
