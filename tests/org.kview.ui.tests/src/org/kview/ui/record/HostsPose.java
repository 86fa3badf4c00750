// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.kview.recording.template.RecordingTemplate;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;

/** The wizard for several hosts, opened and filled in as a user would. */
public final class HostsPose extends PosedWizard<HostsWizard> {
    private HostsPose(HostsWizard wizard) {
        super(wizard);
    }

    public static HostsPose open(List<TargetConnection> targets) {
        return open(targets, List.of());
    }

    static HostsPose open(List<TargetConnection> targets, List<RecordingTemplate> templates) {
        return Ui.get(() -> new HostsPose(new HostsWizard(targets, templates, Recordings::start)));
    }

    @Override
    OptionsPage optionsPage() {
        return wizard().optionsPage();
    }

    public void choose(String process, String probes) {
        Ui.run(() -> wizard().hostsPage().set(process, probes));
    }
}
