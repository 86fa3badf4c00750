// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;

/** Finds the recording that was made before another one of the same program. */
public final class EarlierSession {
    private EarlierSession() {
    }

    /**
     * The last one before a session that has the same target, program and at least one of its functions.
     *
     * @param sessions among which it is looked for; those that do not open, or are being recorded, are passed over
     */
    public static Optional<Path> before(SessionSummary session, List<SessionSummary> sessions) {
        return session.info().flatMap(info -> sessions.stream().filter(other -> !other.live() && other.problems().isEmpty())
                .filter(other -> other.info().filter(before -> isOfTheSame(before, info)).isPresent())
                .filter(other -> other.functions().stream().anyMatch(session.functions()::contains))
                .max(Comparator.comparing(other -> other.info().orElseThrow().start())).map(SessionSummary::path));
    }

    /** The program that has to be the same: "checkout"; of what runs programs of others with what it runs, "python3 report.py". */
    public static String program(SessionInfo info) {
        return MeasuredProgram.of(info);
    }

    private static boolean isOfTheSame(SessionInfo before, SessionInfo info) {
        return before.start().isBefore(info.start()) && before.target().equals(info.target())
                && program(before).equals(program(info));
    }
}
