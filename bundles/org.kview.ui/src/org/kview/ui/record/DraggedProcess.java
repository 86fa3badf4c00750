// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;

import org.eclipse.jface.util.LocalSelectionTransfer;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.dnd.DND;
import org.eclipse.swt.dnd.DropTarget;
import org.eclipse.swt.dnd.DropTargetAdapter;
import org.eclipse.swt.dnd.DropTargetEvent;
import org.eclipse.swt.widgets.Control;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.UiThread;

/**
 * A process on its way to where recordings are shown.
 *
 * @param target that it runs on
 */
public record DraggedProcess(TargetConnection target, ProcessInfo process) {

    /** Lets processes be dropped on a control: the record wizard then opens with the dropped one. */
    public static void acceptedBy(Control control) {
        DropTarget place = new DropTarget(control, DND.DROP_COPY | DND.DROP_DEFAULT);
        place.setTransfer(LocalSelectionTransfer.getTransfer());
        place.addDropListener(new DropTargetAdapter() {
            @Override
            public void dragEnter(DropTargetEvent event) {
                event.detail = current().isEmpty() ? DND.DROP_NONE : DND.DROP_COPY;
            }

            @Override
            public void drop(DropTargetEvent event) {
                // The drag ends first: a dialog within it would keep the pointer.
                current().ifPresent(dragged -> UiThread.later(control.getDisplay(), () -> Recordings.openWizard(control.getShell(),
                        RecordWizard.Preset.of(dragged.target(), dragged.process().pid()))));
            }
        });
    }

    /** The one that is being dragged. */
    public static Optional<DraggedProcess> current() {
        return LocalSelectionTransfer.getTransfer().getSelection() instanceof IStructuredSelection selection
                && selection.getFirstElement() instanceof DraggedProcess process ? Optional.of(process) : Optional.empty();
    }
}
