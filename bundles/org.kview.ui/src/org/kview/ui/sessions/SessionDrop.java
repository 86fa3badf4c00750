// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

import org.eclipse.swt.dnd.DND;
import org.eclipse.swt.dnd.DropTarget;
import org.eclipse.swt.dnd.DropTargetAdapter;
import org.eclipse.swt.dnd.DropTargetEvent;
import org.eclipse.swt.dnd.FileTransfer;
import org.eclipse.swt.widgets.Control;
import org.kview.ui.session.SessionController;

/** Opens a session that is dropped, for example from a file manager. */
public final class SessionDrop extends DropTargetAdapter {
    private SessionDrop() {
    }

    /** Lets sessions be dropped on a control and all within it that takes no files of its own. */
    public static void install(Control control) {
        DropTarget target = new DropTarget(control, DND.DROP_COPY | DND.DROP_DEFAULT | DND.DROP_LINK | DND.DROP_MOVE);
        target.setTransfer(FileTransfer.getInstance());
        target.addDropListener(new SessionDrop());
    }

    @Override
    public void dragEnter(DropTargetEvent event) {
        // The session stays where it is, whatever the file manager proposes.
        event.detail = Arrays.stream(event.dataTypes).anyMatch(FileTransfer.getInstance()::isSupportedType) ? DND.DROP_COPY : DND.DROP_NONE;
    }

    @Override
    public void dragOperationChanged(DropTargetEvent event) {
        dragEnter(event);
    }

    @Override
    public void drop(DropTargetEvent event) {
        if (event.data instanceof String[] files) {
            session(files).ifPresent(SessionController.get()::open);
        }
    }

    /**
     * The first of the dropped files that looks like a session; for a file within a session, that session. If no file does,
     * the first one, so that the user is told what is wrong with it.
     */
    static Optional<Path> session(String[] files) {
        Optional<Path> first = Optional.empty();
        for (String file : files) {
            try {
                Path path = Path.of(file).toAbsolutePath().normalize();
                for (Path candidate = path; candidate != null; candidate = candidate.getParent()) {
                    if (looksLikeSession(candidate)) {
                        return Optional.of(candidate);
                    }
                }
                first = first.or(() -> Optional.of(path));
            } catch (InvalidPathException e) {
                // No file has such a name.
            }
        }
        return first;
    }

    private static boolean looksLikeSession(Path path) {
        return Files.isRegularFile(path.resolve("session.json")) || path.toString().endsWith(".kview.zip")
                || path.toString().endsWith(".kview");
    }
}
