// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.ActionContributionItem;
import org.eclipse.jface.action.IContributionItem;
import org.eclipse.ui.actions.CompoundContributionItem;
import org.kview.ui.session.RecentSessions;
import org.kview.ui.session.SessionController;

/** The sessions that were opened last, as menu items. */
public final class RecentMenu extends CompoundContributionItem {
    @Override
    protected IContributionItem[] getContributionItems() {
        List<Path> sessions = RecentSessions.ofWorkspace().paths();
        if (sessions.isEmpty()) {
            Action none = new Action("No sessions yet") {
            };
            none.setEnabled(false);
            return new IContributionItem[] {new ActionContributionItem(none)};
        }
        return sessions.stream().map(RecentMenu::item).toArray(IContributionItem[]::new);
    }

    private static IContributionItem item(Path session) {
        // A single & would make the next letter a mnemonic.
        String label = session.getFileName() + "  (" + session.getParent() + ")";
        Action action = new Action(label.replace("&", "&&").replace('@', '\uff20')) {
            @Override
            public void run() {
                SessionController.get().open(session);
            }
        };
        return new ActionContributionItem(action);
    }
}
