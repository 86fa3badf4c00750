// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.GroupMarker;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.SWT;
import org.eclipse.swt.program.Program;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.library.SessionChange;
import org.kview.session.library.SessionNaming;
import org.kview.session.library.SessionStore;
import org.kview.session.library.Trash;
import org.kview.session.read.SessionSummary;
import org.kview.session.read.SessionSummary.State;
import org.kview.ui.text.Counts;
import org.kview.ui.widgets.Actions;

/** What the Sessions view does with sessions: its context menu and keys. */
final class SessionsActions {
    private static final int RESTORABLE_AT_MOST = 10;

    private final SessionsView view;

    SessionsActions(SessionsView view) {
        this.view = view;
    }

    void install() {
        IActionBars bars = view.getViewSite().getActionBars();
        global(bars, ActionFactory.DELETE, this::delete);
        global(bars, ActionFactory.RENAME, this::rename);
        global(bars, ActionFactory.COPY, this::copyPath);
        global(bars, ActionFactory.SELECT_ALL, view::selectAll);
        global(bars, ActionFactory.FIND, view::startSearch);
        global(bars, ActionFactory.REFRESH, view::refresh);
        global(bars, ActionFactory.UNDO, this::undo);
        global(bars, ActionFactory.REDO, this::redo);
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(this::fill);
        view.table().control().setMenu(context.createContextMenu(view.table().control()));
        view.getSite().registerContextMenu(context, view.getSite().getSelectionProvider());
        IMenuManager menu = bars.getMenuManager();
        menu.setRemoveAllWhenShown(true);
        menu.addMenuListener(this::fillViewMenu);
        menu.add(new Separator());
        bars.updateActionBars();
    }

    private static void global(IActionBars bars, ActionFactory factory, Runnable work) {
        Actions.global(bars, factory, Actions.of("", work));
    }

    private static Action action(String text, boolean enabled, Runnable work) {
        Action action = Actions.of(text, work);
        action.setEnabled(enabled);
        return action;
    }

    private void fill(IMenuManager menu) {
        boolean one = view.selected().size() == 1;
        boolean some = !view.selected().isEmpty();
        menu.add(action("&Open", one, this::open));
        menu.add(new GroupMarker("compare"));
        menu.add(new Separator());
        menu.add(Actions.keyed(action("Re&name…", one && all(s -> s.state() != State.RECORDING), this::rename),
                ActionFactory.RENAME));
        menu.add(action("Dup&licate", some && all(SessionsActions::canCopy), () -> create("Duplicate",
                SessionStore::duplicate)));
        menu.add(action("&Save As…", one && all(SessionsActions::canCopy), this::saveAs));
        menu.add(action("&Zip", some && all(s -> !s.zip() && canCopy(s)), () -> create("Zip", SessionStore::zip)));
        menu.add(action("Unz&ip", some && all(SessionSummary::zip), () -> create("Unzip", SessionStore::unzip)));
        menu.add(action("Sal&vage", one && all(SessionSummary::salvageable), this::salvage));
        menu.add(new Separator());
        menu.add(Actions.keyed(action("&Delete", some && all(s -> s.state() != State.RECORDING), this::delete),
                ActionFactory.DELETE));
        menu.add(Actions.keyed(action("&" + SessionChanges.undoLabel(), SessionChanges.canUndo(), this::undo),
                ActionFactory.UNDO));
        menu.add(new Separator());
        menu.add(Actions.keyed(action("&Copy Path", some, this::copyPath), ActionFactory.COPY));
        menu.add(action("Show in &File Manager", one, this::showInFileManager));
        menu.add(new Separator());
        menu.add(new GroupMarker("additions"));
    }

    private void fillViewMenu(IMenuManager menu) {
        menu.add(action("Choose &Folder…", true, view::chooseFolder));
        menu.add(Actions.keyed(action("&Refresh", true, view::refresh), ActionFactory.REFRESH));
        menu.add(new Separator());
        menu.add(Actions.keyed(action("&" + SessionChanges.undoLabel(), SessionChanges.canUndo(), this::undo),
                ActionFactory.UNDO));
        menu.add(Actions.keyed(action("R" + "&" + SessionChanges.redoLabel().substring(1), SessionChanges.canRedo(), this::redo),
                ActionFactory.REDO));
        menu.add(new Separator());
        menu.add(grouping());
        menu.add(new Separator());
        List<Trash.Entry> deleted = deleted();
        MenuManager restore = new MenuManager("Re&store Deleted");
        deleted.stream().limit(RESTORABLE_AT_MOST).forEach(entry -> restore.add(action(
                SessionTexts.menu(entry.origin().getFileName() + "  (deleted " + SessionTexts.date(entry.deleted()) + ")"),
                true, () -> restore(entry))));
        if (deleted.isEmpty()) {
            restore.add(action("Nothing was deleted here", false, () -> { }));
        }
        menu.add(restore);
        menu.add(action("Empty &Trash…", !deleted.isEmpty(), this::emptyTrash));
    }

