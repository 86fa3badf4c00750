// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.why;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.calls.CallBox;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.TailReasons;
import org.kview.session.calls.TailReasons.Reason;
import org.kview.ui.KviewUi;
import org.kview.ui.calllist.CallsPage;
import org.kview.ui.calllist.CallsView;
import org.kview.ui.calls.CallsListener;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.causes.Swatch;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Actions;

/**
 * What is different about the calls that are selected, or about the slowest: sentences with numbers, what differs most first. Each
 * leads to the calls that it speaks of.
 */
public final class WhyView extends ViewPart implements CallsListener, SelectionListener, SessionListener {
    public static final String ID = KviewUi.VIEW_WHY;

    private final Map<Metric, Image> swatches = new EnumMap<>(Metric.class);
    private CallsService calls;
    private SelectionService selection;
    private SessionService session;
    private Composite stack;
    private StackLayout pages;
    private CallsPage message;
    private ScrolledComposite scrolled;
    private Composite sentences;
    private WhyJob job;
    private List<String> text = List.of();
    /** What was asked for last, and what is in sight. */
    private Optional<WhyJob.Wish> wished = Optional.empty();
    private Optional<WhyJob.Wish> shown = Optional.empty();

    @Override
    public void createPartControl(Composite parent) {
        calls = CallsService.get();
        selection = SelectionService.get();
        session = SessionService.get();
        stack = new Composite(parent, SWT.NONE);
        pages = new StackLayout();
        stack.setLayout(pages);
        message = new CallsPage(stack, getSite(), "what is different about the slow ones");
        scrolled = new ScrolledComposite(stack, SWT.V_SCROLL);
        scrolled.setExpandHorizontal(true);
        scrolled.setExpandVertical(true);
        scrolled.addListener(SWT.Resize, _ -> fit());
        sentences = new Composite(scrolled, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(10, 10).spacing(8, 8).applyTo(sentences);
        scrolled.setContent(sentences);
        for (Metric metric : Metric.values()) {
            swatches.put(metric, Swatch.of(parent.getDisplay(), metric));
        }
        Display display = parent.getDisplay();
        job = new WhyJob((wish, answer) -> {
            if (!display.isDisposed()) {
                display.asyncExec(() -> show(wish, answer));
            }
        });
        IAction copy = Actions.of("&Copy", () -> Actions.copy(display, String.join("\n", text)));
        Actions.global(getViewSite().getActionBars(), ActionFactory.COPY, copy);
        getViewSite().getActionBars().getMenuManager().add(copy);
        calls.add(this);
        selection.add(this);
        session.add(this);
        callsChanged(calls.state());
    }

    @Override
    public void callsChanged(CallsState state) {
        if (stack.isDisposed()) {
            return;
        }
        if (state instanceof CallsState.Stored) {
            show(scrolled);
            explain();
            return;
        }
        job.forget();
        wished = Optional.empty();
        shown = Optional.empty();
        message.show(state);
        show(message);
    }

    private void show(Control page) {
        if (pages.topControl != page) {
            pages.topControl = page;
            stack.layout(true, true);
        }
    }

    @Override
    public void selectionChanged(SelectionService changed) {
        explain();
    }

    @Override
    public void sessionChanged(SessionState state) {
        explain();
    }

    private void explain() {
        if (stack.isDisposed() || !(calls.state() instanceof CallsState.Stored(var store))) {
            return;
        }
        CallSelection selected = selection.selection();
        CallSelector box = selected.selector(session.host());
        WhyJob.Wish wish = new WhyJob.Wish(store, box.withEnds(CallBox.Range.ALL).withWall(CallBox.Range.ALL),
                selected.hasBox() ? Optional.of(box) : Optional.empty());
        if (!wished.equals(Optional.of(wish))) {
            wished = Optional.of(wish);
            job.explain(wish);
        }
    }

    /** What came too late is of no interest. */
    private void show(WhyJob.Wish wish, WhyJob.Answer answer) {
        if (stack.isDisposed() || !wished.equals(Optional.of(wish))) {
            return;
        }
        shown = wished;
        List.of(sentences.getChildren()).forEach(Control::dispose);
        TailReasons.Found found = answer.found();
        List<String> lines = new ArrayList<>();
        Label head = new Label(sentences, SWT.WRAP);
        head.setFont(JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT));
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(200, SWT.DEFAULT).applyTo(head);
        head.setText(SafeText.lines(head(wish, answer)).replace("&", "&&"));
        lines.add(head(wish, answer));
        found.reasons().forEach(reason -> {
            add(wish, answer, reason);
            lines.add(reason.text());
        });
        if (found.reasons().isEmpty()) {
            Label none = new Label(sentences, SWT.WRAP);
            GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(200, SWT.DEFAULT).applyTo(none);
            none.setText(SafeText.line(found.tailCalls() == 0 || found.restCalls() == 0
                    ? "There is nothing to compare: draw a box over some calls in Latency over Time, or select more functions."
                    : "Nothing about them differs from the others by more than chance."));
            lines.add(none.getText());
        }
        text = List.copyOf(lines);
        sentences.layout(true, true);
        fit();
    }

    private static String head(WhyJob.Wish wish, WhyJob.Answer answer) {
        TailReasons.Found found = answer.found();
        String which = wish.box().isPresent() ? " selected" : " slowest, above " + LatencyFormat.nanos(answer.wall().least());
        return LatencyFormat.count(found.tailCalls()) + (found.tailCalls() == 1 ? " call" : " calls") + which + ": "
                + LatencyFormat.nanos(found.tailMeanNanos()) + " on average; the " + LatencyFormat.count(found.restCalls()) + " others: "
                + LatencyFormat.nanos(found.restMeanNanos()) + ".";
    }

    private void add(WhyJob.Wish wish, WhyJob.Answer answer, Reason reason) {
        Label dot = new Label(sentences, SWT.NONE);
        reason.cause().ifPresentOrElse(cause -> dot.setImage(swatches.get(cause)), () -> dot.setText("•"));
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.BEGINNING).applyTo(dot);
        Link link = new Link(sentences, SWT.WRAP);
        // Names come from the host: only what is ours is markup.
        link.setText("<a>" + SafeText.line(reason.text()).replace("&", "&&").replace("<", "‹").replace(">", "›") + "</a>");
        link.setToolTipText(SafeText.line("Shows these calls: " + reason.evidence()));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(link);
        link.addListener(SWT.Selection, _ -> follow(wish, answer, reason));
    }

    /** Lists the calls that a sentence speaks of. */
    private void follow(WhyJob.Wish wish, WhyJob.Answer answer, Reason reason) {
        try {
            CallsView view = (CallsView) getSite().getPage().showView(KviewUi.VIEW_CALLS);
            if (wish.box().isEmpty()) {
                selection.select(selection.selection().withBox(Optional.empty(), Optional.of(answer.wall())));
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
    List<String> text() {
        return text;
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

    CallsPage message() {
        return message;
    }

    /** Whether what was asked for last is in sight. */
    boolean isExplained() {
        return shown.isPresent() && shown.equals(wished);
    }

    @Override
    public void setFocus() {
        pages.topControl.setFocus();
    }

    @Override
    public void dispose() {
        swatches.values().forEach(Image::dispose);
        if (calls != null) {
            calls.remove(this);
            selection.remove(this);
            session.remove(this);
            job.forget();
        }
        super.dispose();
    }
}
