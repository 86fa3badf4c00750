// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.ui.calls.CallsState;

/**
 * One line above single calls: until when they are there, while the others are being stored, or are not stored any more. Takes no room
 * otherwise. Its parent must have a grid layout.
 */
final class SoFarLine {
    private final Composite line;
    private final CLabel label;
    private final Link link;

    /** @param goOn stores the others */
    SoFarLine(Composite parent, Runnable goOn) {
        line = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).spacing(0, 0).applyTo(line);
        GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(line);
        label = new CLabel(line, SWT.NONE);
        label.setText("");
        label.setImage(PlatformUI.getWorkbench().getSharedImages().getImage(ISharedImages.IMG_OBJS_INFO_TSK));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(label);
        link = new Link(line, SWT.NONE);
        link.setText("<a>Go on</a>");
        link.setToolTipText("Store the other calls as well");
        link.addListener(SWT.Selection, _ -> goOn.run());
        GridDataFactory.swtDefaults().indent(4, 0).exclude(true).applyTo(link);
        link.setVisible(false);
        line.setVisible(false);
    }

    /**
     * Says it of the calls that are in sight.
     *
     * @param asked of which calls these are, if something is in sight
     * @param state how far all are at hand
     */
    void show(Optional<SessionCallStore> asked, CallsState state) {
        Optional<String> ended = state instanceof CallsState.Part(_, String why) ? Optional.of(why) : Optional.empty();
        show(asked.flatMap(store -> ended.isEmpty() ? store.ask(StoredSession::soFar).flatMap(sentence -> sentence)
                : Reached.of(store).map(until -> until + ". Figures are of these; " + ended.get() + ".")), ended.isPresent());
    }

    private void show(Optional<String> sentence, boolean ended) {
        label.setText(SafeText.line(sentence.orElse("")).replace("&", "&&"));
        label.setToolTipText(SafeText.line(sentence.orElse("")));
        boolean shown = sentence.isPresent();
        boolean linked = shown && ended;
        if (line.getVisible() != shown || link.getVisible() != linked) {
            ((GridData) line.getLayoutData()).exclude = !shown;
            line.setVisible(shown);
            ((GridData) link.getLayoutData()).exclude = !linked;
            link.setVisible(linked);
            line.getParent().layout(true, true);
        }
    }

    /** What can be read there. */
    String text() {
        return label.getText();
    }

    /** What stores the others; not in sight while that goes on. */
    Link goOn() {
        return link;
    }
}
