// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.program;

import java.io.IOException;

import org.eclipse.core.runtime.ILog;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.console.ConsolePlugin;
import org.eclipse.ui.console.IConsole;
import org.eclipse.ui.console.IOConsole;
import org.eclipse.ui.console.IOConsoleOutputStream;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;

/**
 * What a started program writes, in the Console view; the newest MiB of it. Written to by any thread,
 * which may have to wait for the view: the program then waits, too.
 */
final class ProgramConsole {
    private static final int KEPT_CHARS = 1 << 20;
    private static final int CONSOLES_AT_MOST = 10;

    private final IOConsoleOutputStream out;
    private final IOConsoleOutputStream err;
    private final IOConsoleOutputStream notes;
    private final ProgramText outText = new ProgramText();
    private final ProgramText errText = new ProgramText();

    /** Opens it, not in front of what the user looks at. */
    ProgramConsole(Display display, String command) {
        IOConsole console = new IOConsole(SafeText.line(command), KviewUi.BUNDLE_ID + ".program", null, true);
        console.setWaterMarks(KEPT_CHARS, KEPT_CHARS + (KEPT_CHARS >> 3));
        out = console.newOutputStream();
        err = console.newOutputStream();
        notes = console.newOutputStream();
        UiThread.wait(display, () -> {
            err.setColor(new Color(0xd3, 0x3a, 0x2c));
            notes.setColor(new Color(0x7f, 0x87, 0x90));
        });
        var manager = ConsolePlugin.getDefault().getConsoleManager();
        IConsole[] old = java.util.Arrays.stream(manager.getConsoles())
                .filter(c -> (KviewUi.BUNDLE_ID + ".program").equals(c.getType())).toArray(IConsole[]::new);
        if (old.length >= CONSOLES_AT_MOST) {
            manager.removeConsoles(new IConsole[] {old[0]});
        }
        manager.addConsoles(new IConsole[] {console});
        manager.showConsoleView(console);
    }

    synchronized void output(boolean errorStream, byte[] bytes) {
        try {
            if (errorStream) {
                err.write(errText.add(bytes));
            } else {
                out.write(outText.add(bytes));
            }
        } catch (IOException e) {
            // The user closed the console: nobody wants to read this.
        }
    }

    /** A line that is not the program's. */
    void note(String sentence) {
        try {
            notes.write("\n" + SafeText.lines(sentence) + "\n");
        } catch (IOException e) {
            ILog.of(getClass()).info(sentence);
        }
    }
}
