// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.kview.model.SafeText;
import org.kview.session.read.SessionSummary;

/** Shows what the list has no room for, if one session is selected. Otherwise it takes no room. */
final class SessionDetails extends Composite {
    private static final int FUNCTIONS_AT_MOST = 12;
    private static final int LONGEST = 600;

    private final Link text;

    /** @param salvage what its link does */
    SessionDetails(Composite parent, Runnable salvage) {
        super(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().margins(8, 6).spacing(0, 6).applyTo(this);
        GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
        setVisible(false);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(new Label(this, SWT.SEPARATOR | SWT.HORIZONTAL));
        text = new Link(this, SWT.WRAP);
        text.addListener(SWT.Selection, event -> salvage.run());
        GridDataFactory.fillDefaults().grab(true, false).hint(120, SWT.DEFAULT).applyTo(text);
    }

    void show(List<SessionSummary> selected) {
        boolean one = selected.size() == 1;
        String next = one ? text(selected.getFirst()) : "";
        if (next.equals(text.getText())) {
            return;
        }
        text.setText(SafeText.lines(next));
        ((GridData) getLayoutData()).exclude = !one;
        setVisible(one);
        getParent().layout(true, true);
    }

    private static String text(SessionSummary session) {
        List<String> lines = new ArrayList<>();
        String problem = SessionTexts.problem(session);
        if (!problem.isEmpty()) {
            lines.add(escape(problem) + (session.salvageable() ? "  <a>Salvage</a>" : ""));
        }
        session.info().ifPresent(info -> {
            lines.add(escape(SessionTexts.target(info) + " · Linux " + info.kernel() + (session.events()
                    ? " · with events" : " · without events")));
            lines.add(escape(info.command()));
            lines.add(escape(functions(session.functions())));
        });
        if (!session.notes().text().isBlank()) {
            lines.add(escape("“" + session.notes().text().strip() + "”"));
        }
        if (lines.isEmpty()) {
            lines.add(escape(session.path().toString()));
        }
        return String.join("\n", lines);
    }

    private static String functions(List<String> names) {
        String some = String.join(", ", names.subList(0, Math.min(FUNCTIONS_AT_MOST, names.size())));
        return names.size() <= FUNCTIONS_AT_MOST ? some : some + " and " + (names.size() - FUNCTIONS_AT_MOST) + " more";
    }

    /** A link's text is markup; a session may hold anything. */
    private static String escape(String plain) {
        String shorter = plain.length() > LONGEST ? plain.substring(0, LONGEST) + "…" : plain;
        return shorter.replace("&", "&&").replace("<", "\u2039").replace(">", "\u203a");
    }

    String shownText() {
        return text.getText();
    }
}
