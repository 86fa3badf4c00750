// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kview.session.report.TableStyle;

/**
 * Where a command writes to: results to one stream, all that is said on the way to the other, which
 * on a terminal has one line that is written over. Safe for use by several threads.
 */
final class Console {
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final TableStyle tableStyle;
    private boolean lineShown;

    /**
     * @param terminal   whether {@code err} is one
     * @param tableStyle what {@code out} can show
     */
    Console(PrintStream out, PrintStream err, boolean terminal, TableStyle tableStyle) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.tableStyle = tableStyle;
    }

    /** This process's own, in UTF-8 whatever the locale: units have letters outside ASCII. */
    static Console ofProcess() {
        boolean colour = isTerminal(1) && System.getenv("NO_COLOR") == null;
        return new Console(stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal(2),
                isTerminal(1) ? new TableStyle(TableStyle.LEAST_WIDTH, colour, true) : TableStyle.PLAIN);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Java tells only whether input and output both are terminals. */
    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    boolean isTerminal() {
        return terminal;
    }

    TableStyle tableStyle() {
        return tableStyle;
    }

    /** Prints a result; text without a line's end gets one. */
    synchronized void result(String text) {
        eraseLine();
        out.print(text.endsWith("\n") ? text : text + "\n");
        out.flush();
    }

    /** Says something on the way; a sentence without its full stop gets one. */
    synchronized void say(String sentence) {
        eraseLine();
        err.println("kview: " + sentence + (sentence.matches("(?s).*[.?!]") ? "" : "."));
    }

    /** Writes over the line that tells how far things are; nothing where there is no terminal. */
    synchronized void progress(String line) {
        if (terminal) {
            err.print(ERASE_LINE + line);
            err.flush();
            lineShown = true;
        }
    }

    /** Passes a program's output on as it is. */
    synchronized void pass(boolean errorStream, byte[] bytes) {
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
    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }
}
