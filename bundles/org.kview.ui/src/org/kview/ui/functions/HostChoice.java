// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.kview.ui.session.SessionService;

/** Which of a session's hosts the views show. Hidden if the session has one host. */
final class HostChoice {
    private final Combo combo;
    private final SessionService service;
    private List<String> hosts = List.of();

    HostChoice(Composite parent, SessionService service) {
        this.service = service;
        combo = new Combo(parent, SWT.READ_ONLY | SWT.DROP_DOWN);
        combo.setToolTipText("Shows the figures of all hosts together, or of one of them");
        combo.setVisible(false);
        GridDataFactory.swtDefaults().exclude(true).applyTo(combo);
        combo.addListener(SWT.Selection, event -> service.showHost(combo.getSelectionIndex() <= 0 ? Optional.empty()
                : Optional.of(hosts.get(combo.getSelectionIndex() - 1))));
    }

    /** Follows the service: another session may have been opened, or the host may have been chosen elsewhere. */
    void update() {
        List<String> now = service.hosts();
        if (!now.equals(hosts)) {
            hosts = now;
            List<String> items = new ArrayList<>(List.of("All " + hosts.size() + " hosts"));
            items.addAll(hosts);
            combo.setItems(items.toArray(String[]::new));
            ((GridData) combo.getLayoutData()).exclude = hosts.isEmpty();
            combo.setVisible(!hosts.isEmpty());
            combo.getParent().layout(true, true);
        }
        int chosen = service.host().map(hosts::indexOf).orElse(-1) + 1;
        if (combo.getSelectionIndex() != chosen && !hosts.isEmpty()) {
            combo.select(chosen);
        }
    }

    Combo combo() {
        return combo;
    }
}
