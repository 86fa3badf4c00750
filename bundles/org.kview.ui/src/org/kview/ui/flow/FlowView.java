// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.Optional;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.record.TrialRule;
import org.kview.ui.text.Sentence;
import org.kview.ui.widgets.MessagePage;

/** Which way the slowest calls of a system call of a process took through the kernel. */
public final class FlowView extends ViewPart {
    private static final String AGAIN = "<a href=\"again\">Try again</a>";

    private final StackLayout pages = new StackLayout();
    private Composite area;
    private MessagePage message;
    private FlowPage page;
    private FlowActions actions;
    private Optional<FlowJob> running = Optional.empty();
    private Optional<FlowJob.Question> last = Optional.empty();

    /** Asks which system call of a process to follow, and shows it in the view of that page. */
    public static void ask(IWorkbenchPage page, TargetConnection target, ProcessInfo process) {
        FollowDialog dialog = new FollowDialog(page.getWorkbenchWindow().getShell(), process, target.name(), FlowWish.last());
        if (dialog.open() != Window.OK) {
            return;
        }
        FlowWish wish = dialog.wish().orElseThrow();
        wish.keep();
        try {
            ((FlowView) page.showView(KviewUi.VIEW_FLOW)).follow(new FlowJob.Question(target, process, wish));
        } catch (PartInitException e) {
            ILog.of(FlowView.class).log(e.getStatus());
        }
    }

    @Override
    public void createPartControl(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        area.setLayout(pages);
        message = new MessagePage(area, this::linkChosen);
        page = new FlowPage(area);
        actions = new FlowActions(page, () -> last.ifPresent(asked -> ask(getSite().getPage(), asked.target(), asked.process())));
        actions.install(getViewSite());
        say("No system call was followed yet", "Choose a process in the Processes view, and Follow a System Call… in its menu: here stands which"
                + " way the slowest calls took through the kernel.", "<a href=\"processes\">Processes</a>");
    }

    /** Ends what is followed now, if anything is; its calls are dropped. */
    void follow(FlowJob.Question question) {
        running.ifPresent(FlowJob::cancel);
        Display display = area.getDisplay();
        FlowJob job = new FlowJob(question);
        job.addJobChangeListener(new JobChangeAdapter() {
            @Override
            public void done(IJobChangeEvent event) {
                UiThread.later(display, () -> ended(job, event.getResult()));
            }
        });
        // It begins when what was cancelled has ended.
        job.setRule(TrialRule.INSTANCE);
        running = Optional.of(job);
        last = Optional.of(question);
        actions.update(true);
        name(question);
        say("Following " + what(question) + "…", "For " + question.wish().seconds() + " s, and some seconds more to hook the functions of the"
                + " kernel, and to leave them.", "<a href=\"end\">End now</a>");
        job.schedule();
    }

    /** After what it shows. */
    private void name(FlowJob.Question question) {
        setPartName(SafeText.line("Flow of " + question.wish().systemCall()));
    }

    private static String what(FlowJob.Question question) {
        return question.wish().systemCall() + " in " + question.who() + " on " + question.host();
    }

    private void ended(FlowJob job, IStatus result) {
        if (area.isDisposed() || running.filter(job::equals).isEmpty()) {
            return;
        }
        running = Optional.empty();
        if (job.found().isPresent()) {
            show(job.found().get());
        } else if (result.getSeverity() == IStatus.CANCEL) {
            say("Nothing was followed", "It was ended before it began.", AGAIN + before());
        } else {
            say("Can't follow " + what(job.question()), Sentence.of(result.getMessage()), AGAIN + before());
        }
    }

    private void show(FollowedFlow flow) {
        if (flow.flow().calls().isEmpty()) {
            say("No way to show", flow.summary() + "\n\n" + String.join("\n\n", flow.caveats()), AGAIN + before());
        } else {
            page.show(flow);
            show(page.control());
        }
    }

    /** A link to what was found before, if anything was. */
    private String before() {
        return page.shown().isEmpty() ? "" : "   <a href=\"before\">Show the calls from before</a>";
    }

    private void say(String title, String text, String links) {
        message.show(title.replace("&", "&&"), text.replace("&", "&&"), links);
        show(message);
    }

    private void show(Control shown) {
        if (pages.topControl != shown) {
            pages.topControl = shown;
            area.layout();
        }
    }

    /** Until the host has answered there is nothing else to show. */
    private void end(FlowJob job) {
        job.cancel();
        say("Ending " + what(job.question()) + "…", "The kernel's functions are let go of; then the calls that were seen are shown.", "");
    }

    private void linkChosen(String link) {
        switch (link) {
            case "end" -> running.ifPresent(this::end);
            case "again" -> last.ifPresent(this::follow);
            case "before" -> page.shown().ifPresent(before -> {
                name(before.question());
                show(page.control());
            });
            default -> {
                try {
                    getSite().getPage().showView(KviewUi.VIEW_PROCESSES);
                } catch (PartInitException e) {
                    ILog.of(getClass()).log(e.getStatus());
                }
            }
        }
    }

    FlowPage page() {
        return page;
    }

    FlowActions actions() {
        return actions;
    }

    /** What stands there instead of calls, as a screen reader would say it; empty while there are some. */
    String messageText() {
        return pages.topControl == message ? message.text() : "";
    }

    MessagePage message() {
        return message;
    }

    @Override
    public void setFocus() {
        if (pages.topControl == message) {
            area.setFocus();
        } else {
            page.setFocus();
        }
    }

    /** Who closes the view wants no calls any more, and the process need not pay for them. */
    @Override
    public void dispose() {
        running.ifPresent(FlowJob::cancel);
        super.dispose();
    }
}
