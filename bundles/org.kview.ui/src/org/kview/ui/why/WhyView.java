// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.why;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.calls.CallBox;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.TailReasons;
import org.kview.session.calls.TailReasons.Reason;
import org.kview.ui.KviewUi;
import org.kview.ui.calllist.CallsView;
import org.kview.ui.calls.view.CallsPart;
import org.kview.ui.calls.view.Reached;
import org.kview.ui.causes.Swatches;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.widgets.Actions;

/**
 * What is different about the calls that are selected, or about the slowest: sentences with numbers, what differs most first. Each
 * leads to the calls that it speaks of.
 */
public final class WhyView extends CallsPart<WhyJob.Wish> {
    public static final String ID = KviewUi.VIEW_WHY;

    private Swatches swatches;
    private ScrolledComposite scrolled;
    private Composite sentences;
    private WhyJob job;
    private List<String> text = List.of();
    /** What its sentences say. */
    private Optional<WhyJob.Answer> answered = Optional.empty();

    @Override
    protected String subject() {
        return "what is different about the slow ones";
    }

    @Override
    protected Control createPage(Composite parent) {
        scrolled = new ScrolledComposite(parent, SWT.V_SCROLL);
        scrolled.setExpandHorizontal(true);
        scrolled.setExpandVertical(true);
        scrolled.addListener(SWT.Resize, _ -> fit());
        sentences = new Composite(scrolled, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(10, 10).spacing(8, 8).applyTo(sentences);
        scrolled.setContent(sentences);
        Display display = parent.getDisplay();
        swatches = new Swatches(parent, this::refill);
        job = new WhyJob(onUiThread(this::show), unanswered());
        IAction copy = Actions.of("&Copy", () -> Actions.copy(display, copied()));
        Actions.global(getViewSite().getActionBars(), ActionFactory.COPY, copy);
        getViewSite().getActionBars().getMenuManager().add(copy);
        return scrolled;
    }

    @Override
    protected WhyJob job() {
        return job;
    }

    @Override
    protected void clear() {
        List.of(sentences.getChildren()).forEach(Control::dispose);
        text = List.of();
        answered = Optional.empty();
    }

    @Override
    protected void refresh(SessionCallStore store) {
        CallSelection selected = selection().selection();
        CallSelector box = selected.selector(session().host());
        want(new WhyJob.Wish(store, box.withEnds(CallBox.Range.ALL).withWall(CallBox.Range.ALL),
                selected.hasBox() ? Optional.of(box) : Optional.empty()));
    }

    void show(WhyJob.Answer answer) {
        if (!take(answer.wish())) {
            return;
        }
        List<Reason> reasons = isCompared(answer) ? answer.found().reasons() : List.of();
        // As calls are added all the time, sentences change under the hand of who is about to press one: it stays the same widget.
        if (reasons.isEmpty() || links().size() != reasons.size()) {
            clear();
            addText();
            IntStream.range(0, reasons.size()).forEach(this::addReason);
        }
        answered = Optional.of(answer);
        String head = head(answer);
        Label label = (Label) sentences.getChildren()[0];
        label.setFont(isCompared(answer) ? JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT) : JFaceResources.getDefaultFont());
        show(label, head);
        List<String> lines = new ArrayList<>(List.of(head));
        for (int i = 0; i < reasons.size(); i++) {
            show(reasons.get(i), (Label) sentences.getChildren()[2 * i + 1], links().get(i));
            lines.add(reasons.get(i).text());
        }
        if (isCompared(answer) && reasons.isEmpty()) {
            lines.add("Nothing about them differs from the others by more than chance.");
            show(addText(), lines.getLast());
        }
        text = List.copyOf(lines);
        sentences.layout(true, true);
        fit();
    }

    private void refill() {
        List<Reason> reasons = answered.filter(WhyView::isCompared).map(answer -> answer.found().reasons()).orElse(List.of());
        for (int i = 0; i < reasons.size(); i++) {
            dot(reasons.get(i), (Label) sentences.getChildren()[2 * i + 1]);
        }
    }

    private void dot(Reason reason, Label dot) {
        dot.setImage(reason.cause().map(swatches::of).orElse(null));
    }

    /** What it says, as it is copied. */
    String copied() {
        String all = String.join("\n", text);
        return answered.map(answer -> Reached.above(answer.wish().calls(), all)).orElse(all);
    }

    private static boolean isCompared(WhyJob.Answer answer) {
        return answer.found().tailCalls() > 0 && answer.found().restCalls() > 0;
    }

    private Label addText() {
        Label label = new Label(sentences, SWT.WRAP);
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(200, SWT.DEFAULT).applyTo(label);
        return label;
    }

    private static void show(Label label, String sentence) {
        label.setText(SafeText.lines(sentence).replace("&", "&&"));
    }

    private static String head(WhyJob.Answer answer) {
        TailReasons.Found found = answer.found();
        if (!isCompared(answer)) {
            return found.tailCalls() + found.restCalls() == 0 ? "No call is in the trace that could be explained."
                    : "There is nothing to compare: draw a box over some calls in Latency over Time, or select more functions.";
        }
        String which = answer.wish().box().isPresent() ? " selected" : " slowest, above " + LatencyFormat.nanos(answer.wall().least());
        return LatencyFormat.count(found.tailCalls()) + (found.tailCalls() == 1 ? " call" : " calls") + which + ": "
                + LatencyFormat.nanos(found.tailMeanNanos()) + " on average; the " + LatencyFormat.count(found.restCalls()) + " others: "
                + LatencyFormat.nanos(found.restMeanNanos()) + ".";
    }

    private void addReason(int index) {
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.BEGINNING).applyTo(new Label(sentences, SWT.NONE));
        Link link = new Link(sentences, SWT.WRAP);
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(link);
        link.addListener(SWT.Selection, _ -> answered.ifPresent(answer -> follow(answer, answer.found().reasons().get(index))));
    }

    private void show(Reason reason, Label dot, Link link) {
        dot(reason, dot);
        if (reason.cause().isEmpty()) {
            dot.setText("•");
        }
        // Names come from the host: only what is ours is markup.
        link.setText("<a>" + SafeText.line(reason.text()).replace("&", "&&").replace("<", "‹").replace(">", "›") + "</a>");
        link.setToolTipText(SafeText.line("Shows these calls: " + reason.evidence()));
    }

    /** Lists the calls that a sentence speaks of. */
    private void follow(WhyJob.Answer answer, Reason reason) {
        try {
            CallsView view = (CallsView) getSite().getPage().showView(KviewUi.VIEW_CALLS);
            if (answer.wish().box().isEmpty()) {
                selection().select(selection().selection().withBox(Optional.empty(), Optional.of(answer.wall())));
            }
            view.filter(reason.evidence());
        } catch (PartInitException e) {
            ILog.of(getClass()).log(e.getStatus());
        }
    }

    private void fit() {
        int width = Math.max(1, scrolled.getClientArea().width);
        scrolled.setMinHeight(sentences.computeSize(width, SWT.DEFAULT).y);
    }

    /** All sentences, the one on top first. */
    public List<String> text() {
        return text;
    }

    Optional<WhyJob.Answer> answered() {
        return answered;
    }

    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (Control child : sentences.getChildren()) {
            if (child instanceof Link link) {
                links.add(link);
            }
        }
        return links;
    }
}
