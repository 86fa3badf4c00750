// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.session.write.SessionClaim;

/** Records the same several times, one after the other, to see how the recordings differ. */
final class Repetition {
    private static final String SUFFIX = ".kview";

    private Repetition() {
    }

    /** One recording. */
    @FunctionalInterface
    interface One {
        /**
         * Records and tells of it.
         *
         * @param output the session's folder
         * @return the exit code, or empty where a signal ended it, after which no other follows
         */
        Optional<Integer> record(Path output) throws Exception;
    }

    /** S-1.kview, S-2.kview … for S.kview; S.kview itself for one. */
    static List<Path> outputs(Path output, int count) {
        if (count == 1) {
            return List.of(output);
        }
        String name = String.valueOf(output.getFileName());
        String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        return IntStream.rangeClosed(1, count).mapToObj(i -> output.resolveSibling(stem + "-" + i + SUFFIX)).toList();
    }

    /** The first of these that exists already: asked before all recordings, so that none fails half-way. */
    static Optional<Path> existing(List<Path> outputs) {
        return outputs.stream().filter(path -> !SessionClaim.isFree(path)).findFirst();
    }

    /** Records into each, until one fails or a signal comes. */
    static int run(Console console, List<Path> outputs, One one) throws Exception {
        List<String> done = new ArrayList<>();
        for (Path output : outputs) {
            if (outputs.size() > 1) {
                console.say("recording " + (done.size() + 1) + " of " + outputs.size());
            }
            Optional<Integer> code = one.record(output);
            done.add(output.toString());
            if (code.isPresent() && code.get() != ExitCode.DONE) {
                return code.get();
            }
            if (code.isEmpty()) {
                break;
            }
        }
        if (done.size() < outputs.size()) {
            console.say("ended after " + done.size() + " of " + outputs.size() + " recordings");
        }
        return ExitCode.DONE;
    }
}
