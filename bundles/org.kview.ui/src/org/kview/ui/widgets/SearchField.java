// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Text;

/** A field whose text narrows the lines of what stands below it. */
public final class SearchField {
    private SearchField() {
    }

    /**
     * @param message what stands in the empty field
     * @param changed runs after each change of its text; Escape empties it
     * @param leave   runs when the arrow down is pressed in it
     */
    public static Text create(Composite parent, String message, Runnable changed, Runnable leave) {
        Text field = new Text(parent, SWT.SEARCH | SWT.ICON_SEARCH | SWT.ICON_CANCEL);
        field.setMessage(message);
        field.addListener(SWT.Modify, _ -> changed.run());
        field.addListener(SWT.KeyDown, event -> {
            if (event.keyCode == SWT.ESC) {
                field.setText("");
            } else if (event.keyCode == SWT.ARROW_DOWN) {
                leave.run();
            }
        });
        field.addListener(SWT.Traverse, event -> {
            if (event.detail == SWT.TRAVERSE_ESCAPE && !field.getText().isEmpty()) {
                // In a wizard the same key would close it.
                event.doit = false;
            }
        });
        return field;
    }
}
