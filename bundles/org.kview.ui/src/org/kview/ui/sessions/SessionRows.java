// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.util.List;
import java.util.Locale;

import org.kview.session.read.SessionSummary;
import org.kview.ui.widgets.Sorting;

/** The lines of the list of sessions: filtered and sorted. Knows no widget. Not safe for several threads. */
final class SessionRows {
    private List<SessionSummary> all = List.of();
    private List<SessionSummary> shown = List.of();
    private List<String> words = List.of();
    private SessionGrouping grouping = SessionGrouping.NONE;
    private Sorting<SessionSummary, SessionColumn> sorting = new Sorting<>(SessionColumn.DATE, true);

    void setSessions(List<SessionSummary> sessions) {
        all = List.copyOf(sessions);
        refresh();
    }

    /** Shows sessions that hold every word of a text somewhere, whatever its case. */
    void setSearch(String text) {
        words = List.of(text.strip().toLowerCase(Locale.ROOT).split("\\s+"));
        refresh();
    }

    void sort(Sorting<SessionSummary, SessionColumn> next) {
        sorting = next;
        refresh();
    }

    void groupBy(SessionGrouping next) {
        grouping = next;
    }

    SessionGrouping grouping() {
        return grouping;
    }

    /** What is shown, by group. */
    List<SessionGrouping.Group> groups() {
        return grouping.groups(shown);
    }

    Sorting<SessionSummary, SessionColumn> sorting() {
        return sorting;
    }

    List<SessionSummary> shown() {
        return shown;
    }

    int total() {
        return all.size();
    }

    private void refresh() {
        shown = all.stream().filter(this::isWanted).sorted(sorting.order().thenComparing(SessionSummary::path)).toList();
    }

    private boolean isWanted(SessionSummary session) {
        String text = SessionTexts.all(session).toLowerCase(Locale.ROOT);
        return words.stream().allMatch(text::contains);
    }
}
