// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

/** Told what is selected, on the UI thread. */
@FunctionalInterface
public interface SelectionListener {
    /** Something of what {@link SelectionService} tells is different. */
    void selectionChanged(SelectionService selection);
}
