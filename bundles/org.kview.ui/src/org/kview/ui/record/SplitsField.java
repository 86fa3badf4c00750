// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.kview.model.CallSplits;
import org.kview.model.SyntaxException;

/** By which values figures are split: a label and a text. */
final class SplitsField {
    private static final String HELP = "Splits a function's figures by a value of its calls: arg0 to arg5, retval, comm (the thread's name) or tid;"
            + " the first 64 values have figures of their own. For one function its name and a colon come before it; a semicolon stands between.";

    private final Text text;

    SplitsField(Composite parent, Runnable changed) {
        new Label(parent, SWT.NONE).setText("Figures by &value:");
        text = new Text(parent, SWT.BORDER);
        text.setMessage("nothing, or such as arg1 or comm");
        text.setToolTipText(HELP);
        text.addListener(SWT.Modify, _ -> changed.run());
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(text);
    }

    void set(CallSplits splits) {
        text.setText(splits.toString());
    }

    /** Why it can't be understood, or not be had by jumps. */
    Optional<String> problem(boolean byJumps) {
        try {
            return CallSplits.parse(text.getText()).isEmpty() || !byJumps ? Optional.empty()
                    : Optional.of("Jumps count calls whatever their values: splitting figures needs traps.");
        } catch (SyntaxException e) {
            return Optional.of("Figures by, character " + e.column() + ": " + e.getMessage() + ".");
        }
    }

    /** Nothing where it can't be understood. */
    CallSplits splits() {
        try {
            return CallSplits.parse(text.getText());
        } catch (SyntaxException e) {
            return CallSplits.NONE;
        }
    }
}