    private MenuManager grouping() {
        MenuManager menu = new MenuManager("&Group By");
        for (SessionGrouping grouping : SessionGrouping.values()) {
            Action choice = Actions.choice(grouping.title(), IAction.AS_RADIO_BUTTON, chosen -> {
                if (chosen) {
                    view.groupBy(grouping);
                }
            });
            choice.setChecked(view.table().rows().grouping() == grouping);
            menu.add(choice);
        }
        return menu;
    }

    private boolean all(Predicate<SessionSummary> condition) {
        return view.selected().stream().allMatch(condition);
    }

    private static boolean canCopy(SessionSummary session) {
        return session.state() != State.RECORDING;
    }

    private Optional<SessionSummary> one() {
        return view.selected().size() == 1 ? Optional.of(view.selected().getFirst()) : Optional.empty();
    }

    void open() {
        one().ifPresent(s -> view.open(s.path()));
    }

    void rename() {
        one().filter(s -> s.state() != State.RECORDING).ifPresent(session -> {
            InputDialog dialog = new InputDialog(view.getSite().getShell(), "Rename Session", "New name:",
                    session.name(), typed -> SessionNaming.problem(SessionNaming.withoutSuffix(typed)).orElse(null));
            if (dialog.open() == Window.OK) {
                rename(session, SessionNaming.withoutSuffix(dialog.getValue()));
            }
        });
    }

    void rename(SessionSummary session, String name) {
        SessionChanges.run("Rename of " + session.name(), new SessionChange.Rename(session.path(), name), view::reveal);
    }

    void create(String verb, SessionChange.Making making) {
        for (SessionSummary session : view.selected()) {
            SessionChanges.run(verb + " of " + session.name(), new SessionChange.Create(session.path(), making),
                    view::reveal);
        }
    }

    void salvage() {
        create("Salvage", SessionStore::salvage);
    }

    private void saveAs() {
        one().ifPresent(session -> {
            FileDialog dialog = new FileDialog(view.getSite().getShell(), SWT.SAVE);
            dialog.setText("Save Session As");
            dialog.setFilterPath(view.currentFolder().toString());
            dialog.setFileName(session.path().getFileName().toString());
            dialog.setFilterNames(new String[] {"Session, a folder (*.kview)", "Zipped session (*.kview.zip)"});
            dialog.setFilterExtensions(new String[] {"*.kview", "*.kview.zip"});
            Optional.ofNullable(dialog.open()).map(Path::of).ifPresent(chosen -> saveAs(session, chosen));
        });
    }

    /** A name without ending becomes a folder's. */
    void saveAs(SessionSummary session, Path chosen) {
        Path to = SessionSummary.suffix(chosen).isEmpty()
                ? chosen.resolveSibling(chosen.getFileName() + ".kview") : chosen;
        SessionChanges.run("Copy of " + session.name(), new SessionChange.Create(session.path(),
                (source, progress) -> SessionStore.copy(source, to, progress)), view::reveal);
    }

    /** Without a question: it can be undone. */
    void delete() {
        List<Path> paths = view.selected().stream().filter(s -> s.state() != State.RECORDING).map(SessionSummary::path)
                .toList();
        if (!paths.isEmpty()) {
            String what = paths.size() == 1 ? SessionSummary.name(paths.getFirst())
                    : Counts.format(paths.size(), "session", "sessions");
            SessionChanges.run("Delete of " + what, new SessionChange.Delete(paths), view::reveal);
        }
    }

    void undo() {
        if (SessionChanges.canUndo()) {
            SessionChanges.undo();
        }
    }

    void redo() {
        if (SessionChanges.canRedo()) {
            SessionChanges.redo();
        }
    }

    private List<Trash.Entry> deleted() {
        try {
            return Trash.of(view.currentFolder()).entries();
        } catch (SessionException e) {
            return List.of();
        }
    }

    void restore(Trash.Entry entry) {
        SessionChanges.run("Restore of " + SessionSummary.name(entry.origin()),
                new SessionChange.Restore(List.of(entry)), view::reveal);
    }

    private void emptyTrash() {
        int count = deleted().size();
        if (MessageDialog.openConfirm(view.getSite().getShell(), "Empty Trash", SafeText.lines("Remove "
                + Counts.format(count, "deleted session", "deleted sessions") + " of " + view.currentFolder()
                + " for good? This can't be undone."))) {
            Path folder = view.currentFolder();
            SessionChanges.work("Empty the trash", () -> Trash.of(folder).empty());
        }
    }

    void copyPath() {
        String paths = String.join("\n", view.selected().stream().map(s -> s.path().toString()).toList());
        if (paths.isEmpty()) {
            return;
        }
        Actions.copy(view.getSite().getShell().getDisplay(), paths);
    }

    private void showInFileManager() {
        one().map(s -> s.path().getParent()).filter(folder -> !Program.launch(folder.toString()))
                .ifPresent(folder -> MessageDialog.openInformation(view.getSite().getShell(), "Show in File Manager",
                        SafeText.lines("No file manager is set up on this machine. The session is in " + folder + ".")));
    }
}
