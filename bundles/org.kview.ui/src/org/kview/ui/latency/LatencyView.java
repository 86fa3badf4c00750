// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.ImageTransfer;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.calls.CallBox;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.calls.view.CallsPart;
import org.kview.ui.calls.view.Reached;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Banner;
import org.kview.ui.widgets.CopyJob;

/** How long calls took over time, as a heat map. A box that is drawn in it selects calls, for all views. */
public final class LatencyView extends CallsPart<HeatJob.Wish> {
    public static final String ID = KviewUi.VIEW_LATENCY;

    private static final long SECOND = 1_000_000_000L;

    private Banner banner;
    private LatencyCanvas canvas;
    private LatencyZoom zoom;
    private LatencyInput input;
    private HeatJob job;

    @Override
    protected String subject() {
        return "how long its calls took, over time";
    }

    @Override
    protected void createHead(Composite parent) {
        banner = new Banner(parent);
    }

    @Override
    protected Control createPage(Composite parent) {
        canvas = new LatencyCanvas(parent);
        zoom = new LatencyZoom(selection(), () -> canvas.scene().picture(), this::whole, this::refresh);
        input = new LatencyInput(canvas, zoom, selection());
        job = new HeatJob(onUiThread(this::show), unanswered());
        canvas.addListener(SWT.Resize, _ -> refresh());
        // The theme was changed.
        canvas.addListener(SWT.Paint, _ -> wished().filter(wish -> wish.request().dark() != canvas.isDark())
                .ifPresent(_ -> UiThread.later(canvas.getDisplay(), this::refresh)));
        fillBars(getViewSite().getActionBars());
        return canvas;
    }

    @Override
    protected HeatJob job() {
        return job;
    }

    private void fillBars(IActionBars bars) {
        IAction percentiles = Actions.choice("p50, p99", IAction.AS_CHECK_BOX,
                on -> canvas.show(canvas.scene().withPercentiles(on)));
        percentiles.setChecked(true);
        percentiles.setToolTipText("Draw over the cells which time half of the calls, and 99 of 100, did not exceed");
        bars.getToolBarManager().add(percentiles);
        IAction copy = Actions.keyed(Actions.of("&Copy Picture",
                () -> Actions.copy(canvas.getDisplay(), image(), ImageTransfer.getInstance())), ActionFactory.COPY);
        MenuManager context = new MenuManager();
        for (IMenuManager menu : List.of(bars.getMenuManager(), context)) {
            menu.add(Actions.of("Zoom &In (+)", () -> zoom.zoomTime(0.5, 0.5)));
            menu.add(Actions.of("Zoom &Out (-)", () -> zoom.zoomTime(0.5, 2)));
            menu.add(Actions.of("Zoom to &Selection (Enter)", input::zoomToSelection));
            menu.add(Actions.of("Show &All (0)", zoom::showAll));
            zoom.history().addTo(menu);
            menu.add(new Separator());
            menu.add(Actions.of("Select &No Box (Esc)", input::clear));
            menu.add(new Separator());
            menu.add(copy);
            menu.add(Actions.of("Copy as CS&V", this::copyCells));
        }
        bars.setGlobalActionHandler(ActionFactory.COPY.getId(), copy);
        zoom.history().install(bars);
        canvas.setMenu(context.createContextMenu(canvas));
        bars.updateActionBars();
    }

    private void copyCells() {
        long start = session().wholeFigures().map(figures -> figures.info().start()).map(LatencyView::nanos).orElse(0L);
        canvas.scene().picture().ifPresent(picture -> CopyJob.start(canvas.getDisplay(), "how many calls took how long when",
                () -> Optional.of(csv(picture, start))));
    }

    private String csv(HeatPicture picture, long start) {
        return seen().map(calls -> Reached.above(calls, picture.csv(start))).orElseGet(() -> picture.csv(start));
    }

    /** The picture as it is copied: which calls it is of, if not all, stands in it as well. */
    ImageData image() {
        LatencyScene scene = canvas.scene();
        return canvas.image(scene.withTitle(scene.title() + seen().flatMap(Reached::of).map(until -> " · " + until).orElse("")));
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * SECOND + time.getNano();
    }

    private Optional<CallBox.Range> whole() {
        return store().flatMap(store -> wholeTime(store, session().host()));
    }

    @Override
    protected void found(SessionCallStore store) {
        banner.show(store.ask(StoredSession::findings).orElse(List.of()));
    }

    @Override
    protected void clear() {
        zoom.forget();
        canvas.show(LatencyScene.EMPTY.withPercentiles(canvas.scene().percentiles()));
        banner.show(List.of());
    }

    @Override
    protected void refresh(SessionCallStore store) {
        Optional<LatencySnapshot> figures = session().wholeFigures();
        if (figures.isEmpty()) {
            return;
        }
        zoom.note();
        CallSelection selected = selection().selection();
        canvas.show(canvas.scene().withTitle(title(figures.get(), selected)).withSelection(selected.time(), selected.wall(),
                selection().focus()));
        CallSelector brush = selected.selector(session().host());
        Instant start = figures.get().info().start();
        want(new HeatJob.Wish(store, new HeatRequest(brush.withEnds(CallBox.Range.ALL).withWall(CallBox.Range.ALL),
                selected.hasBox() ? Optional.of(brush) : Optional.empty(), nanos(start),
                selection().shown(), zoom.wall(), canvas.plot(), canvas.isDark())));
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

    private void show(HeatJob.Answer answer) {
        if (take(answer.wish())) {
            canvas.show(canvas.scene().with(answer.picture(), answer.summary(), instead()));
        }
    }

    /** What stands there if there are no calls to draw. */
    private String instead() {
        if (canvas.plot().height() == 0) {
            return "There is no room for the picture";
        }
        if (whole().isEmpty()) {
            return "No call in the trace returned";
        }
        return selection().shown().isPresent() ? "No calls returned in this time: 0 shows all"
                : "None of these calls returned: select other functions";
    }

    LatencyCanvas canvas() {
        return canvas;
    }

    LatencyZoom zoom() {
        return zoom;
    }

    Banner banner() {
        return banner;
    }

    /** With its figures. */
    @Override
    protected boolean isAnswered() {
        return isShown() && canvas.scene().summary().isPresent();
    }
}
