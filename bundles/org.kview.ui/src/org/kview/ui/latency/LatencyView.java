// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.dnd.ImageTransfer;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.calls.CallBox;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.session.calls.CallSelector;
import org.kview.ui.KviewUi;
import org.kview.ui.calllist.CallsPage;
import org.kview.ui.calls.CallsListener;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Banner;

/** How long calls took over time, as a heat map. A box that is drawn in it selects calls, for all views. */
public final class LatencyView extends ViewPart implements CallsListener, SelectionListener, SessionListener {
    public static final String ID = KviewUi.VIEW_LATENCY;

    private static final long SECOND = 1_000_000_000L;

    private CallsService calls;
    private SelectionService selection;
    private SessionService session;
    private Banner banner;
    private Composite stack;
    private StackLayout pages;
    private CallsPage message;
    private LatencyCanvas canvas;
    private LatencyZoom zoom;
    private LatencyInput input;
    private HeatJob job;
    /** What was asked for last, and what is in sight. */
    private Optional<HeatRequest> drawn = Optional.empty();
    private Optional<HeatRequest> shown = Optional.empty();

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        calls = CallsService.get();
        selection = SelectionService.get();
        session = SessionService.get();
        banner = new Banner(parent);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        message = new CallsPage(stack, getSite(), "how their latency went by time");
        canvas = new LatencyCanvas(stack);
        zoom = new LatencyZoom(selection, () -> canvas.scene().picture(), this::whole, this::draw);
        input = new LatencyInput(canvas, zoom, selection);
        Display display = parent.getDisplay();
        job = new HeatJob(answer -> {
            if (!display.isDisposed()) {
                display.asyncExec(() -> show(answer));
            }
        });
        canvas.addListener(SWT.Resize, _ -> draw());
        // The theme was changed.
        canvas.addListener(SWT.Paint, _ -> drawn.filter(request -> request.dark() != canvas.isDark())
                .ifPresent(_ -> display.asyncExec(this::draw)));
        fillBars(getViewSite().getActionBars());
        calls.add(this);
        selection.add(this);
        session.add(this);
        callsChanged(calls.state());
    }

    private void fillBars(IActionBars bars) {
        IAction percentiles = Actions.choice("p50, p99", IAction.AS_CHECK_BOX,
                on -> canvas.show(canvas.scene().withPercentiles(on)));
        percentiles.setChecked(true);
        percentiles.setToolTipText("Draw over the cells which time half of the calls, and 99 of 100, did not exceed");
        bars.getToolBarManager().add(percentiles);
        IAction copy = Actions.keyed(Actions.of("&Copy Picture",
                () -> Actions.copy(canvas.getDisplay(), canvas.image(), ImageTransfer.getInstance())), ActionFactory.COPY);
        MenuManager context = new MenuManager();
        for (IMenuManager menu : List.of(bars.getMenuManager(), context)) {
            menu.add(Actions.of("Zoom &In (+)", () -> zoom.zoomTime(0.5, 0.5)));
            menu.add(Actions.of("Zoom &Out (-)", () -> zoom.zoomTime(0.5, 2)));
            menu.add(Actions.of("Zoom to &Selection (Enter)", input::zoomToSelection));
            menu.add(Actions.of("Show &All (0)", zoom::showAll));
            menu.add(new Separator());
            menu.add(Actions.of("Select &No Box (Esc)", input::clear));
            menu.add(new Separator());
            menu.add(copy);
        }
        bars.setGlobalActionHandler(ActionFactory.COPY.getId(), copy);
        canvas.setMenu(context.createContextMenu(canvas));
        bars.updateActionBars();
    }

    private Optional<CallBox.Range> whole() {
        return calls.state().store().flatMap(store -> store.ask(its -> its.time(session.host()))).flatMap(range -> range);
    }

    @Override
    public void callsChanged(CallsState state) {
        if (stack.isDisposed()) {
            return;
        }
        if (state instanceof CallsState.Stored(var store)) {
            banner.show(store.ask(its -> its.findings()).orElse(List.of()));
            show(canvas);
            draw();
            return;
        }
        job.forget();
        zoom.forget();
        drawn = Optional.empty();
        canvas.show(LatencyScene.EMPTY.withPercentiles(canvas.scene().percentiles()));
        banner.show(List.of());
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
        draw();
    }

    @Override
    public void sessionChanged(SessionState state) {
        draw();
    }

    private void draw() {
        if (canvas.isDisposed() || !(calls.state() instanceof CallsState.Stored(var store))) {
            return;
        }
        Optional<LatencySnapshot> figures = session.wholeFigures();
        if (figures.isEmpty()) {
            return;
        }
        CallSelection selected = selection.selection();
        canvas.show(canvas.scene().withTitle(title(figures.get(), selected)).withSelection(selected.time(), selected.wall(),
                selection.focus()));
        CallSelector brush = selected.selector(session.host());
        Instant start = figures.get().info().start();
        HeatRequest wanted = new HeatRequest(brush.withEnds(CallBox.Range.ALL).withWall(CallBox.Range.ALL),
                selected.hasBox() ? Optional.of(brush) : Optional.empty(), start.getEpochSecond() * SECOND + start.getNano(),
                selection.shown(), zoom.wall(), canvas.plot(), canvas.isDark());
        if (!drawn.equals(Optional.of(wanted))) {
            drawn = Optional.of(wanted);
            job.draw(store, wanted);
        }
    }

    private static String title(LatencySnapshot figures, CallSelection selected) {
        List<String> names = figures.functions().stream().map(FunctionLatency::function)
                .filter(function -> selected.functions().contains(function.id())).map(function -> function.name()).toList();
        String functions = names.isEmpty() ? "All functions" : names.size() == 1 ? names.getFirst()
                : names.getFirst() + " and " + (names.size() - 1) + " more";
        return functions + (selected.threads().isEmpty() ? "" : " · " + selected.threads().size() + " threads")
                + (selected.causes().isEmpty() ? "" : " · mostly " + String.join(", ", selected.causes().stream().sorted()
                        .map(cause -> cause.label()).toList()));
    }

    /** What came too late is of no interest. */
    private void show(HeatJob.Answer answer) {
        if (!canvas.isDisposed() && drawn.equals(Optional.of(answer.request()))) {
            String none = canvas.plot().height() == 0 ? "There is no room for the picture" : selection.shown().isPresent() ? "No calls returned in this time: 0 shows all"
                    : "None of these calls returned: select other functions";
            canvas.show(canvas.scene().with(answer.picture(), answer.summary(), none));
            shown = drawn;
        }
    }

    LatencyCanvas canvas() {
        return canvas;
    }

    LatencyZoom zoom() {
        return zoom;
    }

    CallsPage message() {
        return message;
    }

    Banner banner() {
        return banner;
    }

    /** Whether what was asked for last is shown, with its figures. */
    boolean isDrawn() {
        return drawn.isPresent() && shown.equals(drawn) && canvas.scene().summary().isPresent();
    }

    boolean isPicture() {
        return pages.topControl == canvas;
    }

    @Override
    public void setFocus() {
        pages.topControl.setFocus();
    }

    @Override
    public void dispose() {
        if (calls != null) {
            calls.remove(this);
            selection.remove(this);
            session.remove(this);
            job.forget();
        }
        super.dispose();
    }
}
