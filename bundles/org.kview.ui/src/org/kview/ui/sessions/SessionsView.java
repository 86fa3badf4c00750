// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.session.read.SessionSummary;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.commands.Commands;
import org.kview.ui.selection.PublishedSelection;
import org.kview.ui.session.SessionController;
import org.kview.ui.text.Counts;
import org.kview.ui.widgets.Looking;
import org.kview.ui.widgets.MessagePage;
import org.kview.ui.widgets.SearchField;

/**
 * The sessions of a folder, and what is done with whole sessions. Its selection is of
 * {@link SessionSummary}s.
 */
public final class SessionsView extends ViewPart {
    public static final String ID = KviewUi.VIEW_SESSIONS;

    private static final String CHOOSE_FOLDER = "folder";

    private final PublishedSelection<SessionSummary> selection = new PublishedSelection<>();
    private final SessionFolders folders = SessionFolders.ofWorkspace();
    /** Sessions to be selected when the list next shows them: those that a command made. */
    private Set<Path> wanted = new HashSet<>();
    private Optional<FolderScan> scan = Optional.empty();
    private Combo folder;
    private Text search;
    private Label count;
    private Composite stack;
    private Display display;
    private StackLayout pages;
    private SessionTable table;
    private MessagePage message;
    private SessionDetails details;
    private SessionsActions actions;

    @Override
    public void createPartControl(Composite parent) {
        display = parent.getDisplay();
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        createBar(parent);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        table = new SessionTable(stack);
        table.groupBy(folders.grouping());
        table.control().addListener(SWT.Selection, event -> publishSelection());
        table.control().addListener(SWT.DefaultSelection, event -> actions.open());
        message = new MessagePage(stack, this::follow);
        details = new SessionDetails(parent, () -> actions.salvage());
        actions = new SessionsActions(this);
        actions.install();
        getSite().setSelectionProvider(selection);
        SessionDrop.install(stack);
        getSite().getPage().addPartListener(new Looking(this, looked -> scan.ifPresent(s -> s.setPaused(!looked))));
        showFolder(folders.current());
    }

    private void createBar(Composite parent) {
        Composite bar = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).spacing(8, 4).applyTo(bar);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(bar);
        folder = new Combo(bar, SWT.DROP_DOWN | SWT.READ_ONLY);
        folder.setToolTipText("The folder whose sessions are shown");
        folder.addListener(SWT.Selection, event -> {
            List<Path> known = folders.folders();
            int index = folder.getSelectionIndex();
            if (index < known.size()) {
                showFolder(known.get(index));
            } else {
                folder.select(0);
                chooseFolder();
            }
        });
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(120, SWT.DEFAULT).applyTo(folder);
        search = SearchField.create(bar, "Search", () -> {
            table.setSearch(search.getText());
            showCount();
            publishSelection();
        }, () -> table.control().setFocus());
        search.setToolTipText("Shows only sessions that hold all these words, in their name, process, target, date,"
                + " functions, notes, tags or bookmarks");
        GridDataFactory.fillDefaults().grab(true, false).hint(120, SWT.DEFAULT).applyTo(search);
        count = new Label(bar, SWT.NONE);
        GridDataFactory.swtDefaults().applyTo(count);
    }

    private void follow(String link) {
        if (link.equals(CHOOSE_FOLDER)) {
            chooseFolder();
        } else {
            Commands.run(getSite(), link);
        }
    }

    void chooseFolder() {
        DirectoryDialog dialog = new DirectoryDialog(getSite().getShell());
        dialog.setText("Folder with Sessions");
        dialog.setFilterPath(folders.current().toString());
        Optional.ofNullable(dialog.open()).map(Path::of).ifPresent(this::showFolder);
    }

    /** Shows another folder, and remembers it. */
    void showFolder(Path path) {
        folders.choose(path);
        List<Path> known = folders.folders();
        folder.setItems(known.stream().map(SessionsView::shown).toArray(String[]::new));
        folder.add("Another folder…");
        folder.select(0);
        scan.ifPresent(FolderScan::close);
        table.setSessions(List.of());
        message.show("Reading…", "", "");
        pages.topControl = message;
        stack.layout();
        showCount();
        publishSelection();
        scan = Optional.of(new FolderScan(known.getFirst(), found -> UiThread.later(display, () -> show(found))));
    }

    /** "~/kview-sessions" for what is in the user's home. */
    private static String shown(Path path) {
        Path home = Path.of(System.getProperty("user.home"));
        return path.startsWith(home) && !path.equals(home) ? "~/" + home.relativize(path) : path.toString();
    }

    private void show(FolderScan.Found found) {
        if (stack.isDisposed() || !found.folder().equals(folders.current())) {
            return;
        }
        table.setSessions(found.sessions());
        if (!found.problem().isEmpty()) {
            message.show("The folder can't be read", found.problem(), link(CHOOSE_FOLDER, "Choose another folder…"));
        } else if (found.sessions().isEmpty()) {
            message.show("No sessions yet", "Recordings that are put into " + shown(found.folder())
                    + " appear here. Sessions may also be dropped on the window.",
                    link(KviewUi.COMMAND_RECORD, "Record…") + "      " + link(CHOOSE_FOLDER, "Choose another folder…"));
        }
        Control page = found.sessions().isEmpty() ? message : table.control();
        if (pages.topControl != page) {
            pages.topControl = page;
            stack.layout();
        }
        if (wanted.removeIf(path -> found.sessions().stream().anyMatch(s -> s.path().equals(path)) && select(path))) {
            table.control().setFocus();
        }
        showCount();
        publishSelection();
    }

    private boolean select(Path path) {
        table.select(Set.of(path));
        return true;
    }

    private static String link(String target, String text) {
        return "<a href=\"" + target + "\">" + text + "</a>";
    }

    private void showCount() {
        int shown = table.rows().shown().size();
        int total = table.rows().total();
        count.setText(SafeText.lines(total == 0 ? "" : shown == total ? Counts.format(total, "session", "sessions")
                : LatencyFormat.count(shown) + " of " + LatencyFormat.count(total)));
        count.getParent().layout(true);
    }

    private void publishSelection() {
        List<SessionSummary> selected = table.selection();
        selection.set(selected);
        details.show(selected);
    }

    /** What a command made is selected once the list has it. May be called from any thread. */
    void reveal(List<Path> sessions) {
        UiThread.later(display, () -> {
            if (!stack.isDisposed()) {
                wanted = new HashSet<>(sessions);
                refresh();
            }
        });
    }

    /** From now on, and after the next start. */
    void groupBy(SessionGrouping grouping) {
        table.groupBy(grouping);
        folders.setGrouping(grouping);
        publishSelection();
    }

    void refresh() {
        scan.ifPresent(FolderScan::scanSoon);
    }

    List<SessionSummary> selected() {
        return table.selection();
    }

    void startSearch() {
        search.setFocus();
        search.selectAll();
    }

    void selectAll() {
        table.control().selectAll();
        publishSelection();
    }

    Path currentFolder() {
        return folders.current();
    }

    void open(Path session) {
        SessionController.get().open(session);
    }

    SessionTable table() {
        return table;
    }

    Text searchField() {
        return search;
    }

    Combo folderField() {
        return folder;
    }

    SessionsActions actions() {
        return actions;
    }

    SessionDetails details() {
        return details;
    }

    String countText() {
        return count.getText();
    }

    String messageText() {
        return pages.topControl == message ? message.text() : "";
    }

    @Override
    public void setFocus() {
        pages.topControl.setFocus();
    }

    @Override
    public void dispose() {
        scan.ifPresent(FolderScan::close);
        super.dispose();
    }
}
