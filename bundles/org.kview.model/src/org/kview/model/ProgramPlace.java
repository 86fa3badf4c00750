// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Where in the program a thread waited within a measured function.
 *
 * @param functions that had called each other, the innermost first; empty where a name is not known, or, if nothing is known, in all
 * @param isWhole   whether the last one is the outermost measured function that the thread was in
 * @param ofMany    whether there were too many different places to be told apart: any of them
 */
public record ProgramPlace(List<String> functions, boolean isWhole, boolean ofMany) {
    public static final ProgramPlace UNKNOWN = new ProgramPlace(List.of(), false, false);
    /** How many functions are named in a text. */
    private static final int NAMED = 4;

    public ProgramPlace {
        functions = List.copyOf(functions);
        if (functions.isEmpty() ? isWhole : ofMany) {
            throw new IllegalArgumentException("No place: " + functions.size() + " functions");
        }
    }

    /**
     * "pthread_mutex_lock ← lock_page ← read_page ← find": a library's own functions in which it waits for others are left out. Empty where
     * nothing is known.
     */
    public String text() {
        if (ofMany) {
            return "places that were too many to be told apart";
        }
        int first = IntStream.range(0, functions.size()).filter(i -> isForUsers(functions.get(i))).findFirst().orElse(0);
        List<String> shown = functions.stream().skip(first).limit(NAMED).map(name -> name.isEmpty() ? "code of no file" : name).toList();
        return String.join(" ← ", shown) + (first + NAMED < functions.size() ? " ← …" : "");
    }

    private static boolean isForUsers(String name) {
        return !name.isEmpty() && !name.startsWith("_") && !name.contains("+0x");
    }
}
