// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.junit.jupiter.api.Test;
import org.kview.ui.Ui;

/** What is done by Alt and letters: each letter means one entry of a menu. */
class MnemonicsTest {
    @Test
    void noTwoEntriesOfAMenuHaveOneLetter() {
        Ui.run(() -> {
            Menu bar = Ui.page().getWorkbenchWindow().getShell().getMenuBar();
            assertThat(letters(bar)).hasSizeGreaterThan(3).doesNotHaveDuplicates();
            for (MenuItem item : bar.getItems()) {
                item.getMenu().notifyListeners(SWT.Show, new Event());
                assertThat(letters(item.getMenu())).as(item.getText()).isNotEmpty().doesNotHaveDuplicates();
                item.getMenu().notifyListeners(SWT.Hide, new Event());
            }
        });
    }

    private static List<String> letters(Menu menu) {
        return Stream.of(menu.getItems()).map(MenuItem::getText).filter(text -> text.matches(".*&[^&].*"))
                .map(text -> text.replaceFirst(".*?&([^&]).*", "$1").toLowerCase(Locale.ROOT)).toList();
    }
}
