// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.model.Wildcards;

/**
 * Compares texts with a pattern of {@code *}, {@code ?}, {@code [abc]}, {@code [!a-c]}, and {@code \} before one of these that
 * stands for itself. A bracket that nothing closes stands for itself, too.
 */
record Glob(String pattern) {
    boolean matches(String text) {
        return Wildcards.match(pattern, text, this::next);
    }

    private int next(int at, char c) {
        char wanted = pattern.charAt(at);
        if (wanted == '[') {
            int end = endOfSet(at);
            if (end >= 0) {
                return isInSet(at, end, c) ? end + 1 : -1;
            }
        }
        int literal = wanted == '\\' && at + 1 < pattern.length() ? at + 1 : at;
        return pattern.charAt(literal) == c ? literal + 1 : -1;
    }

    private boolean isNegated(int begin) {
        return begin + 1 < pattern.length() && (pattern.charAt(begin + 1) == '!' || pattern.charAt(begin + 1) == '^');
    }

    /** A set has one member at least: a bracket that stands first closes nothing. */
    private int endOfSet(int begin) {
        return pattern.indexOf(']', begin + (isNegated(begin) ? 3 : 2));
    }

    private boolean isInSet(int begin, int end, char c) {
        boolean negated = isNegated(begin);
        boolean found = false;
        for (int at = begin + (negated ? 2 : 1); at < end; at++) {
            if (at + 2 < end && pattern.charAt(at + 1) == '-') {
                found |= pattern.charAt(at) <= c && c <= pattern.charAt(at + 2);
                at += 2;
            } else {
                found |= pattern.charAt(at) == c;
            }
        }
        return found != negated;
    }
}
