// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.eclipse.core.runtime.Platform;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateException;
import org.kview.recording.template.TemplateLookup;
import org.kview.recording.template.TemplateStore;
import org.kview.ui.KviewUi;
import org.osgi.framework.FrameworkUtil;

/** The wizard's button for templates: apply one, keep what is ticked as one, and take them in and out as files. */
public final class TemplateMenu {
    private static final int NAMES_AT_MOST = 4;
    private static final String TITLE = "Recording Template";

    private final TemplateStore store;
    private final FileQuestion files;

    /** Asks for a file. */
    interface FileQuestion {
        /** @param style {@link SWT#OPEN} or {@link SWT#SAVE} */
        Optional<Path> ask(Shell shell, int style, String proposed);
    }

    TemplateMenu(TemplateStore store) {
        this(store, TemplateMenu::file);
    }

    TemplateMenu(TemplateStore store, FileQuestion files) {
        this.store = store;
        this.files = files;
    }

    /** The workspace's templates. */
    public static TemplateStore ofWorkspace() {
        return new TemplateStore(Path.of(Platform.getStateLocation(FrameworkUtil.getBundle(KviewUi.class)).toOSString(),
                "templates"));
    }

    Button createButton(Composite parent, FunctionPage page) {
        Button button = new Button(parent, SWT.PUSH);
        button.setText("Te&mplate ▾");
        button.setToolTipText("Apply a recording template, or keep what is ticked as one");
        button.addListener(SWT.Selection, _ -> {
            Menu menu = menu(button, page);
            Point below = button.toDisplay(0, button.getSize().y);
            menu.setLocation(below);
            menu.setVisible(true);
        });
        return button;
    }

    Menu menu(Button button, FunctionPage page) {
        Shell shell = button.getShell();
        Menu menu = new Menu(button);
        TemplateStore.Contents contents = store.list();
        contents.templates().forEach(template -> item(menu, "Apply " + label(template.name()), () -> page.apply(template)));
        if (!contents.templates().isEmpty()) {
            new MenuItem(menu, SWT.SEPARATOR);
        }
        item(menu, "&Save as Template…", () -> save(shell, page)).setEnabled(!page.functions().isEmpty());
        item(menu, "&Import…", () -> importFile(shell));
        if (!contents.templates().isEmpty()) {
            submenu(menu, "&Export", contents.templates(), template -> export(shell, template));
            submenu(menu, "&Remove", contents.templates(), template -> remove(shell, template));
        }
        contents.problems().forEach(problem -> item(menu, "Damaged: " + label(problem), () -> { }).setEnabled(false));
        return menu;
    }

    /** A name as a menu shows it: an ampersand there would mark a key. */
    public static String label(String name) {
        return name.replace("&", "&&");
    }

    private static MenuItem item(Menu menu, String text, Runnable work) {
        MenuItem item = new MenuItem(menu, SWT.PUSH);
        item.setText(SafeText.line(text));
        item.addListener(SWT.Selection, _ -> work.run());
        return item;
    }

    private static void submenu(Menu menu, String text, List<RecordingTemplate> templates,
            Consumer<RecordingTemplate> work) {
        MenuItem cascade = new MenuItem(menu, SWT.CASCADE);
        cascade.setText(SafeText.line(text));
        Menu below = new Menu(cascade);
        cascade.setMenu(below);
        templates.forEach(template -> item(below, label(template.name()), () -> work.accept(template)));
    }

    private void save(Shell shell, FunctionPage page) {
        InputDialog dialog = new InputDialog(shell, TITLE, "Functions and options are kept, without target and process."
                + " Name of the template:", "", name -> name.isBlank() ? "" : null);
        if (dialog.open() == Window.OK) {
            String name = dialog.getValue().strip();
            if (!store.contains(name) || MessageDialog.openQuestion(shell, TITLE,
                    SafeText.lines("There is a template " + name + " already. Replace it?"))) {
                attempt(shell, () -> store.save(page.template(name)));
            }
        }
    }

    private void importFile(Shell shell) {
        files.ask(shell, SWT.OPEN, "").ifPresent(path -> attempt(shell, () -> {
            RecordingTemplate template = TemplateStore.read(path);
            if (!store.contains(template.name()) || MessageDialog.openQuestion(shell, TITLE,
                    SafeText.lines("There is a template " + template.name() + " already. Replace it?"))) {
                store.save(template);
            }
        }));
    }

    private void export(Shell shell, RecordingTemplate template) {
        String proposed = template.name().replaceAll("[^\\w.+-]", "_") + TemplateStore.SUFFIX;
        files.ask(shell, SWT.SAVE, proposed).ifPresent(path -> attempt(shell, () -> TemplateStore.write(template, path)));
    }

    private void remove(Shell shell, RecordingTemplate template) {
        if (MessageDialog.openQuestion(shell, TITLE, SafeText.lines("Remove the template " + template.name() + "?"))) {
            attempt(shell, () -> store.remove(template.name()));
        }
    }

    private static Optional<Path> file(Shell shell, int style, String proposed) {
        FileDialog dialog = new FileDialog(shell, style);
        dialog.setOverwrite(true);
        dialog.setFileName(proposed);
        dialog.setFilterExtensions(new String[] {"*" + TemplateStore.SUFFIX, "*"});
        return Optional.ofNullable(dialog.open()).map(Path::of);
    }

    private interface Work {
        void run() throws TemplateException;
    }

    private static void attempt(Shell shell, Work work) {
        try {
            work.run();
        } catch (TemplateException e) {
            MessageDialog.openError(shell, TITLE, SafeText.lines(e.getMessage()));
        }
    }

    /** "place_order, deflate and 3 more". */
    static String names(List<TemplateLookup.Missing> missing) {
        String first = missing.stream().limit(NAMES_AT_MOST).map(lack -> lack.probe().function())
                .collect(Collectors.joining(", "));
        int more = missing.size() - NAMES_AT_MOST;
        return (more > 0 ? first + " and " + more + " more" : first + ".").replace("&", "&&").replace("<", "‹")
                .replace(">", "›");
    }

    void showMissing(Shell shell, List<TemplateLookup.Missing> missing) {
        MessageDialog.openInformation(shell, TITLE, SafeText.lines(missing.stream().map(lack -> lack.probe() + "\n    " + lack.reason())
                .collect(Collectors.joining("\n\n"))));
    }
}
