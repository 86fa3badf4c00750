// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.kview.model.LatencySnapshot;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Acts on the workbench from a test's thread. */
public final class Ui {
    private static final long POLL_MILLIS = 20;

    private Ui() {
    }

    /** Does something on the UI thread and waits for it; what it throws fails the test. */
    public static <T> T get(Callable<T> work) {
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Display.getDefault().syncExec(() -> {
            try {
                result.set(work.call());
            } catch (Exception | AssertionError e) {
                failure.set(e);
            }
        });
        if (failure.get() != null) {
            throw new AssertionError(failure.get().getMessage(), failure.get());
        }
        return result.get();
    }

    public static void run(Runnable work) {
        get(() -> {
            work.run();
            return null;
        });
    }

    /** Waits until something holds on the UI thread. */
    public static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        await(what, Duration.ofMinutes(2), condition);
    }

    public static void await(String what, Duration atMost, Callable<Boolean> condition) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!get(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited " + atMost.toSeconds() + " s in vain: " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    public static IWorkbenchPage page() {
        return PlatformUI.getWorkbench().getWorkbenchWindows()[0].getActivePage();
    }

    public static <V extends IViewPart> V view(String id, Class<V> type) {
        return get(() -> type.cast(page().showView(id)));
    }

    /** Shows figures as an opened session's and waits until the views have them. */
    public static void show(LatencySnapshot figures) {
        set(new SessionState.Opened(java.nio.file.Path.of("/tmp/shop.kview"), figures));
    }

    public static void set(SessionState state) {
        get(SessionService::get).set(state);
        // Whoever is told is told by work that was queued before this.
        settle();
    }

    /** Gives a control of the window the focus, as a click does. */
    public static void focus(Control control) throws InterruptedException {
        run(() -> {
            control.getShell().forceActive();
            control.setFocus();
        });
        await("it has the focus", () -> Display.getCurrent().getFocusControl() == control);
    }

    /**
     * Presses a key in a control.
     *
     * @param modifiers {@link SWT#CTRL} or none
     * @return whether it was left to the control
     */
    public static boolean press(Control control, int modifiers, int key) {
        return get(() -> {
            Event event = new Event();
            event.stateMask = modifiers;
            event.keyCode = key;
            event.character = (char) (modifiers == SWT.CTRL ? key & 0x1f : key);
            control.notifyListeners(SWT.KeyDown, event);
            return event.doit;
        });
    }

    /** Lets what is queued for the UI thread happen. */
    public static void settle() {
        for (int i = 0; i < 3; i++) {
            Ui.run(() -> {
                while (Display.getCurrent().readAndDispatch()) {
                    // Until there is nothing left.
                }
            });
        }
    }

    /** Those of a picture, as 0xRRGGBB. */
    public static Set<Integer> colours(ImageData image) {
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.height; y++) {
            for (int x = 0; x < image.width; x++) {
                var rgb = image.palette.getRGB(image.getPixel(x, y));
                colours.add(rgb.red << 16 | rgb.green << 8 | rgb.blue);
            }
        }
        return colours;
    }
}
