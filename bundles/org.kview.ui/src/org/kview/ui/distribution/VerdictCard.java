// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.PartInitException;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.model.Verdict;
import org.kview.session.report.FunctionNotes;
import org.kview.ui.KviewUi;
import org.kview.ui.calllist.CallsView;
import org.kview.ui.causes.CauseText;
import org.kview.ui.commands.Commands;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.theme.OwnColours;
import org.kview.ui.theme.Palette;

/**
 * Where a function's time went, in a sentence beside its cause's colour, and what to look at next. Its texts wrap, so that they can
 * be read however narrow it is; where they would leave the curves no room, they scroll. Its parent must have a grid layout.
 */
final class VerdictCard extends ScrolledComposite {
    private static final int BAR_WIDTH = 6;
    /** The bar, what stands between it and the texts, and the margins. */
    private static final int BESIDE = BAR_WIDTH + 3 * 8;
    private static final int LONGEST_NAME = 60;
    private static final String CALLS = "calls";
    private static final String WHY = "why";
    private static final String HELP = "help";
    private static final String AGAIN = "again";
    private static final String PREVIOUS = "previous";
    /** The heading in the documentation. */
    private static final String SECTION = "The verdict";

    private final IWorkbenchPartSite site;
    /** What it leaves of its parent's height. */
    private final int othersPixels;
    private final Composite content;
    private final Canvas bar;
    private final Label sentence;
    private final Link next;
    private Optional<Shown> shown = Optional.empty();

    /**
     * What can be done besides reading it.
     *
     * @param calls   whether the function's single calls can be looked at
     * @param compare whether the session can be held against an earlier one
     * @param again   whether it can be recorded again
     */
    record Can(boolean calls, boolean compare, boolean again) {
    }

    /**
     * What it shows.
     *
     * @param id    of the function, in the session's figures
     * @param can   what can be done besides
     */
    record Shown(int id, String sentence, Verdict verdict, Can can) {
        /** @param live whether the recording goes on, so that the function may still be called */
        static Shown of(int id, FunctionLatency function, boolean live, Can can) {
            String name = function.function().name();
            String verdict = live && function.calls() == 0 ? function.function().countsHits() ? "not hit yet" : "not called yet" : FunctionNotes.verdict(function);
            // The end of a long name tells more than its beginning.
            return new Shown(id, (name.length() <= LONGEST_NAME ? name : "…" + name.substring(name.length() - LONGEST_NAME + 1)) + " · "
                    + verdict, Verdict.of(function), can);
        }

        private boolean isJudged() {
            return verdict.share() > 0;
        }

        /** The parts that the sentence speaks of. */
        private Set<Metric> parts() {
            return Arrays.stream(Metric.values()).filter(verdict::tells).collect(Collectors.toSet());
        }
    }

