// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.kview.model.SafeText;
import org.kview.session.report.TableStyle;

/**
 * Where a command writes: results to one stream, messages and progress to the other. On a terminal, progress is one
 * line that is overwritten. All text becomes {@link SafeText}, except the output of a program that was started here.
 * Safe for use by several threads.
 */
public final class Console {
    private static final String ERASE_LINE = "\r\033[K";
    private static final int USUAL_COLUMNS = 80;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final TableStyle tableStyle;
    private final Supplier<Optional<String>> failure;
    private boolean lineShown;

    /**
     * @param terminal   whether {@code err} is one
     * @param tableStyle what {@code out} can show
     */
    public Console(PrintStream out, PrintStream err, boolean terminal, TableStyle tableStyle) {
        this(out, err, terminal, tableStyle, Optional::empty);
    }

    public Console(PrintStream out, PrintStream err, boolean terminal, TableStyle tableStyle,
            Supplier<Optional<String>> failure) {
        this.failure = failure;
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.tableStyle = tableStyle;
    }

    /** This process's own, in UTF-8 whatever the locale: units have letters outside ASCII. */
    public static Console ofProcess() {
        boolean colour = isTerminal(1) && System.getenv("NO_COLOR") == null;
        KeptFailure results = new KeptFailure(new FileOutputStream(FileDescriptor.out));
        return new Console(stream(results), stream(new FileOutputStream(FileDescriptor.err)), isTerminal(2),
                isTerminal(1) ? new TableStyle(columns(1), colour, true) : TableStyle.PLAIN, results::failure);
    }

    private static PrintStream stream(OutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Java only tells whether standard input and output both are terminals. */
    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /** The terminal's width; a usual width if it does not say. */
    private static int columns(int descriptor) {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/proc/self/fd/" + descriptor))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return size.matches("[0-9]{1,4} [1-9][0-9]{0,3}") ? Integer.parseInt(size.split(" ")[1]) : USUAL_COLUMNS;
        } catch (IOException e) {
            return USUAL_COLUMNS;
        }
    }

    public boolean isTerminal() {
        return terminal;
    }

    public TableStyle tableStyle() {
        return tableStyle;
    }

    /** Prints a result; text without a line's end gets one. */
    public synchronized void result(String text) {
        eraseLine();
        String shown = tableStyle.colour() ? SafeText.colouredLines(text) : SafeText.lines(text);
        out.print(shown.endsWith("\n") ? shown : shown + "\n");
        out.flush();
    }

    /**
     * Prints a part of a result, which may be long, as it is: the caller has made it {@link SafeText}.
     *
     * @return whether more can be printed: not if nobody reads on, or if it can't be written
     */
    public synchronized boolean part(String text) {
        eraseLine();
        out.print(text);
        return !out.checkError();
    }

    /** Shows a text that was given, and which of its characters is meant. */
    public synchronized void point(String text, int column) {
        eraseLine();
        err.println("  " + SafeText.line(text));
        err.println("  " + " ".repeat(column - 1) + "^");
    }

    /** Prints a table beside the result. */
    public synchronized void table(List<String> lines) {
        eraseLine();
        lines.forEach(line -> err.println("  " + SafeText.line(line)));
    }

    /** Prints a result in JSON, whole whatever is in it. */
    public void json(String text) {
        result(SafeText.json(text));
    }

    /** Prints where a mistake of this program came from. */
    public synchronized void stackOf(Exception exception) {
        eraseLine();
        StringWriter text = new StringWriter();
        exception.printStackTrace(new PrintWriter(text));
        err.print(SafeText.lines(text.toString()));
        err.flush();
    }

    /** Why results did not reach standard output; empty if they did, or nobody wanted to read on. */
    public Optional<String> failure() {
        out.flush();
        return failure.get();
    }

    /** Prints a message while work goes on; a sentence without a full stop gets one. */
    public synchronized void say(String sentence) {
        eraseLine();
        err.println("kview: " + SafeText.line(sentence) + (sentence.matches("(?s).*[.?!]") ? "" : "."));
    }

    /** Replaces the progress line; does nothing where there is no terminal. */
    public synchronized void progress(String line) {
        if (terminal) {
            err.print(ERASE_LINE + SafeText.line(line));
            err.flush();
            lineShown = true;
        }
    }

    /** Removes that line, before somebody else writes to the terminal. */
    public synchronized void endProgress() {
        eraseLine();
    }

    /** Passes a program's output on as it is. */
    public synchronized void pass(boolean errorStream, byte[] bytes) {
        eraseLine();
        PrintStream stream = errorStream ? err : out;
        stream.write(bytes, 0, bytes.length);
        stream.flush();
    }

    private void eraseLine() {
        if (lineShown) {
            err.print(ERASE_LINE);
            err.flush();
            lineShown = false;
        }
    }

    /** For what prints by itself, as the help does. */
    public PrintStream out() {
        return out;
    }

    public PrintStream err() {
        return err;
    }
}
