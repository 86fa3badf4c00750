// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.List;

import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.kview.ui.UiThread;
import org.kview.ui.theme.OwnColours;
import org.kview.ui.theme.Palette;

/**
 * A strip at the top of a view that says what is missing in its figures. Takes no room while there is nothing to say. Its
 * parent must have a grid layout.
 */
public final class Banner extends Composite {
    private static final int SHOWN_AT_MOST = 3;

    private final Label icon;
    private final Link text;
    private List<String> sentences = List.of();
    /** As it is coloured. */
    private boolean dark;

    public Banner(Composite parent) {
        super(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(8, 5).spacing(8, 0).applyTo(this);
        GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
        setVisible(false);
        icon = new Label(this, SWT.NONE);
        icon.setImage(PlatformUI.getWorkbench().getSharedImages().getImage(ISharedImages.IMG_OBJS_WARN_TSK));
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.BEGINNING).applyTo(icon);
        text = new Link(this, SWT.WRAP);
        text.addListener(SWT.Selection, event -> MessageDialog.openWarning(getShell(), "What is missing",
                SafeText.lines(String.join("\n\n", sentences))));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(text);
        for (var control : List.of(this, icon, text)) {
            OwnColours.keep(control);
        }
        // The theme was changed: the parent has other colours by now.
        addListener(SWT.Paint, _ -> {
            if (dark != isDark()) {
                UiThread.later(getDisplay(), () -> {
                    if (!isDisposed()) {
                        colour();
                    }
                });
            }
        });
    }

    private boolean isDark() {
        return Palette.of(getParent()).dark();
    }

    /** Shows these sentences, or goes away if there are none. */
    public void show(List<String> problems) {
        if (problems.equals(sentences)) {
            return;
        }
        sentences = List.copyOf(problems);
        boolean wanted = !sentences.isEmpty();
        int hidden = Math.max(0, sentences.size() - SHOWN_AT_MOST);
        String shown = escape(String.join("\n", sentences.subList(0, sentences.size() - hidden)));
        text.setText(SafeText.lines(hidden == 0 ? shown : shown + "\n<a>and " + hidden + " more</a>"));
        colour();
        ((GridData) getLayoutData()).exclude = !wanted;
        setVisible(wanted);
        getParent().layout(true, true);
    }

    /** What it says, one sentence each. */
    public List<String> sentences() {
        return sentences;
    }

    private void colour() {
        dark = isDark();
        Color ground = dark ? new Color(0x4a, 0x3a, 0x12) : new Color(0xff, 0xf3, 0xc4);
        Color ink = dark ? new Color(0xff, 0xe8, 0xa3) : new Color(0x3d, 0x2f, 0x00);
        for (var control : List.of(this, icon, text)) {
            control.setBackground(ground);
            control.setForeground(ink);
        }
    }

    /** A link's text is markup; the name of a file may hold anything. */
    private static String escape(String plain) {
        return plain.replace("&", "&&").replace("<", "\u2039").replace(">", "\u203a");
    }
}
