// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;

/**
 * Asks for a session: a folder or a zip, which no file dialog of the system offers together, or one
 * of those that were opened last.
 */
public final class OpenSessionDialog extends TitleAreaDialog {
    private final List<Path> recent;
    private final String title;
    private Text location;
    private Optional<Path> chosen = Optional.empty();

    public OpenSessionDialog(Shell parent, List<Path> recent) {
        this(parent, recent, "Open a session");
    }

    /** @param title what the session is for */
    public OpenSessionDialog(Shell parent, List<Path> recent, String title) {
        super(parent);
        this.title = title;
        this.recent = List.copyOf(recent);
        setShellStyle(getShellStyle() | SWT.RESIZE);
        setHelpAvailable(false);
    }

    /** What was chosen; empty unless the dialog was left with OK. */
    public Optional<Path> session() {
        return chosen;
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Open Session");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = new Composite((Composite) super.createDialogArea(parent), SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(4).margins(12, 12).spacing(8, 8).applyTo(area);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(area);
        new Label(area, SWT.NONE).setText("&Session:");
        location = new Text(area, SWT.BORDER);
        location.addListener(SWT.Modify, event -> check());
        GridDataFactory.fillDefaults().grab(true, false).hint(380, SWT.DEFAULT).align(SWT.FILL, SWT.CENTER)
                .applyTo(location);
        button(area, "&Folder…", () -> new DirectoryDialog(getShell(), SWT.OPEN).open());
        button(area, "&Zip File…", this::askForZip);
        createRecent(area);
        setTitle(SafeText.line(title));
        setMessage("Choose the folder of a session, NAME.kview, or a zip of one, NAME.kview.zip.");
        return area;
    }

    private void createRecent(Composite area) {
        Label label = new Label(area, SWT.NONE);
        label.setText(SafeText.lines(recent.isEmpty() ? "Sessions that you open will be listed here." : "&Recent:"));
        GridDataFactory.swtDefaults().span(recent.isEmpty() ? 4 : 1, 1).align(SWT.BEGINNING, SWT.BEGINNING)
                .applyTo(label);
        if (recent.isEmpty()) {
            return;
        }
        Table table = new Table(area, SWT.BORDER | SWT.SINGLE | SWT.FULL_SELECTION);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, true).hint(SWT.DEFAULT, 160).applyTo(table);
        for (Path path : recent) {
            new TableItem(table, SWT.NONE).setText(SafeText.line(path.toString()));
        }
        table.addListener(SWT.Selection, event -> location.setText(((TableItem) event.item).getText()));
        table.addListener(SWT.DefaultSelection, event -> {
            if (getButton(IDialogConstants.OK_ID).isEnabled()) {
                okPressed();
            }
        });
    }

    private String askForZip() {
        FileDialog dialog = new FileDialog(getShell(), SWT.OPEN);
        dialog.setFilterExtensions(new String[] {"*.zip", "*"});
        dialog.setFilterNames(new String[] {"Sessions (*.kview.zip)", "All files"});
        return dialog.open();
    }

    private void button(Composite area, String text, java.util.function.Supplier<String> ask) {
        Button button = new Button(area, SWT.PUSH);
        button.setText(SafeText.lines(text));
        button.addListener(SWT.Selection, event -> Optional.ofNullable(ask.get()).ifPresent(location::setText));
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.OK_ID, "Open", true);
        createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
        getButton(IDialogConstants.OK_ID).setEnabled(false);
    }

    private void check() {
        Optional<String> problem = problem(location.getText().strip());
        setErrorMessage(location.getText().isBlank() ? null : problem.map(SafeText::lines).orElse(null));
        getButton(IDialogConstants.OK_ID).setEnabled(problem.isEmpty());
    }

    /** What keeps a text from being a session's place; empty if nothing does. */
    static Optional<String> problem(String text) {
        if (text.isEmpty()) {
            return Optional.of("Choose a session.");
        }
        try {
            Path path = Path.of(text);
            if (!Files.exists(path)) {
                return Optional.of("There is no " + text + ".");
            }
            if (Files.isDirectory(path) && !Files.exists(path.resolve("session.json"))) {
                return Optional.of(path.getFileName() + " is no session: it holds no session.json.");
            }
            return Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.of("That is no path: " + e.getReason() + ".");
        }
    }

    @Override
    protected void okPressed() {
        chosen = Optional.of(Path.of(location.getText().strip()));
        super.okPressed();
    }
}
