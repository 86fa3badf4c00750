// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.IViewSite;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.report.ComparisonHtml;
import org.kview.compare.report.ComparisonPictures;
import org.kview.compare.report.ComparisonText;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.commands.Commands;
import org.kview.ui.distribution.DistributionCanvas;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Banner;
import org.kview.ui.widgets.HtmlExport;
import org.kview.ui.widgets.MessagePage;

/** Two sessions, or two groups of them, side by side: what changed, by how much, and whether that is more than noise. */
public final class CompareView extends ViewPart {
    public static final String ID = KviewUi.VIEW_COMPARE;

    /** If the view is lower than this, the figures stand beside the table, and there is no room for the distributions. */
    private static final int LEAST_HEIGHT = 420;
    /** Of the distributions and the figures; those of groups have a column more. */
    private static final int[] WEIGHTS_OF_PAIR = {45, 55};
    private static final int[] WEIGHTS_OF_GROUPS = {37, 63};

    private Optional<ComparedPaths> sessions = Optional.empty();
    private Optional<Comparison> comparison = Optional.empty();
    private Optional<Job> job = Optional.empty();
    private Banner banner;
    private Label summary;
    private Composite stack;
    private Display display;
    private StackLayout pages;
    private MessagePage message;
    private SashForm content;
    private SashForm details;
    private CompareTable table;
    private DistributionCanvas canvas;
    private ChangesTable changes;
    private Action swap;
    private Action export;

    /**
     * Opens a view of its own for a comparison.
     *
     * @param a the session before, a folder or zip
     * @param b the session after
     */
    public static CompareView open(IWorkbenchPage page, Path a, Path b) {
        return open(page, new ComparedPaths(List.of(a), List.of(b)));
    }

    /** Likewise for one or several sessions a side. */
    static CompareView open(IWorkbenchPage page, ComparedPaths paths) {
        try {
            CompareView view = (CompareView) page.showView(ID, UUID.randomUUID().toString(), IWorkbenchPage.VIEW_ACTIVATE);
            view.compare(paths);
            return view;
        } catch (PartInitException e) {
            throw new IllegalStateException("The Compare view can't be opened", e);
        }
    }

    @Override
    public void init(IViewSite site, IMemento memento) throws PartInitException {
        super.init(site, memento);
        if (memento != null) {
            sessions = ComparedPaths.restore(memento);
        }
    }

    @Override
    public void saveState(IMemento memento) {
        sessions.ifPresent(s -> s.save(memento));
    }

    @Override
    public void createPartControl(Composite parent) {
        display = parent.getDisplay();
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        banner = new Banner(parent);
        summary = new Label(parent, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 5).grab(true, false).applyTo(summary);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().indent(0, 5).grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        message = new MessagePage(stack, command -> Commands.run(getSite(), command));
        createContent();
        createActions();
        sessions.ifPresentOrElse(this::compare, () -> showMessage("Nothing is compared",
                "Choose sessions before and after: what differs shows here. Three or more a side show whether the program"
                        + " changed."));
    }

    private void createContent() {
        content = new SashForm(stack, SWT.VERTICAL);
        table = new CompareTable(content);
        details = new SashForm(content, SWT.HORIZONTAL);
        canvas = new DistributionCanvas(details);
        canvas.setEmptyText("Select a function that both sessions have");
        changes = new ChangesTable(details);
        details.setWeights(WEIGHTS_OF_PAIR);
        content.setWeights(45, 55);
        table.control().addListener(SWT.Selection, event -> showSelected());
        content.addListener(SWT.Resize, event -> {
            boolean low = content.getClientArea().height < LEAST_HEIGHT;
            content.setOrientation(low ? SWT.HORIZONTAL : SWT.VERTICAL);
            // There is no room for both.
            details.setMaximizedControl(low ? changes.control() : null);
        });
    }

