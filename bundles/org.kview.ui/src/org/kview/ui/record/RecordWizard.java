// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.eclipse.jface.wizard.Wizard;
import org.eclipse.swt.widgets.Display;
import org.kview.model.ProbePoint;
import org.kview.recording.RecordingRequest;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;

/** Asks what to record: on which target, of which process, which functions, how long and where to. */
public final class RecordWizard extends Wizard {

    /**
     * What is known before anything is asked.
     *
     * @param target   chosen at first
     * @param pid      of the process chosen at first
     * @param service  all processes of that one's service are to be recorded
     * @param template applied once a process is chosen
     */
    public record Preset(TargetConnection target, OptionalLong pid, boolean service, Optional<RecordingTemplate> template) {
        public static Preset of(TargetConnection target) {
            return new Preset(target, OptionalLong.empty(), false, Optional.empty());
        }

        public static Preset of(TargetConnection target, long pid) {
            return new Preset(target, OptionalLong.of(pid), false, Optional.empty());
        }

        public static Preset ofService(TargetConnection target, long pid) {
            return new Preset(target, OptionalLong.of(pid), true, Optional.empty());
        }

        public static Preset of(TargetConnection target, RecordingTemplate template) {
            return of(target, false, template);
        }

        /** @param service whether all processes of the service are recorded, of one that is going to be chosen */
        public static Preset of(TargetConnection target, boolean service, RecordingTemplate template) {
            return new Preset(target, OptionalLong.empty(), service, Optional.of(template));
        }
    }

    private final List<TargetConnection> targets;
    private final WizardEnd<TargetConnection> start;
    private final AgentQueries queries;
    private final ProcessPage processPage;
    private final FunctionPage functionPage;
    private final OptionsPage optionsPage;
    private final PricePage pricePage;

    /**
     * @param targets   to choose from
     * @param templates that can be applied and added to
     * @param start     gets what was asked for when the wizard is finished
     */
    public RecordWizard(List<TargetConnection> targets, Preset preset, TemplateStore templates, Display display,
            WizardEnd<TargetConnection> start) {
        this.targets = List.copyOf(targets);
        this.start = start;
        queries = new AgentQueries(preset.target(), display);
        processPage = new ProcessPage(queries, targets, preset.pid(), preset.service());
        optionsPage = new OptionsPage(processPage::executable, processPage::titled, processPage::isOfService, this::points);
        functionPage = new FunctionPage(queries, processPage, optionsPage, new TemplateMenu(templates),
                preset.template());
        pricePage = new PricePage(processPage, functionPage, optionsPage);
        setWindowTitle("Record");
        setHelpAvailable(false);
    }

    private List<ProbePoint> points() {
        return functionPage.functions().stream().map(FunctionInfo::point).toList();
    }

    @Override
    public void addPages() {
        addPage(processPage);
        addPage(functionPage);
        addPage(pricePage);
        addPage(optionsPage);
    }

    @Override
    public boolean canFinish() {
        return processPage.isPageComplete() && functionPage.isPageComplete() && optionsPage.isPageComplete()
                && getContainer().getCurrentPage() == optionsPage;
    }

    @Override
    public boolean performFinish() {
        return processPage.scope().map(scope -> {
            RecordingRequest request = new RecordingRequest(List.of(), functionPage.functions(),
                    optionsPage.session(), optionsPage.options(), functionPage.surveyed());
            TargetConnection target = queries.target();
            functionPage.whenQuiet(() -> pricePage.whenQuiet(() -> start.record(target, scope, request)));
            return true;
        }).orElse(false);
    }

    @Override
    public void dispose() {
        queries.close();
        super.dispose();
    }

    List<TargetConnection> targets() {
        return targets;
    }

    ProcessPage processPage() {
        return processPage;
    }

    FunctionPage functionPage() {
        return functionPage;
    }

    PricePage pricePage() {
        return pricePage;
    }

    OptionsPage optionsPage() {
        return optionsPage;
    }
}
