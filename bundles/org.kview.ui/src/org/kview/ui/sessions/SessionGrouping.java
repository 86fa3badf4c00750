// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;

/** By what the sessions in the list are grouped. */
enum SessionGrouping {
    NONE("&None", session -> List.of("")),
    TARGET("&Target", session -> of(session, SessionTexts::target)),
    PROCESS("&Process", session -> of(session, SessionInfo::programName)),
    TAG("Ta&g", session -> session.notes().tags()),
    DAY("&Day", session -> of(session, info -> SessionTexts.day(info.start())));

    /** The title for sessions that belong to no group: damaged ones, or those without a tag. */
    private static final String REST = "others";

    private final String title;
    private final Function<SessionSummary, List<String>> groups;

    /**
     * Sessions that belong together.
     *
     * @param title    of all of them; empty without grouping
     * @param sessions at least one
     */
    record Group(String title, List<SessionSummary> sessions) {
    }

    SessionGrouping(String title, Function<SessionSummary, List<String>> groups) {
        this.title = title;
        this.groups = groups;
    }

    private static List<String> of(SessionSummary session, Function<SessionInfo, String> text) {
        return session.info().map(text).map(List::of).orElse(List.of());
    }

    /** For a menu. */
    String title() {
        return title;
    }

    /**
     * @param sorted in the order of the list: groups come in that of their first sessions, the rest last
     * @return groups; a session with several tags is in several
     */
    List<Group> groups(List<SessionSummary> sorted) {
        Map<String, List<SessionSummary>> found = new LinkedHashMap<>();
        List<SessionSummary> rest = new ArrayList<>();
        for (SessionSummary session : sorted) {
            List<String> titles = groups.apply(session);
            titles.forEach(text -> found.computeIfAbsent(text, _ -> new ArrayList<>()).add(session));
            if (titles.isEmpty()) {
                rest.add(session);
            }
        }
        List<Group> all = new ArrayList<>();
        found.forEach((text, sessions) -> all.add(new Group(text, sessions)));
        if (!rest.isEmpty()) {
            all.add(new Group(this == TAG ? "without a tag" : REST, rest));
        }
        return all;
    }
}
