// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Finds functions by a name, with or without its parameters, or by a glob: as the probes of a recording are chosen. */
final class FunctionPattern {
    /** What may follow a function's parameters. */
    private static final Pattern BEHIND = Pattern.compile("(?: const| volatile| &| &&| \\[[^\\]]*\\]|@.*)*+");

    private FunctionPattern() {
    }

    /**
     * Which of these names a text means: the name that equals it; otherwise those that equal it without their parameters;
     * otherwise those that match it as a glob. So the {@code *} of a pointer in an exact name is not taken for a wildcard.
     */
    static Predicate<String> of(String text, List<String> names) {
        if (names.contains(text)) {
            return text::equals;
        }
        Predicate<String> overload = name -> isWithoutParameters(text, name);
        if (names.stream().anyMatch(overload)) {
            return overload;
        }
        return new Glob(text)::matches;
    }

    private static boolean isWithoutParameters(String text, String name) {
        int end = parameters(name);
        if (end < 0) {
            return false;
        }
        String head = name.substring(0, end);
        // The name of a template's instance begins with the type that it returns.
        return head.equals(text) || head.endsWith(">") && head.endsWith(" " + text) && !text.startsWith(">");
    }

    /** Where the parameters begin; -1 if there are none. */
    private static int parameters(String name) {
        int last = name.lastIndexOf(')');
        if (last < 0 || !BEHIND.matcher(name).region(last + 1, name.length()).matches()) {
            return -1;
        }
        int open = 0;
        for (int at = last; at >= 0; at--) {
            open += name.charAt(at) == ')' ? 1 : name.charAt(at) == '(' ? -1 : 0;
            if (open == 0) {
                return at;
            }
        }
        return -1;
    }
}
