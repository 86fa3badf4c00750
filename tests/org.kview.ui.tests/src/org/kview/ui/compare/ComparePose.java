// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.ui.IWorkbenchPage;
import org.kview.ui.Ui;

/** The Compare view as a picture wants it. */
public final class ComparePose {
    private final CompareView view;

    private ComparePose(CompareView view) {
        this.view = view;
    }

    /** Opens the view and waits for what it says. */
    public static ComparePose open(Path a, Path b) throws InterruptedException {
        return open(List.of(a), List.of(b));
    }

    /** Likewise of groups. */
    public static ComparePose open(List<Path> a, List<Path> b) throws InterruptedException {
        CompareView view = Ui.get(() -> CompareView.open(Ui.page(), new ComparedPaths(a, b)));
        Ui.await("it is compared", () -> !view.messageText().startsWith("Comparing"));
        return new ComparePose(view);
    }

    public void maximize() {
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED));
    }

    public void close() {
        Ui.run(() -> {
            // What is maximized and closed leaves the other views as icons.
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
            Ui.page().hideView(view);
        });
    }
}
