// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.util.List;

import org.kview.model.Wildcards;

/** OpenSSH's patterns: {@code *} and {@code ?}, and lists in which {@code !} excludes. */
public final class SshPattern {
    private SshPattern() {
    }

    /** Whether text matches one pattern. */
    public static boolean matches(String pattern, String text) {
        return Wildcards.match(pattern, text, (at, c) -> pattern.charAt(at) == c ? at + 1 : -1);
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
