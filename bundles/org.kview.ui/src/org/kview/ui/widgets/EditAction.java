// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.List;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.actions.ActionFactory;

/**
 * A view's action for a key that also edits text. While a text field has the focus, the key belongs to that field: Ctrl+A
 * there must not select all sessions for the Delete that follows.
 */
final class EditAction extends Action {
    private static final List<ActionFactory> EDITING = List.of(ActionFactory.CUT, ActionFactory.COPY, ActionFactory.PASTE,
            ActionFactory.DELETE, ActionFactory.SELECT_ALL, ActionFactory.UNDO, ActionFactory.REDO);

    private final IAction action;
    private final boolean copies;

    private EditAction(IAction action, boolean copies) {
        super(action.getText());
        this.action = action;
        this.copies = copies;
        action.addPropertyChangeListener(event -> firePropertyChange(event.getProperty(), event.getOldValue(),
                event.getNewValue()));
    }

    /** @return the action itself where the command edits nothing */
    static IAction of(ActionFactory factory, IAction action) {
        return EDITING.contains(factory) ? new EditAction(action, factory == ActionFactory.COPY) : action;
    }

    /** Asked at each key: what is not handled goes on to the widget. */
    @Override
    public boolean isHandled() {
        return !isTexts();
    }

    @Override
    public boolean isEnabled() {
        return action.isEnabled();
    }

    /** Also from the menu bar, which takes the focus from no field. */
    @Override
    public void run() {
        if (!isTexts()) {
            action.run();
        }
    }

    private boolean isTexts() {
        Control focused = Display.getCurrent().getFocusControl();
        return switch (focused) {
            case Text text -> text.getEditable() || !copies || text.getSelectionCount() > 0;
            case StyledText text -> text.getEditable() || !copies || text.getSelectionCount() > 0;
            case Combo combo -> (combo.getStyle() & SWT.READ_ONLY) == 0;
            case null, default -> false;
        };
    }
}
