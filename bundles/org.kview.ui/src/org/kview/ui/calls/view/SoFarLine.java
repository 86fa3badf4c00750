// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;

/**
 * One line above single calls: until when they are there, while the others are being stored. Takes no room otherwise. Its parent must
 * have a grid layout.
 */
final class SoFarLine {
    private final CLabel label;

    SoFarLine(Composite parent) {
        label = new CLabel(parent, SWT.NONE);
        label.setText("");
        label.setImage(PlatformUI.getWorkbench().getSharedImages().getImage(ISharedImages.IMG_OBJS_INFO_TSK));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).exclude(true).applyTo(label);
        label.setVisible(false);
    }

    /** @param sentence empty if all calls are there */
    void show(Optional<String> sentence) {
        label.setText(SafeText.line(sentence.orElse("")).replace("&", "&&"));
        label.setToolTipText(SafeText.line(sentence.orElse("")));
        if (label.getVisible() != sentence.isPresent()) {
            ((GridData) label.getLayoutData()).exclude = sentence.isEmpty();
            label.setVisible(sentence.isPresent());
            label.getParent().layout(true, true);
        }
    }

    /** What can be read there. */
    String text() {
        return label.getText();
    }
}
