// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.Test;
import org.kview.ui.Dialogs;
import org.kview.ui.Ui;

class ViewDialogTest {
    /** A tab in a site's name would be read as part of it, and what was typed next as another site. */
    @Test
    void tabGoesOnFromTheSitesToTheNextField() {
        Ui.run(() -> {
            ViewDialog dialog = new ViewDialog(Ui.page().getWorkbenchWindow().getShell(), "Add Sites", Set.of(ViewDialog.Part.SITES),
                    Optional.empty());
            dialog.setBlockOnOpen(false);
            dialog.open();
            Event tab = new Event();
            tab.detail = SWT.TRAVERSE_TAB_NEXT;
            tab.doit = false;
            Dialogs.all(dialog.getShell(), Text.class).getFirst().notifyListeners(SWT.Traverse, tab);
            dialog.close();
            assertThat(tab.doit).isTrue();
        });
    }
}
