// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.SessionNotes;
import org.kview.ui.KviewUi;
import org.kview.ui.widgets.Banner;

/** What people write about the session that is open. */
public final class NotesView extends ViewPart {
    public static final String ID = KviewUi.VIEW_NOTES;

    private static final String CONFLICT = "Another program has changed the notes of this session.";

    private final Consumer<NotesState> listener = this::show;
    private NotesService service;
    private Banner banner;
    private Link choice;
    private Text tags;
    private Text text;
    private BookmarkTable bookmarks;
    /** The fields are being filled: what changes in them is not the user's doing. */
    private boolean filling;

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        service = NotesService.get();
        banner = new Banner(parent);
        choice = new Link(parent, SWT.NONE);
        choice.setText("<a href=\"theirs\">Load those</a>      <a href=\"mine\">Keep mine</a>");
        choice.addListener(SWT.Selection, event -> {
            if (event.text.equals("mine")) {
                service.keepMine();
            } else {
                service.reload();
            }
        });
        GridDataFactory.fillDefaults().indent(8, 6).exclude(true).applyTo(choice);
        createFields(parent);
        service.add(listener);
        show(service.state());
    }

    private void createFields(Composite parent) {
        Composite fields = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(8, 6).spacing(8, 6).applyTo(fields);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(fields);
        new Label(fields, SWT.NONE).setText("Tags:");
        tags = new Text(fields, SWT.BORDER);
        tags.setMessage("Words to find it by, with commas between");
        GridDataFactory.fillDefaults().grab(true, false).hint(120, SWT.DEFAULT).applyTo(tags);
        Label label = new Label(fields, SWT.NONE);
        label.setText("Notes:");
        GridDataFactory.swtDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(label);
        text = new Text(fields, SWT.BORDER | SWT.MULTI | SWT.WRAP | SWT.V_SCROLL);
        GridDataFactory.fillDefaults().grab(true, true).hint(120, 60).applyTo(text);
        tags.addListener(SWT.Modify, event -> changed());
        text.addListener(SWT.Modify, event -> changed());
        bookmarks = new BookmarkTable(fields, service, getSite());
        GridDataFactory.fillDefaults().span(2, 1).grab(true, true).hint(120, 70).applyTo(bookmarks.control());
        bookmarks.install(getViewSite().getActionBars());
    }

    private void changed() {
        if (!filling) {
            service.change(notes -> notes.withText(text.getText().replace("\r\n", "\n"))
                    .withTags(SessionNotes.tagsOf(tags.getText())));
        }
    }

    private void show(NotesState state) {
        if (text.isDisposed()) {
            return;
        }
        Optional<SessionNotes> notes = state.notes();
        filling = true;
        try {
            String line = notes.map(n -> String.join(", ", n.tags())).orElse("");
            // A comma that was just typed has no place in the notes, and must stay in the field.
            if (!SessionNotes.tagsOf(tags.getText()).equals(notes.map(SessionNotes::tags).orElse(List.of()))) {
                tags.setText(line);
            }
            String shown = notes.map(SessionNotes::text).orElse("");
            if (!text.getText().replace("\r\n", "\n").equals(shown)) {
                text.setText(shown);
            }
        } finally {
            filling = false;
        }
        bookmarks.show(notes.map(SessionNotes::bookmarks).orElse(List.of()));
        tags.setEditable(state.canChange());
        text.setEditable(state.canChange());
        text.setMessage(state.canChange() ? "What was measured here, and what came out of it" : "");
        boolean conflict = state instanceof NotesState.Conflict;
        ((GridData) choice.getLayoutData()).exclude = !conflict;
        choice.setVisible(conflict);
        banner.show(switch (state) {
            case NotesState.None _ -> List.of();
            case NotesState.Loaded(var _, var _, String problem, var _) -> problem.isEmpty() ? List.of() : List.of(problem);
            case NotesState.Conflict _ -> List.of(CONFLICT);
            case NotesState.Unreadable(var _, String problem) -> List.of(problem);
        });
        choice.getParent().layout(true);
    }

    Text tagsField() {
        return tags;
    }

    Text textField() {
        return text;
    }

    BookmarkTable bookmarks() {
        return bookmarks;
    }

    Banner banner() {
        return banner;
    }

    @Override
    public void setFocus() {
        text.setFocus();
    }

    @Override
    public void dispose() {
        service.remove(listener);
        super.dispose();
    }
}
