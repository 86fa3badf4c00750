// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IWorkbenchPartSite;
import org.kview.model.LatencyFormat;
import org.kview.ui.KviewUi;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.commands.Commands;
import org.kview.ui.widgets.MessagePage;

/** What a view of calls shows while there are none at hand: why, and what can be done. */
final class CallsPage extends Composite {
    private static final String AGAIN = "again";
    private static final String ASK = "ask";

    private final MessagePage page;
    private final String what;

    /**
     * @param what the view tells of calls, for the middle of a sentence
     * @param ask  asks once more for what got no answer
     */
    CallsPage(Composite parent, IWorkbenchPartSite site, String what, Runnable ask) {
        super(parent, SWT.NONE);
        setLayout(new FillLayout());
        this.what = what;
        page = new MessagePage(this, link -> {
            if (link.equals(AGAIN)) {
                CallsService.get().again();
            } else if (link.equals(ASK)) {
                ask.run();
            } else {
                Commands.run(site, link);
            }
        });
    }

    /** @param state one without calls */
    void show(CallsState state) {
        switch (state) {
            case CallsState.None() -> page.show("No calls yet", "Once a session that was recorded with events is open: " + what + ".",
                    link(KviewUi.COMMAND_RECORD, "Record…") + "      " + link(KviewUi.COMMAND_OPEN, "Open a session…"));
            case CallsState.WithoutEvents() -> page.show("No single calls", "This session was recorded without events. Record again"
                    + " with \"events\" ticked to see its calls one by one.", link(KviewUi.COMMAND_RECORD, "Record…"));
            case CallsState.Storing(long stored, long expected) -> page.show("The calls are being stored", stored == 0
                    ? "This is done once; from then on they are there when the session opens."
                    : LatencyFormat.count(stored) + (expected > 0 ? " of about " + LatencyFormat.count(expected) : "")
                            + " so far. This is done once; from then on they are there when the session opens.", "");
            case CallsState.Cancelled() -> page.show("No calls", "Storing the calls was cancelled.", link(AGAIN, "Store them"));
            case CallsState.Failed(String why) -> page.show("No calls", why, link(AGAIN, "Try again"));
            case CallsState.Stored _, CallsState.Growing _, CallsState.Part _ -> throw new IllegalArgumentException("There are calls to show");
        }
    }

    /** There are calls, but what was asked of them has no answer. */
    void showUnanswered() {
        page.show("No answer", "What is shown here was cancelled, or failed.", link(ASK, "Try again"));
    }

    private static String link(String target, String text) {
        return "<a href=\"" + target + "\">" + text + "</a>";
    }

    /** Heading and sentence, as a screen reader would say them. */
    String text() {
        return page.text();
    }

    @Override
    public boolean setFocus() {
        return page.setFocus();
    }
}
