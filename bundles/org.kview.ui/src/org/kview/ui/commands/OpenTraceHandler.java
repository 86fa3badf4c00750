// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;
import org.kview.ui.KviewUi;
import org.kview.ui.session.OpenTraceJob;

/** Asks for the folder of another tool's trace, unless its parameter names it, and opens it. */
public final class OpenTraceHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        Shell shell = PlatformUI.getWorkbench().getActiveWorkbenchWindow().getShell();
        Optional.ofNullable(event.getParameter(KviewUi.PARAMETER_FOLDER)).or(() -> ask(shell))
                .ifPresent(folder -> new OpenTraceJob(shell, Path.of(folder)).schedule());
        return null;
    }

    private static Optional<String> ask(Shell shell) {
        DirectoryDialog dialog = new DirectoryDialog(shell, SWT.OPEN);
        dialog.setText("Open Trace");
        dialog.setMessage("Choose the folder of a trace, or of several, as LTTng writes them.");
        return Optional.ofNullable(dialog.open());
    }
}
