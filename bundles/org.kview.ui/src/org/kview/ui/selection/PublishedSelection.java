// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.ISelectionChangedListener;
import org.eclipse.jface.viewers.ISelectionProvider;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.viewers.SelectionChangedEvent;
import org.eclipse.jface.viewers.StructuredSelection;

/**
 * What is selected in a view, for views and commands that follow it: the values that its lines stand
 * for, not the lines.
 */
public final class PublishedSelection<T> implements ISelectionProvider {
    private final List<ISelectionChangedListener> listeners = new CopyOnWriteArrayList<>();
    private IStructuredSelection selection = StructuredSelection.EMPTY;

    /** Tells the listeners, unless these are selected already. */
    public void set(List<T> values) {
        if (!values.equals(selection.toList())) {
            setSelection(new StructuredSelection(new ArrayList<>(values)));
        }
    }

    /** The values that are selected. */
    public List<?> values() {
        return selection.toList();
    }

    @Override
    public void setSelection(ISelection next) {
        selection = next instanceof IStructuredSelection structured ? structured : StructuredSelection.EMPTY;
        SelectionChangedEvent event = new SelectionChangedEvent(this, selection);
        listeners.forEach(listener -> listener.selectionChanged(event));
    }

    @Override
    public ISelection getSelection() {
        return selection;
    }

    @Override
    public void addSelectionChangedListener(ISelectionChangedListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeSelectionChangedListener(ISelectionChangedListener listener) {
        listeners.remove(listener);
    }
}
