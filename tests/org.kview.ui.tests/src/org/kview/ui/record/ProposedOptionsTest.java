// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.recording.RecordingOptions;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;

/** The wizard proposes what the preferences say. */
class ProposedOptionsTest {
    private static final IEclipsePreferences PREFERENCES = InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);

    @AfterEach
    void forget() {
        List.of("record.seconds", "record.events", "record.waits", "record.budget").forEach(PREFERENCES::remove);
    }

    private static RecordingOptions proposed() {
        return Ui.get(() -> {
            Shell shell = new Shell(SWT.NONE);
            OptionsPage page = new OptionsPage(() -> "shop", name -> name);
            page.createControl(shell);
            RecordingOptions options = page.options();
            shell.dispose();
            return options;
        });
    }

    @Test
    void withoutThemItGoesOnUntilItIsStopped() {
        RecordingOptions options = proposed();
        assertThat(options.duration()).isEmpty();
        assertThat(options.events()).isTrue();
        assertThat(options.waits()).isFalse();
        assertThat(options.budget()).isEqualTo(Budget.DEFAULT);
    }

    @Test
    void whatIsPreferredIsProposed() {
        PREFERENCES.putInt("record.seconds", 30);
        PREFERENCES.putBoolean("record.events", false);
        PREFERENCES.putBoolean("record.waits", true);
        PREFERENCES.put("record.budget", "none");
        RecordingOptions options = proposed();
        assertThat(options.duration()).contains(Duration.ofSeconds(30));
        assertThat(options.events()).isFalse();
        assertThat(options.waits()).isTrue();
        assertThat(options.budget()).isEqualTo(Budget.NONE);
    }
}