    /** @param othersPixels how much of its parent's height it leaves to others, as long as a line of its own has room */
    VerdictCard(Composite parent, IWorkbenchPartSite site, int othersPixels) {
        super(parent, SWT.V_SCROLL);
        this.site = site;
        this.othersPixels = othersPixels;
        GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
        setVisible(false);
        setExpandHorizontal(true);
        setExpandVertical(true);
        content = new Composite(this, SWT.NONE);
        setContent(content);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(8, 3).spacing(8, 2).applyTo(content);
        bar = new Canvas(content, SWT.NO_FOCUS);
        OwnColours.keep(bar);
        GridDataFactory.fillDefaults().span(1, 2).hint(BAR_WIDTH, 1).applyTo(bar);
        MetricColours.follow(bar, () -> shown.ifPresent(this::colour));
        sentence = new Label(content, SWT.WRAP);
        sentence.setFont(JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(sentence);
        next = new Link(content, SWT.WRAP);
        next.addListener(SWT.Selection, event -> follow(event.text));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(next);
        addListener(SWT.Resize, _ -> fit());
        // How high it may be follows from its parent's height.
        parent.addListener(SWT.Resize, _ -> requestLayout());
    }

    @Override
    public Point computeSize(int width, int height, boolean changed) {
        Point all = content.computeSize(width, SWT.DEFAULT, changed);
        int most = Math.max(sentence.getFont().getFontData()[0].getHeight() * 3, getParent().getClientArea().height - othersPixels);
        return new Point(all.x, height == SWT.DEFAULT ? Math.min(all.y, most) : height);
    }

    /** Shows this, or goes away. */
    void show(Optional<Shown> wanted) {
        if (wanted.equals(shown)) {
            return;
        }
        shown = wanted;
        wanted.ifPresent(its -> {
            colour(its);
            sentence.setText(SafeText.line(its.sentence()).replace("&", "&&"));
            next.setText(SafeText.line(fitting(its)));
        });
        ((GridData) getLayoutData()).exclude = wanted.isEmpty();
        setVisible(wanted.isPresent());
        setMinHeight(content.computeSize(getClientArea().width, SWT.DEFAULT).y);
        setOrigin(0, 0);
        getParent().layout(true, true);
    }

    private void colour(Shown its) {
        bar.setBackground(its.isJudged() ? Palette.of(its.verdict().metric()) : new Color(0x80, 0x80, 0x80));
    }

    /** What comes next stands there where it fits beside the rest; it is in the menus as well. */
    private String fitting(Shown its) {
        next.setText(SafeText.line(next(its, true)));
        return next(its, next.computeSize(SWT.DEFAULT, SWT.DEFAULT).x <= getClientArea().width - BESIDE);
    }

    private void fit() {
        String before = next.getText();
        shown.ifPresent(its -> next.setText(SafeText.line(fitting(its))));
        setMinHeight(content.computeSize(getClientArea().width, SWT.DEFAULT).y);
        if (!next.getText().equals(before)) {
            getParent().layout(true, true);
        }
    }

    private static String next(Shown its, boolean all) {
        List<String> links = new ArrayList<>();
        String advice = "";
        if (its.isJudged()) {
            advice = (its.verdict().share() < 0.5 ? "No single reason: look next at " : "Look next at ")
                    + CauseText.next(its.verdict().metric()) + ".   ";
            if (its.can().calls()) {
                links.add(link(CALLS, "Its calls"));
                links.add(link(WHY, "Why slow"));
            }
        }
        if (all && its.can().compare()) {
            links.add(link(PREVIOUS, "Compare with previous"));
        }
        if (all && its.can().again()) {
            links.add(link(AGAIN, "Record again…"));
        }
        links.add(link(HELP, "Help"));
        return advice + String.join("  ·  ", links);
    }

    private static String link(String target, String text) {
        return "<a href=\"" + target + "\">" + text + "</a>";
    }

    private void follow(String target) {
        switch (target) {
            case HELP -> Commands.run(site, KviewUi.COMMAND_HELP, Map.of(KviewUi.PARAMETER_SECTION, SECTION));
            case PREVIOUS -> Commands.run(site, KviewUi.COMMAND_COMPARE_PREVIOUS);
            case AGAIN -> Commands.run(site, KviewUi.COMMAND_RECORD_AGAIN);
            default -> followToCalls(target);
        }
    }

    private void followToCalls(String target) {
        Shown its = shown.orElseThrow();
        CallSelection ofFunction = CallSelection.ALL.withFunctions(Set.of(its.id()));
        try {
            if (target.equals(CALLS)) {
                ((CallsView) site.getPage().showView(KviewUi.VIEW_CALLS)).filter("");
                SelectionService.get().select(ofFunction.withCauses(its.parts()));
            } else {
                site.getPage().showView(KviewUi.VIEW_WHY);
                SelectionService.get().select(ofFunction);
            }
        } catch (PartInitException e) {
            ILog.of(getClass()).log(e.getStatus());
        }
    }

    Optional<Shown> shown() {
        return shown;
    }

    Canvas bar() {
        return bar;
    }

    Label sentence() {
        return sentence;
    }

    Link next() {
        return next;
    }
}
