// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.util.List;

import org.eclipse.e4.ui.model.application.ui.MElementContainer;
import org.eclipse.e4.ui.model.application.ui.MUIElement;
import org.eclipse.e4.ui.model.application.ui.basic.MPart;
import org.eclipse.e4.ui.model.application.ui.basic.MWindow;
import org.eclipse.e4.ui.workbench.modeling.EModelService;
import org.eclipse.ui.IWorkbenchWindow;

/**
 * Editors that the platform kept of a workbench that was killed. They show the events of a session that is not open
 * now: they would read those events again, or find that they are gone.
 */
final class RestoredEditors {
    /** What the platform calls each editor. */
    private static final String EDITOR = "org.eclipse.e4.ui.compatibility.editor";

    private RestoredEditors() {
    }

    /** Takes them away before the window opens them. */
    static void forget(IWorkbenchWindow window) {
        MWindow model = window.getService(MWindow.class);
        List<MPart> editors = window.getService(EModelService.class).findElements(model, EDITOR, MPart.class);
        for (MPart editor : editors) {
            editor.setToBeRendered(false);
            MElementContainer<MUIElement> parent = editor.getParent();
            if (parent != null) {
                if (parent.getSelectedElement() == editor) {
                    parent.setSelectedElement(null);
                }
                parent.getChildren().remove(editor);
            }
        }
    }
}
