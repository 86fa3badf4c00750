// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.util.List;

/** OpenSSH's patterns: {@code *} and {@code ?}, and lists in which {@code !} excludes. */
public final class Glob {
    private Glob() {
    }

    /** Whether text matches one pattern. */
    public static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        // It is enough to go back to the last star. So hostile patterns can't take exponential time.
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** Whether text matches a pattern of the list, and none of the excluded ones. */
    public static boolean matchesList(List<String> patterns, String text) {
        boolean found = false;
        for (String pattern : patterns) {
            boolean excludes = pattern.startsWith("!");
            if (matches(excludes ? pattern.substring(1) : pattern, text)) {
                if (excludes) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }
}
