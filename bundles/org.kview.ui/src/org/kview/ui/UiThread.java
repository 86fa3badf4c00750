// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.util.function.Consumer;

import org.eclipse.swt.SWT;
import org.eclipse.swt.SWTException;
import org.eclipse.swt.widgets.Display;

/** What other threads leave to the one that all widgets belong to. */
public final class UiThread {
    private UiThread() {
    }

    /** Does something there, later; drops it if the workbench has been closed meanwhile. */
    public static void later(Display display, Runnable work) {
        later(display::asyncExec, work);
    }

    /** Does something there, and waits until it is done; drops it if the workbench has been closed meanwhile. */
    public static void wait(Display display, Runnable work) {
        later(display::syncExec, work);
    }

    /** To ask first whether it is closed would not help: it may be closed just then. */
    static void later(Consumer<Runnable> queue, Runnable work) {
        try {
            queue.accept(work);
        } catch (SWTException e) {
            if (e.code != SWT.ERROR_DEVICE_DISPOSED) {
                throw e;
            }
        }
    }
}
