// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;
import org.kview.ui.targets.TargetService;

/** The record wizard, filled in as a picture or an end-to-end test wants it. */
public final class WizardPose extends PosedWizard<RecordWizard> {
    private WizardPose(RecordWizard wizard) {
        super(wizard);
    }

    /** Opens it on the agent of this machine and chooses a process. */
    public static WizardPose open(String pid) throws InterruptedException {
        return open(Ui.get(TargetService::get).local().orElseThrow(), pid);
    }

    /** Opens it on a made-up host: a picture must not show what runs on the machine that it was taken on. */
    public static WizardPose openOnFakeHost() throws InterruptedException {
        FakeHost host = new FakeHost();
        host.cost(700_000_000L, 8_000_000_000L);
        host.calls(412_000, 19_600, 3_100, 204_000_000L);
        return open(FakeHost.connection(host), Integer.toString(FakeHost.SHOP_PID));
    }

    /** Opens it on a target and chooses a process. */
    public static WizardPose open(TargetConnection target, String pid) throws InterruptedException {
        WizardPose pose = Ui.get(() -> new WizardPose(new RecordWizard(List.of(target), RecordWizard.Preset.of(target),
                TemplateMenu.ofWorkspace(), Display.getCurrent(), Recordings::start)));
        ProcessPage page = pose.wizard().processPage();
        Ui.await("processes are listed", () -> page.table().getItemCount() > 0);
        Ui.run(() -> {
            for (int i = 0; i < page.table().getItemCount(); i++) {
                if (page.table().getItem(i).getText(0).equals(pid)) {
                    page.table().setSelection(i);
                    page.table().notifyListeners(SWT.Selection, new Event());
                }
            }
        });
        return pose;
    }

    @Override
    OptionsPage optionsPage() {
        return wizard().optionsPage();
    }

    /** Searches for all functions and ticks those of the demo whose names are known. */
    public void chooseFunctions() throws InterruptedException {
        FunctionPage page = wizard().functionPage();
        Ui.run(() -> dialog().showPage(page));
        Ui.await("functions are found", () -> !page.checks().functions().isEmpty());
        Ui.run(() -> {
            var functions = page.checks().functions();
            for (int i = 0; i < functions.size(); i++) {
                if (functions.get(i).name().matches("render_page|price_basket|flush_cache|fetch_rates|poll_queue")) {
                    page.checks().setChecked(i, true);
                }
            }
        });
    }

    /** Lets a survey choose the functions, and waits for it. */
    public void survey() throws InterruptedException {
        FunctionPage page = wizard().functionPage();
        Ui.run(() -> dialog().showPage(page));
        Ui.await("functions are found", () -> !page.checks().functions().isEmpty());
        Ui.run(() -> page.survey().button().notifyListeners(SWT.Selection, new Event()));
        Ui.await("the survey is over", () -> !page.survey().isSurveying());
        Ui.await("and its functions are ticked", () -> !page.functions().isEmpty());
        Ui.settle();
    }

    /** What the survey is said to have found. */
    public String surveyText() {
        return Ui.get(() -> wizard().functionPage().survey().statusText());
    }

    /** Goes on to what the chosen functions' probes will cost, and waits for the trial. */
    public void tryCost() throws InterruptedException {
        PricePage page = wizard().pricePage();
        Ui.run(() -> dialog().showPage(page));
        Ui.await("the trial is over", () -> !page.isTrying() && page.table().getItemCount() > 0);
    }
}
