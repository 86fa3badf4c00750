// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.kview.model.Filter;

/** How other processes are told apart; two columns of the group. */
final class FilterField {
    /** Other processes pay for a filter, so the text says its price. */
    private record Choice(Filter filter, String text) {
    }

    private static final List<Choice> CHOICES = List.of(
            new Choice(Filter.AUTO, "Automatic: the one that costs other processes the least here"),
            new Choice(Filter.VIEW, "Kernel view: others' context switches and calls cost nothing more; needs the kview module"),
            new Choice(Filter.IN, "In eBPF: each context switch of the host takes about 0.2 µs longer"),
            new Choice(Filter.POST, "Afterwards: everything is collected, then sorted out; for comparison"));

    private final Combo choice;

    FilterField(Composite group, Runnable changed) {
        new Label(group, SWT.NONE).setText("F&ilter:");
        choice = new Combo(group, SWT.DROP_DOWN | SWT.READ_ONLY);
        CHOICES.forEach(one -> choice.add(one.text()));
        choice.select(0);
        choice.addListener(SWT.Selection, _ -> changed.run());
        GridDataFactory.fillDefaults().grab(true, false).applyTo(choice);
    }

    Filter filter() {
        return CHOICES.get(choice.getSelectionIndex()).filter();
    }

    void set(Filter filter) {
        CHOICES.stream().filter(one -> one.filter() == filter).findFirst().ifPresent(one -> choice.select(CHOICES.indexOf(one)));
    }
}
