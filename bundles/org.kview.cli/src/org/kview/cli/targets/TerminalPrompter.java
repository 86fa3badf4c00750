// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.kview.cli.console.Console;
import org.kview.model.SafeText;
import org.kview.ssh.SshPrompter;

/**
 * Asks on the terminal itself, as ssh does: standard input and output may be files or pipes. Without
 * a terminal nothing is confirmed and nothing answered.
 */
final class TerminalPrompter implements SshPrompter {
    private static final File TERMINAL = new File("/dev/tty");

    private final Console console;

    TerminalPrompter(Console console) {
        this.console = console;
    }

    @Override
    public HostKeyAnswer confirm(UnknownHostKey key) {
        String remember = key.file().isEmpty() ? "" : ", always (added to " + key.file() + ")";
        StringBuilder text = new StringBuilder("The host " + SafeText.line(key.host()) + " is not known. Its " + key.keyType()
                + " key has the fingerprint\n  " + key.fingerprint() + "\n");
        if (!key.warning().isEmpty()) {
            text.append("Careful: ").append(SafeText.line(key.warning())).append('\n');
        }
        String question = text + "Trust it? no, once" + remember + ": ";
        for (int trial = 0; trial < 3; trial++) {
            Optional<String> answer = prompt(question, false);
            switch (answer.map(a -> a.strip().toLowerCase(Locale.ROOT)).orElse("no")) {
                case "no", "n", "" -> {
                    return HostKeyAnswer.REFUSE;
                }
                case "once" -> {
                    return HostKeyAnswer.ONCE;
                }
                case "always" -> {
                    if (!key.file().isEmpty()) {
                        return HostKeyAnswer.REMEMBER;
                    }
                }
                default -> question = "Please write no, once" + (remember.isEmpty() ? "" : " or always") + ": ";
            }
        }
        return HostKeyAnswer.REFUSE;
    }

    @Override
    public Optional<List<String>> ask(Question question) {
        List<String> answers = new ArrayList<>();
        for (Prompt prompt : question.prompts()) {
            Optional<String> answer = prompt(shown(question, prompt), prompt.secret());
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            answers.add(answer.get());
        }
        return Optional.of(answers);
    }

    /**
     * Each question says who asks it. Otherwise a host could make its second question look like one of this program's
     * own.
     */
    static String shown(Question question, Prompt prompt) {
        return SafeText.line((question.heading().isEmpty() ? "" : question.heading() + ": ") + prompt.text()) + ": ";
    }

    @Override
    public void say(String sentence) {
        console.say(sentence);
    }

    private Optional<String> prompt(String question, boolean secret) {
        console.endProgress();
        try (BufferedReader in = Files.newBufferedReader(TERMINAL.toPath())) {
            // A job in the background can't read the terminal: it would be stopped.
            if (!isForeground()) {
                return Optional.empty();
            }
            Files.writeString(TERMINAL.toPath(), SafeText.lines(question));
            if (!secret) {
                return Optional.ofNullable(in.readLine());
            }
            Thread restore = new Thread(() -> echo(true));
            Runtime.getRuntime().addShutdownHook(restore);
            if (!echo(false)) {
                return Optional.empty(); // What is typed could be seen, so it is not read.
            }
            try {
                return Optional.ofNullable(in.readLine());
            } finally {
                echo(true);
                Runtime.getRuntime().removeShutdownHook(restore);
                Files.writeString(TERMINAL.toPath(), "\n");
            }
        } catch (IOException | IllegalStateException e) {
            return Optional.empty(); // There is no terminal, or the program is about to end.
        }
    }

    /** Fields 5 and 8 of the process's status: its group and the terminal's foreground group. */
    private static boolean isForeground() throws IOException {
        String status = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
        String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
        return fields[2].equals(fields[5]);
    }

    private static boolean echo(boolean on) {
        try {
            return new ProcessBuilder("stty", on ? "echo" : "-echo").redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
