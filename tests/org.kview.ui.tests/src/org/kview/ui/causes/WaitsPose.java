// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.eclipse.swt.widgets.Table;
import org.kview.ui.Ui;

/** What the Waits view shows. */
public final class WaitsPose {
    private WaitsPose() {
    }

    static WaitsView view() {
        return Ui.view(WaitsView.ID, WaitsView.class);
    }

    /** The cells of each line by the titles of their columns. */
    public static List<Map<String, String>> lines() {
        WaitsView view = view();
        return texts(view).stream().map(line -> Arrays.stream(WaitColumn.values())
                .collect(Collectors.toMap(WaitColumn::title, column -> line.get(column.ordinal())))).toList();
    }

    static List<List<String>> texts(WaitsView view) {
        return Ui.get(() -> {
            Table table = view.table();
            List<List<String>> lines = new ArrayList<>();
            for (int i = 0; i < table.getItemCount(); i++) {
                int line = i;
                lines.add(Arrays.stream(WaitColumn.values()).map(column -> table.getItem(line).getText(column.ordinal())).toList());
            }
            return lines;
        });
    }

    /** What is said where there is no list. */
    public static Optional<String> message() {
        return Ui.get(view()::message);
    }

    /** What is copied, by lines. */
    public static List<String> csv() {
        return List.of(Ui.get(view()::csv).split("\r\n"));
    }
}
