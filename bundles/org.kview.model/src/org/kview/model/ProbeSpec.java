/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.Optional;

/**
 * Which functions to probe, as a user writes it: {@code BIN:FUNC}.
 *
 * @param binary  a path, or the base name of an executable or library that the process maps
 * @param pattern an exact name, a demangled name, or a glob
 */
public record ProbeSpec(String binary, String pattern) {

    /** Empty if the text is no {@code BIN:FUNC}. The first single colon parts them: names may hold "::". */
    public static Optional<ProbeSpec> parse(String text) {
        for (int i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) {
            if (i + 1 < text.length() && text.charAt(i + 1) == ':') {
                i++;
            } else if (i > 0 && i + 1 < text.length()) {
                return Optional.of(new ProbeSpec(text.substring(0, i), text.substring(i + 1)));
            }
        }
        return Optional.empty();
    }

    /** Whether it may stand for any number of functions, none too. */
    public boolean isGlob() {
        return pattern.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    @Override
    public String toString() {
        return binary + ":" + pattern;
    }
}
