/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

import org.eclipse.jface.wizard.Wizard;
import org.eclipse.swt.widgets.Display;
import org.kview.recording.RecordingRequest;
import org.kview.target.Target;

/** Asks what to record: of which process, which functions, how long and where to. */
public final class RecordWizard extends Wizard {
    private final Target target;
    private final BiConsumer<Target, RecordingRequest> start;
    private final AgentQueries queries;
    private final ProcessPage processPage;
    private final FunctionPage functionPage;
    private final OptionsPage optionsPage;

    /** @param start gets what was asked for when the wizard is finished */
    public RecordWizard(Target target, Display display, BiConsumer<Target, RecordingRequest> start) {
        this.target = target;
        this.start = start;
        queries = new AgentQueries(target, display);
        processPage = new ProcessPage(queries);
        functionPage = new FunctionPage(queries, processPage);
        optionsPage = new OptionsPage(processPage);
        setWindowTitle("Record on This Machine");
        setHelpAvailable(false);
    }

    @Override
    public void addPages() {
        addPage(processPage);
        addPage(functionPage);
        addPage(optionsPage);
    }

    @Override
    public boolean canFinish() {
        return processPage.isPageComplete() && functionPage.isPageComplete() && optionsPage.isPageComplete()
                && getContainer().getCurrentPage() == optionsPage;
    }

    @Override
    public boolean performFinish() {
        return processPage.subject().map(subject -> {
            start.accept(target, new RecordingRequest(subject, List.of(), functionPage.functions(),
                    optionsPage.events(), optionsPage.filter(), optionsPage.duration(), Duration.ZERO,
                    optionsPage.session()));
            return true;
        }).orElse(false);
    }

    @Override
    public void dispose() {
        queries.close();
        super.dispose();
    }

    ProcessPage processPage() {
        return processPage;
    }

    FunctionPage functionPage() {
        return functionPage;
    }

    OptionsPage optionsPage() {
        return optionsPage;
    }
}
