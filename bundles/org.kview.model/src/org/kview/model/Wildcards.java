// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/** Compares a text with a pattern in which {@code *} stands for any characters, also none, and {@code ?} for one. */
public final class Wildcards {
    /** What a pattern may hold apart from these two. */
    @FunctionalInterface
    public interface Rest {
        /** Where the pattern goes on if what stands at this place of it matches the character; otherwise -1. */
        int next(int at, char c);
    }

    private Wildcards() {
    }

    /** Takes at most as many steps as the product of both lengths, so hostile patterns can't take exponential time. */
    public static boolean match(String pattern, String text, Rest rest) {
        int at = 0;
        int in = 0;
        int star = -1;
        int starIn = 0;
        while (in < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                starIn = in;
                continue;
            }
            int next = at == pattern.length() ? -1
                    : pattern.charAt(at) == '?' ? at + 1 : rest.next(at, text.charAt(in));
            if (next >= 0) {
                at = next;
                in++;
            } else if (star >= 0) {
                // It is enough to go back to the last star.
                at = star + 1;
                in = ++starIn;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
