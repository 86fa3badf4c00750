// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.List;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.LabelProvider;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.dialogs.ListSelectionDialog;
import org.kview.ui.ssh.SecretStore;

/** Which remembered secrets are to be forgotten. */
final class ForgetDialog {
    private ForgetDialog() {
    }

    static void open(Shell shell, List<String> names, SecretStore secrets) {
        if (names.isEmpty()) {
            MessageDialog.openInformation(shell, "Remembered Secrets", "No password or passphrase is remembered.");
            return;
        }
        ListSelectionDialog dialog = ListSelectionDialog.of(names).contentProvider(ArrayContentProvider.getInstance())
                .labelProvider(new LabelProvider()).title("Remembered Secrets")
                .message("Tick what is to be forgotten:").create(shell);
        if (dialog.open() == Window.OK) {
            Job job = Job.create("Forget secrets", _ -> {
                for (Object name : dialog.getResult()) {
                    secrets.remove((String) name);
                }
            });
            job.schedule();
        }
    }
}
