/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.Function;

import org.kview.model.LatencyFormat;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;

/** The columns of the list of sessions: their titles, texts and order. */
enum SessionColumn {
    NAME("Name", 165, false, SessionSummary::name,
            Comparator.comparing(SessionSummary::name, String.CASE_INSENSITIVE_ORDER)),
    DATE("Date", 125, false, s -> info(s, i -> SessionTexts.date(i.start())),
            Comparator.comparing(s -> s.info().map(SessionInfo::start).orElse(Instant.MIN))),
    PROCESS("Process", 150, false, s -> info(s, SessionTexts::process), byText(SessionTexts::process)),
    TARGET("Target", 120, false, s -> info(s, SessionTexts::target), byText(SessionTexts::target)),
    DURATION("Duration", 85, true, s -> info(s, i -> SessionTexts.duration(i.duration())),
            Comparator.comparing(s -> s.info().map(SessionInfo::duration).orElse(Duration.ofNanos(-1)))),
    FUNCTIONS("Functions", 86, true, s -> s.info().isEmpty() ? "" : LatencyFormat.count(s.functions().size()),
            Comparator.comparingInt(s -> s.info().isEmpty() ? -1 : s.functions().size())),
    SIZE("Size", 70, true, s -> SessionTexts.size(s.bytes()), Comparator.comparingLong(SessionSummary::bytes)),
    TAGS("Tags", 120, false, s -> String.join(", ", s.notes().tags()),
            Comparator.comparing(s -> String.join(", ", s.notes().tags()), String.CASE_INSENSITIVE_ORDER)),
    NOTES("Notes", 300, false, SessionColumn::remark,
            Comparator.comparing(SessionColumn::remark, String.CASE_INSENSITIVE_ORDER));

    private final String title;
    private final int width;
    private final boolean number;
    private final Function<SessionSummary, String> text;
    private final Comparator<SessionSummary> order;

    SessionColumn(String title, int width, boolean number, Function<SessionSummary, String> text,
            Comparator<SessionSummary> order) {
        this.title = title;
        this.width = width;
        this.number = number;
        this.text = text;
        this.order = order;
    }

    private static String info(SessionSummary session, Function<SessionInfo, String> text) {
        return session.info().map(text).orElse("");
    }

    private static Comparator<SessionSummary> byText(Function<SessionInfo, String> text) {
        return Comparator.comparing(s -> info(s, text), String.CASE_INSENSITIVE_ORDER);
    }

    /** What is wrong comes before what was written. */
    private static String remark(SessionSummary session) {
        String problem = SessionTexts.problem(session);
        return problem.isEmpty() ? SessionTexts.notes(session) : problem;
    }

    String title() {
        return title;
    }

    int width() {
        return width;
    }

    boolean number() {
        return number;
    }

    String text(SessionSummary session) {
        return text.apply(session);
    }

    /** Ascending; damaged sessions, of which nothing is known, first. */
    Comparator<SessionSummary> order() {
        return order;
    }

    /** Whether the first click puts the largest or the latest on top. */
    boolean descendingAtFirst() {
        return number || this == DATE;
    }
}
