// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.help;

import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyleRange;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.List;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;

/** What each view shows and can do. It may stay open beside the workbench. */
final class HelpDialog extends Dialog {
    private static final int TITLES_WIDTH = 230;
    private static final int WIDTH = 900;
    private static final int HEIGHT = 620;
    private static final int LINE_SPACING = 4;

    private final Manual manual;
    private List titles;
    private StyledText text;

    HelpDialog(Shell parent, Manual manual) {
        super(parent);
        this.manual = manual;
        setShellStyle(SWT.CLOSE | SWT.TITLE | SWT.RESIZE | SWT.MAX | SWT.MODELESS);
        setBlockOnOpen(false);
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Kview Workbench Help");
    }

    @Override
    protected Point getInitialSize() {
        return new Point(WIDTH, HEIGHT);
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = (Composite) super.createDialogArea(parent);
        GridLayoutFactory.swtDefaults().numColumns(2).applyTo(area);
        titles = new List(area, SWT.BORDER | SWT.SINGLE | SWT.V_SCROLL);
        manual.sections().forEach(section -> titles.add(SafeText.line(section.title())));
        titles.addListener(SWT.Selection, _ -> show());
        GridDataFactory.fillDefaults().grab(false, true).hint(TITLES_WIDTH, SWT.DEFAULT).applyTo(titles);
        text = new StyledText(area, SWT.BORDER | SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        text.setMargins(12, 10, 12, 10);
        text.setLineSpacing(LINE_SPACING);
        GridDataFactory.fillDefaults().grab(true, true).hint(WIDTH - TITLES_WIDTH, 400).applyTo(text);
        return area;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.CANCEL_ID, "&Close", true);
    }

    /** Shows the section about a view, or the first one. */
    void show(String title) {
        titles.setSelection(manual.indexOf(title));
        titles.showSelection();
        show();
    }

    private void show() {
        Manual.Section section = manual.sections().get(Math.max(0, titles.getSelectionIndex()));
        PlainMarkdown plain = PlainMarkdown.of(section.title(), section.lines());
        text.setText(SafeText.lines(plain.text()));
        for (PlainMarkdown.Stretch stretch : plain.bold()) {
            StyleRange style = new StyleRange();
            style.start = stretch.start();
            style.length = stretch.length();
            style.fontStyle = SWT.BOLD;
            text.setStyleRange(style);
        }
        text.setTopPixel(0);
    }

    List titles() {
        return titles;
    }

    StyledText text() {
        return text;
    }
}
