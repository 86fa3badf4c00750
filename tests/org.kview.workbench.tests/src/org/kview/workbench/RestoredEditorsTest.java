// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.e4.ui.model.application.ui.basic.MPart;
import org.eclipse.e4.ui.model.application.ui.basic.MWindow;
import org.eclipse.e4.ui.workbench.modeling.EModelService;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IWorkbenchPreferenceConstants;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;

class RestoredEditorsTest {
    private static final String EDITOR = "org.eclipse.e4.ui.compatibility.editor";
    private static final String EDITORS = "org.eclipse.e4.primaryDataStack";

    @Test
    void editorsEndWithTheWorkbench() {
        assertThat(PlatformUI.getPreferenceStore().getBoolean(IWorkbenchPreferenceConstants.CLOSE_EDITORS_ON_EXIT)).isTrue();
    }

    /** As the platform keeps one of a workbench that was killed. */
    @Test
    void thoseOfAWorkbenchThatWasKilledAreForgotten() {
        AtomicInteger before = new AtomicInteger();
        AtomicInteger after = new AtomicInteger();
        Display.getDefault().syncExec(() -> {
            IWorkbenchWindow window = PlatformUI.getWorkbench().getWorkbenchWindows()[0];
            MWindow model = window.getService(MWindow.class);
            EModelService models = window.getService(EModelService.class);
            MPart editor = models.createModelElement(MPart.class);
            editor.setElementId(EDITOR);
            editor.setToBeRendered(false);
            models.findElements(model, EDITORS, org.eclipse.e4.ui.model.application.ui.basic.MPartStack.class).getFirst()
                    .getChildren().add(editor);
            before.set(models.findElements(model, EDITOR, MPart.class).size());
            RestoredEditors.forget(window);
            after.set(models.findElements(model, EDITOR, MPart.class).size());
        });
        assertThat(before).hasValue(1);
        assertThat(after).hasValue(0);
    }
}
