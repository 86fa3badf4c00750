// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.function.Consumer;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.kview.targets.registry.TargetConnection;

/** The target of a recording, chosen from a list. */
final class TargetChoice {
    private final List<TargetConnection> targets;
    private final Combo combo;

    /** @param chosen hears of another choice */
    TargetChoice(Composite parent, List<TargetConnection> targets, TargetConnection first,
            Consumer<TargetConnection> chosen) {
        this.targets = List.copyOf(targets);
        Composite row = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).applyTo(row);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).applyTo(row);
        new Label(row, SWT.NONE).setText("&Target:");
        combo = new Combo(row, SWT.DROP_DOWN | SWT.READ_ONLY);
        combo.setVisibleItemCount(20);
        targets.forEach(target -> combo.add(text(target)));
        combo.select(targets.indexOf(first));
        GridDataFactory.fillDefaults().grab(true, false).applyTo(combo);
        combo.addListener(SWT.Selection, event -> chosen.accept(this.targets.get(combo.getSelectionIndex())));
    }

    private static String text(TargetConnection target) {
        return target.origin() == TargetConnection.Origin.LOCAL ? "This machine" : target.name();
    }

    Combo control() {
        return combo;
    }

    /** As a user's choice does. */
    void choose(TargetConnection target) {
        combo.select(targets.indexOf(target));
        combo.notifyListeners(SWT.Selection, new org.eclipse.swt.widgets.Event());
    }
}
