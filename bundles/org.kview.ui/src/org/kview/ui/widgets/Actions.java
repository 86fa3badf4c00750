// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.function.Consumer;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.ImageTransfer;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.dnd.Transfer;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;

/** Entries of views' menus and toolbars, and what many of them do. */
public final class Actions {
    private Actions() {
    }

    /** @param text with its mnemonic; without it, also the tool tip */
    public static Action of(String text, Runnable work) {
        Action action = new Action(SafeText.line(text)) {
            @Override
            public void run() {
                work.run();
            }
        };
        action.setToolTipText(SafeText.line(text.replace("&", "")));
        return action;
    }

    /** @param icon the name of a file in the bundle's icons, without its ending */
    public static Action of(String text, String icon, Runnable work) {
        return withIcon(of(text, work), icon);
    }

    /**
     * One that is on or off.
     *
     * @param style   {@link IAction#AS_CHECK_BOX} or {@link IAction#AS_RADIO_BUTTON}
     * @param changed hears whether it is on
     */
    public static Action choice(String text, int style, Consumer<Boolean> changed) {
        Action action = new Action(SafeText.line(text), style) {
            @Override
            public void run() {
                changed.accept(isChecked());
            }
        };
        action.setToolTipText(SafeText.line(text.replace("&", "")));
        return action;
    }

    public static <A extends IAction> A withIcon(A action, String icon) {
        ResourceLocator.imageDescriptorFromBundle(KviewUi.BUNDLE_ID, "icons/" + icon + ".svg")
                .ifPresent(action::setImageDescriptor);
        return action;
    }

    /** Shows a global command's key beside the action. */
    public static <A extends IAction> A keyed(A action, ActionFactory factory) {
        action.setActionDefinitionId(factory.getCommandId());
        return action;
    }

    /**
     * Makes a view's action the handler of a global command, except while the command belongs to a text field that has the
     * focus.
     */
    public static void global(IActionBars bars, ActionFactory factory, IAction action) {
        bars.setGlobalActionHandler(factory.getId(), keyed(EditAction.of(factory, keyed(action, factory)), factory));
    }

    /** Puts a text on the clipboard. */
    public static void copy(Display display, String text) {
        copy(display, text, TextTransfer.getInstance());
    }

    /** Puts a picture of a control on the clipboard. */
    public static void copyPicture(Control control) {
        copy(control.getDisplay(), picture(control), ImageTransfer.getInstance());
    }

    /** A control as it stands, with all that is in it. */
    public static ImageData picture(Control control) {
        Point size = control.getSize();
        Image image = new Image(control.getDisplay(), Math.max(1, size.x), Math.max(1, size.y));
        GC gc = new GC(image);
        control.print(gc);
        gc.dispose();
        ImageData data = image.getImageData();
        image.dispose();
        return data;
    }

    /** Puts something on the clipboard. */
    public static void copy(Display display, Object what, Transfer form) {
        Clipboard clipboard = new Clipboard(display);
        try {
            clipboard.setContents(new Object[] {what}, new Transfer[] {form});
        } finally {
            clipboard.dispose();
        }
    }
}
