// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a library is called on hosts that have it in another version or folder: the C library is
 * {@code libc-2.31.so} here and {@code libc.so.6} there, in {@code /lib} or {@code /usr/lib}.
 */
public final class LibraryName {
    private LibraryName() {
    }

    /**
     * The name by which an agent finds every version of a library: {@code libc} for all of the above. For any other
     * file: its name without its folder.
     */
    public static String withoutVersion(String binary) {
        String base = baseName(binary);
        int suffix = base.indexOf(".so");
        return suffix <= 0 ? base : base.substring(0, suffix).replaceFirst("-[0-9][0-9.]*$", "");
    }

    /** What to look for, the best fit first: the name itself, then versions of it. */
    static List<String> candidates(String binary) {
        String base = baseName(binary);
        int suffix = base.indexOf(".so");
        // The number in libglib-2.0.so.0 is part of the name, so this form is tried last.
        return Stream.of(binary, base, suffix <= 0 ? base : base.substring(0, suffix), withoutVersion(binary)).distinct()
                .toList();
    }

    private static String baseName(String binary) {
        return binary.substring(binary.lastIndexOf('/') + 1);
    }
}
