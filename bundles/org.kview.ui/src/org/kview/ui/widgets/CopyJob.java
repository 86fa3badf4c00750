// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.Optional;
import java.util.function.Supplier;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.kview.model.SafeText;
import org.kview.ui.UiThread;

/** Makes a text that may be long, and puts it on the clipboard. */
public final class CopyJob {
    private CopyJob() {
    }

    /**
     * @param what is copied, such as "3 calls"
     * @param text asked off the UI thread; where it is empty the clipboard stays as it is
     */
    public static void start(Display display, String what, Supplier<Optional<String>> text) {
        Job.create(SafeText.line("Copy " + what), _ -> {
            text.get().ifPresent(made -> UiThread.later(display, () -> Actions.copy(display, made)));
        }).schedule();
    }
}
