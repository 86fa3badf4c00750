// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.ArrayDeque;
import java.util.Deque;

import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.ui.Ui;
import org.kview.ui.widgets.Banner;

/** What the window says, as one reads it. On the UI thread. */
final class WindowText {
    private WindowText() {
    }

    private static StringBuilder collect(Class<? extends Control> type) {
        StringBuilder text = new StringBuilder();
        Deque<Control> open = new ArrayDeque<>();
        open.add(Ui.page().getWorkbenchWindow().getShell());
        while (!open.isEmpty()) {
            Control control = open.remove();
            if (type.isInstance(control)) {
                switch (control) {
                    case Banner banner -> text.append(String.join("\n", banner.sentences()));
                    case Table table -> text(table, text);
                    default -> throw new IllegalArgumentException(type.toString());
                }
            }
            if (control instanceof Composite composite) {
                open.addAll(java.util.List.of(composite.getChildren()));
            }
        }
        return text;
    }

    private static void text(Table table, StringBuilder text) {
        for (TableItem item : table.getItems()) {
            for (int i = 0; i < table.getColumnCount(); i++) {
                text.append(item.getText(i)).append('\t');
            }
            text.append('\n');
        }
    }

    static String tables() {
        return collect(Table.class).toString();
    }

    static String banner() {
        return collect(Banner.class).toString();
    }
}
