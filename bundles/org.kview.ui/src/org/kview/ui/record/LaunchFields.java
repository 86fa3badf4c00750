// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;
import org.kview.targets.values.LaunchSpec;

/** A command to start, and where. */
final class LaunchFields {
    private final List<Control> controls;
    private final Text command;
    private final Text folder;
    private final Button browse;
    private boolean remote;

    LaunchFields(Composite parent, Runnable changed) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(3).applyTo(area);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).indent(18, 0).applyTo(area);
        label(area, "Co&mmand line:");
        command = new Text(area, SWT.BORDER);
        command.setMessage("program and arguments, with quotes around what holds blanks; no shell takes part");
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).applyTo(command);
        label(area, "&Working folder:");
        folder = new Text(area, SWT.BORDER);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(folder);
        browse = new Button(area, SWT.PUSH);
        browse.setText("Br&owse…");
        browse.addListener(SWT.Selection, event -> Optional.ofNullable(new DirectoryDialog(area.getShell()).open())
                .ifPresent(folder::setText));
        command.addListener(SWT.Modify, event -> changed.run());
        folder.addListener(SWT.Modify, event -> changed.run());
        controls = List.of(command, folder, browse);
        setRemote(false);
    }

    /** Another host's files can't be looked at from here. */
    void setRemote(boolean elsewhere) {
        remote = elsewhere;
        folder.setMessage(remote ? "the agent's on that host" : "the one in which the workbench was started");
        browse.setEnabled(!remote && command.getEnabled());
    }

    private static void label(Composite area, String text) {
        new Label(area, SWT.NONE).setText(SafeText.lines(text));
    }

    void setEnabled(boolean enabled) {
        controls.forEach(control -> control.setEnabled(enabled && !(remote && control == browse)));
    }

    void setCommand(String text) {
        command.setText(text);
    }

    private List<String> words() {
        return CommandLine.words(command.getText()).orElse(List.of());
    }

    /** What is wrong with what was typed, in one sentence; empty if nothing is, or nothing was typed. */
    Optional<String> problem() {
        if (command.getText().isBlank()) {
            return Optional.empty();
        }
        if (CommandLine.words(command.getText()).isEmpty()) {
            return Optional.of("A quote in the command line is not closed.");
        }
        if (remote) {
            return !words().getFirst().startsWith("/") ? Optional.of("Name the program's whole path on that host.")
                    : !folder.getText().isBlank() && !folder.getText().strip().startsWith("/")
                            ? Optional.of("Name the folder's whole path on that host.") : Optional.empty();
        }
        if (!folder.getText().isBlank() && !Files.isDirectory(Path.of(folder.getText().strip()))) {
            return Optional.of("There is no folder " + folder.getText().strip() + ".");
        }
        return localExecutable().isPresent() ? Optional.empty()
                : Optional.of("There is no program " + words().getFirst() + ", neither here nor in the PATH.");
    }

    /** Empty until there is a command that can be started. */
    Optional<LaunchSpec> spec() {
        return command.getText().isBlank() || problem().isPresent() ? Optional.empty()
                : Optional.of(new LaunchSpec(words(), Map.of(), folder.getText().strip()));
    }

    /** The path of the program's file; empty where there is none. */
    String executable() {
        return words().isEmpty() ? "" : remote ? words().getFirst()
                : localExecutable().map(Object::toString).orElse("");
    }

    /** Looked up as the agent will. */
    private Optional<Path> localExecutable() {
        if (words().isEmpty()) {
            return Optional.empty();
        }
        String program = words().getFirst();
        try {
            Path base = Path.of(folder.getText().isBlank() ? System.getProperty("user.dir") : folder.getText().strip());
            Stream<Path> places = program.contains("/") ? Stream.of(base.resolve(program))
                    : Stream.of(System.getenv().getOrDefault("PATH", "").split(":")).map(p -> Path.of(p, program));
            return places.filter(path -> Files.isRegularFile(path) && Files.isExecutable(path)).findFirst();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
