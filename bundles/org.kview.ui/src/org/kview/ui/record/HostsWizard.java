// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.eclipse.jface.wizard.Wizard;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.recording.template.RecordingTemplate;
import org.kview.targets.registry.TargetConnection;

/** Asks what to record on several hosts at once, into one session. */
final class HostsWizard extends Wizard {
    private final List<TargetConnection> targets;
    private final WizardEnd<List<TargetConnection>> start;
    private final HostsPage hostsPage;
    private final OptionsPage optionsPage;

    /**
     * @param targets   at least two
     * @param templates that can be applied
     * @param start     gets what was asked for when the wizard is finished
     */
    HostsWizard(List<TargetConnection> targets, List<RecordingTemplate> templates,
            WizardEnd<List<TargetConnection>> start) {
        this.targets = List.copyOf(targets);
        this.start = start;
        hostsPage = new HostsPage(targets, templates, template -> optionsPage().apply(template));
        optionsPage = new OptionsPage(hostsPage::process, page -> page + " of " + hostsPage.process());
        setWindowTitle("Record on Several Hosts");
        setHelpAvailable(false);
    }

    @Override
    public void addPages() {
        addPage(hostsPage);
        addPage(optionsPage);
    }

    @Override
    public boolean canFinish() {
        return super.canFinish() && getContainer().getCurrentPage() == optionsPage;
    }

    @Override
    public boolean performFinish() {
        start.record(targets, new ScopeSpec.Named(hostsPage.process()), new RecordingRequest(hostsPage.probes(), List.of(),
                optionsPage.session(), optionsPage.options()));
        return true;
    }

    HostsPage hostsPage() {
        return hostsPage;
    }

    OptionsPage optionsPage() {
        return optionsPage;
    }
}
