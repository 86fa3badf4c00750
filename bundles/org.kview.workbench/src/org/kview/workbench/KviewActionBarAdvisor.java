// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.GroupMarker;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.ICoolBarManager;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.IStatusLineManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.ui.IWorkbenchActionConstants;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.actions.ActionFactory.IWorkbenchAction;
import org.eclipse.ui.actions.ContributionItemFactory;
import org.eclipse.ui.application.ActionBarAdvisor;
import org.eclipse.ui.application.IActionBarConfigurer;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.kview.ui.KviewUi;

/** The menus. What concerns sessions is contributed by the bundle that handles them. */
final class KviewActionBarAdvisor extends ActionBarAdvisor {
    /** Where session commands go in the File menu. */
    private static final String SESSION_GROUP = "session.start";

    private final SessionStatusItem status;
    private IWorkbenchWindow window;
    private IWorkbenchAction quit;
    private IWorkbenchAction undo;
    private IWorkbenchAction redo;
    private IWorkbenchAction copy;
    private IWorkbenchAction selectAll;
    private IWorkbenchAction delete;
    private IWorkbenchAction rename;
    private IWorkbenchAction find;
    private IAction preferences;
    private IWorkbenchAction resetPerspective;
    private IWorkbenchAction about;

    KviewActionBarAdvisor(IActionBarConfigurer configurer, SessionStatusItem status) {
        super(configurer);
        this.status = status;
    }

    @Override
    protected void makeActions(IWorkbenchWindow of) {
        window = of;
        quit = make(ActionFactory.QUIT);
        undo = make(ActionFactory.UNDO);
        redo = make(ActionFactory.REDO);
        copy = make(ActionFactory.COPY);
        selectAll = make(ActionFactory.SELECT_ALL);
        delete = make(ActionFactory.DELETE);
        rename = make(ActionFactory.RENAME);
        find = make(ActionFactory.FIND);
        preferences = preferences(window);
        resetPerspective = make(ActionFactory.RESET_PERSPECTIVE);
        about = make(ActionFactory.ABOUT);
        about.setText("&About Kview Workbench");
    }

    private IWorkbenchAction make(ActionFactory factory) {
        IWorkbenchAction action = factory.create(window);
        register(action);
        return action;
    }

    /**
     * Opens the preferences at this product's own page. Otherwise the platform would open the first page in
     * alphabetical order.
     */
    private static IAction preferences(IWorkbenchWindow window) {
        Action action = new Action("P&references") {
            @Override
            public void run() {
                PreferencesUtil.createPreferenceDialogOn(window.getShell(), KviewUi.PREFERENCES, null, null).open();
            }
        };
        action.setId(ActionFactory.PREFERENCES.getId());
        return action;
    }

    @Override
    protected void fillMenuBar(IMenuManager bar) {
        MenuManager file = menu(bar, "&File", IWorkbenchActionConstants.M_FILE);
        file.add(new GroupMarker(SESSION_GROUP));
        file.add(new Separator("quit"));
        file.add(quit);

        MenuManager edit = menu(bar, "&Edit", IWorkbenchActionConstants.M_EDIT);
        edit.add(undo);
        edit.add(redo);
        edit.add(new Separator());
        edit.add(copy);
        edit.add(selectAll);
        edit.add(delete);
        edit.add(rename);
        edit.add(new Separator());
        edit.add(find);
        edit.add(new GroupMarker(IWorkbenchActionConstants.MB_ADDITIONS));

        bar.add(new GroupMarker(IWorkbenchActionConstants.MB_ADDITIONS));

        MenuManager windowMenu = menu(bar, "&Window", IWorkbenchActionConstants.M_WINDOW);
        MenuManager views = new MenuManager("Show &View", "showView");
        views.add(ContributionItemFactory.VIEWS_SHORTLIST.create(window));
        windowMenu.add(views);
        MenuManager perspectives = new MenuManager("&Perspective", "perspective");
        perspectives.add(ContributionItemFactory.PERSPECTIVES_SHORTLIST.create(window));
        perspectives.add(new Separator());
        perspectives.add(resetPerspective);
        windowMenu.add(perspectives);
        windowMenu.add(new ThemeMenu());
        windowMenu.add(new Separator());
        windowMenu.add(preferences);

        MenuManager help = menu(bar, "&Help", IWorkbenchActionConstants.M_HELP);
        help.add(new GroupMarker("docs"));
        help.add(new Separator());
        help.add(about);
    }

    private static MenuManager menu(IMenuManager bar, String text, String id) {
        MenuManager menu = new MenuManager(text, id);
        bar.add(menu);
        return menu;
    }

    @Override
    protected void fillCoolBar(ICoolBarManager bar) {
        bar.add(new GroupMarker(IWorkbenchActionConstants.MB_ADDITIONS));
    }

    @Override
    protected void fillStatusLine(IStatusLineManager line) {
        line.add(status);
    }
}
