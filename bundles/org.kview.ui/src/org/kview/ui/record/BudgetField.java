// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.kview.model.Budget;

/** How much of the process's CPU time the probes may take; two columns of the group. */
final class BudgetField {
    private static final List<Budget> BUDGETS = List.of(new Budget(10_000), Budget.DEFAULT, new Budget(200_000), Budget.NONE);

    private final Combo choice;
    private Budget other = Budget.DEFAULT;

    BudgetField(Composite group) {
        new Label(group, SWT.NONE).setText("Bud&get:");
        choice = new Combo(group, SWT.DROP_DOWN | SWT.READ_ONLY);
        BUDGETS.forEach(budget -> choice.add(budget.isLimited()
                ? budget + " of the process's CPU time: beyond it the most expensive function's probes come off"
                : "None: probes stay, whatever they cost the process"));
        GridDataFactory.fillDefaults().grab(true, false).applyTo(choice);
    }

    Budget budget() {
        int index = choice.getSelectionIndex();
        return index < BUDGETS.size() ? BUDGETS.get(index) : other;
    }

    /** One that is not among the choices, as a template may contain, is added to them. */
    void set(Budget allowed) {
        if (!BUDGETS.contains(allowed)) {
            other = allowed;
            if (choice.getItemCount() > BUDGETS.size()) {
                choice.remove(BUDGETS.size());
            }
            choice.add(allowed + " of the process's CPU time, as the template has it");
            choice.select(BUDGETS.size());
            return;
        }
        choice.select(BUDGETS.indexOf(allowed));
    }
}
