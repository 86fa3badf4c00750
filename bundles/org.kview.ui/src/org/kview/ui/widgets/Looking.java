// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.function.Consumer;

import org.eclipse.ui.IPartListener2;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.IWorkbenchPartReference;

/**
 * Tells whether a view can be seen, for work that nobody needs while it can't.
 *
 * @param part whose
 * @param told hears true when it comes into sight, false when it goes out of it
 */
public record Looking(IWorkbenchPart part, Consumer<Boolean> told) implements IPartListener2 {
    @Override
    public void partVisible(IWorkbenchPartReference reference) {
        tell(reference, true);
    }

    @Override
    public void partHidden(IWorkbenchPartReference reference) {
        tell(reference, false);
    }

    private void tell(IWorkbenchPartReference reference, boolean visible) {
        if (reference.getPart(false) == part) {
            told.accept(visible);
        }
    }

    @Override
    public void partClosed(IWorkbenchPartReference reference) {
        if (reference.getPart(false) == part) {
            reference.getPage().removePartListener(this);
        }
    }
}
