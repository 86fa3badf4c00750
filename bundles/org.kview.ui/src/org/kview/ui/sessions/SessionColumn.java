// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.Function;

import org.kview.model.LatencyFormat;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;
import org.kview.ui.widgets.Column;

/** The columns of the list of sessions: their titles, texts and order. */
enum SessionColumn implements Column<SessionSummary> {
    NAME(Form.words("Name", 165, SessionTexts::name)),
    DATE(Form.text("Date", 125, (SessionSummary s) -> info(s, i -> SessionTexts.date(i.start())),
            Comparator.comparing((SessionSummary s) -> s.info().map(SessionInfo::start).orElse(Instant.MIN))).descending()),
    PROCESS(Form.words("Process", 150, s -> info(s, SessionTexts::process))),
    TARGET(Form.words("Target", 120, s -> info(s, SessionTexts::target))),
    DURATION(Form.number("Duration", 85, s -> info(s, i -> SessionTexts.duration(i.duration())),
            Comparator.comparing(s -> s.info().map(SessionInfo::duration).orElse(Duration.ofNanos(-1))))),
    FUNCTIONS(Form.number("Functions", 86, s -> s.info().isEmpty() ? "" : LatencyFormat.count(s.functions().size()),
            Comparator.comparingInt(s -> s.info().isEmpty() ? -1 : s.functions().size()))),
    SIZE(Form.number("Size", 70, s -> SessionTexts.size(s.bytes()), Comparator.comparingLong(SessionSummary::bytes))),
    TAGS(Form.words("Tags", 120, s -> String.join(", ", s.notes().tags()))),
    NOTES(Form.words("Notes", 300, SessionColumn::remark));

    private final Form<SessionSummary> form;

    SessionColumn(Form<SessionSummary> form) {
        this.form = form;
    }

    /** Its order puts damaged sessions, of which nothing is known, first. */
    @Override
    public Form<SessionSummary> form() {
        return form;
    }

    private static String info(SessionSummary session, Function<SessionInfo, String> text) {
        return session.info().map(text).orElse("");
    }

    /** What is wrong comes before what was written. */
    private static String remark(SessionSummary session) {
        String problem = SessionTexts.problem(session);
        return problem.isEmpty() ? SessionTexts.notes(session) : problem;
    }
}