    private void createActions() {
        swap = action("Swap A and B", "Compare the other way round", this::swap);
        export = action("Export as HTML…", "Write the comparison as one HTML file",
                () -> comparison.ifPresent(c -> HtmlExport.ask(HtmlExport.dialog(getSite().getShell(), "Export Comparison",
                        sessions.map(compared -> compared.b().getFirst().getParent()), "comparison.html"), () -> ComparisonHtml.of(c))));
        Action copy = action("&Copy", "Copy the table", this::copy);
        IActionBars bars = getViewSite().getActionBars();
        bars.getToolBarManager().add(swap);
        bars.getToolBarManager().add(new Separator());
        bars.getToolBarManager().add(export);
        bars.getMenuManager().add(swap);
        bars.getMenuManager().add(export);
        bars.getMenuManager().add(copy);
        Actions.global(bars, ActionFactory.COPY, copy);
        bars.updateActionBars();
    }

    private static Action action(String text, String tip, Runnable work) {
        Action action = Actions.of(text, work);
        action.setToolTipText(SafeText.line(tip));
        return action;
    }

    /** Compares in place of what is shown. */
    void compare(ComparedPaths paths) {
        job.ifPresent(Job::cancel);
        sessions = Optional.of(paths);
        setPartName(SafeText.line(paths.title()));
        setTitleToolTip(SafeText.lines(paths.tip()));
        showMessage("Comparing…", paths.title());
        CompareJob next = new CompareJob(paths, result -> later(paths, () -> show(result)),
                sentence -> later(paths, () -> showFailure(sentence)));
        job = Optional.of(next);
        next.schedule();
    }

    /** Runs work on the UI thread, unless the view is closed by then or shows something else. */
    private void later(ComparedPaths wanted, Runnable work) {
        UiThread.later(display, () -> {
            if (!stack.isDisposed() && sessions.equals(Optional.of(wanted))) {
                work.run();
            }
        });
    }

    private void swap() {
        sessions.ifPresent(s -> compare(s.swapped()));
    }

    void show(Comparison result) {
        comparison = Optional.of(result);
        banner.show(result.warnings());
        summary.setText(SafeText.lines((ComparisonText.summary(result) + "   A: " + result.nameA() + "   B: " + result.nameB())
                .replace("&", "&&")));
        details.setWeights(result.isPair() ? WEIGHTS_OF_PAIR : WEIGHTS_OF_GROUPS);
        table.show(CompareRow.of(result));
        showSelected();
        if (result.all() == 0) {
            message.show("Nothing to compare", "Neither session holds a function.", "");
            show(message);
        } else {
            show(content);
        }
        enable();
    }

    private void showFailure(String sentence) {
        showMessage("The sessions can't be compared", sentence);
    }

    private void showMessage(String title, String text) {
        comparison = Optional.empty();
        banner.show(List.of());
        summary.setText("");
        message.show(title, text, "<a href=\"" + KviewUi.COMMAND_COMPARE + "\">Choose sessions…</a>");
        show(message);
        enable();
    }

    private void show(Control page) {
        pages.topControl = page;
        stack.layout();
    }

    private void enable() {
        swap.setEnabled(sessions.isPresent());
        export.setEnabled(comparison.isPresent());
    }

    private void showSelected() {
        Optional<FunctionComparison> function = table.selection().flatMap(CompareRow::function);
        changes.show(comparison, function);
        canvas.show(function.map(FunctionComparison::name).orElse(""),
                function.map(f -> ComparisonPictures.series(f.pair())).orElse(List.of()));
    }

    private void copy() {
        Actions.copy(stack.getDisplay(), table.tsv());
    }

    Optional<Comparison> shown() {
        return comparison;
    }

    CompareTable table() {
        return table;
    }

    ChangesTable changes() {
        return changes;
    }

    DistributionCanvas canvas() {
        return canvas;
    }

    Banner banner() {
        return banner;
    }

    Action swapAction() {
        return swap;
    }

    String summaryText() {
        return summary.getText();
    }

    String messageText() {
        return pages.topControl == message ? message.text() : "";
    }

    @Override
    public void setFocus() {
        (pages.topControl == content ? table.control() : message).setFocus();
    }

    @Override
    public void dispose() {
        job.ifPresent(Job::cancel);
        super.dispose();
    }
}
