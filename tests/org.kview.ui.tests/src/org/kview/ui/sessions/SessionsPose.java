// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.library.SessionStore;
import org.kview.session.read.NotesFile;
import org.kview.ui.Ui;

/** The Sessions view as a picture wants it. */
public final class SessionsPose {
    private SessionsPose() {
    }

    /** Makes a folder of sessions of all kinds out of one. */
    public static void fill(Path folder, Path session) throws IOException {
        Files.createDirectories(folder);
        note(SessionStore.copy(session, folder.resolve("checkout-before.kview"), Progress.NONE),
                "Slow since Tuesday: the basket's lock.", "checkout", "4.1");
        note(SessionStore.copy(session, folder.resolve("checkout-after.kview"), Progress.NONE),
                "With the lock split by customer.", "checkout", "4.2");
        SessionStore.copy(session, folder.resolve("nightly.kview.zip"), Progress.NONE);
        Path cut = SessionStore.copy(session, folder.resolve("load-test.kview"), Progress.NONE);
        Path json = cut.resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\"state\" : \"\\w+\"", "\"state\" : \"recording\""));
        Path damaged = SessionStore.copy(session, folder.resolve("from-mail.kview"), Progress.NONE);
        Files.writeString(damaged.resolve("session.json"), "{");
    }

    private static void note(Path session, String text, String... tags) throws IOException {
        NotesFile.read(session).write(new SessionNotes(text, List.of(tags), List.of()));
    }

    /** Shows a folder and selects one of its sessions, if it has one of that name. */
    public static void show(Path folder, String name) throws InterruptedException {
        SessionsView view = Ui.view(SessionsView.ID, SessionsView.class);
        Ui.run(() -> view.showFolder(folder));
        Ui.await("it is read", () -> view.table().rows().total() > 0 || view.messageText().startsWith("No sessions"));
        Ui.run(() -> {
            view.table().sortBy(SessionColumn.NAME, false);
            view.table().select(java.util.Set.of(folder.resolve(name)));
            view.table().control().notifyListeners(SWT.Selection, new Event());
        });
    }
}
