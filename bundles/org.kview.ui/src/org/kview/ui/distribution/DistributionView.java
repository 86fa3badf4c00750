// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.ISelectionListener;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.calls.CallBox;
import org.kview.chart.ShareScale;
import org.kview.model.FunctionLatency;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;
import org.kview.ui.calls.CallsListener;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.record.DraggedProcess;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.session.memory.RemembersSession;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Banner;

/** How long the calls of the selected functions took, and how much of that they ran. */
public final class DistributionView extends ViewPart
        implements SessionListener, CallsListener, SelectionListener, ISelectionListener, RemembersSession {
    public static final String ID = KviewUi.VIEW_DISTRIBUTION;

    private static final String METRICS = "metrics";
    private static final String HEIGHTS = "heights";

    private final Set<Metric> metrics = EnumSet.of(Metric.WALL, Metric.ON_CPU);
    private final Map<IAction, Set<Metric>> toggles = new LinkedHashMap<>();
    private List<ProbedFunction> selected = List.of();
    private SessionService service;
    private CallsService calls;
    private SelectionService selection;
    private VerdictCard card;
    /** What has to be known of the session that is laid over. */
    private Banner banner;
    private DistributionCanvas canvas;
    private OverlayActions overlays;
    private Optional<Overlay> overlay = Optional.empty();
    private IAction logarithmic;
    /** Those of both menus. */
    private final List<Map.Entry<ShareScale, IAction>> scales = new ArrayList<>();

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        card = new VerdictCard(parent, getSite(), DistributionCanvas.LEAST_HEIGHT);
        banner = new Banner(parent);
        canvas = new DistributionCanvas(parent);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(canvas);
        MetricColours.follow(canvas, () -> canvas.show(canvas.input()));
        // The Functions view takes processes, too, but may lie behind the view that they are dragged from.
        DraggedProcess.acceptedBy(canvas);
        fillBars(getViewSite().getActionBars());
        service = SessionService.get();
        service.add(this);
        calls = CallsService.get();
        calls.add(this);
        selection = SelectionService.get();
        selection.add(this);
        canvas.zoom().setBrush(brush());
        getSite().getPage().addSelectionListener(KviewUi.VIEW_FUNCTIONS, this);
        selectionChanged(this, getSite().getPage().getSelection(KviewUi.VIEW_FUNCTIONS));
    }

    private Brush brush() {
        return new Brush() {
            @Override
            public boolean isPossible() {
                return calls.state().store().isPresent();
            }

            @Override
            public Optional<CallBox.Range> selected() {
                return selection.selection().wall();
            }

            @Override
            public void select(Optional<CallBox.Range> wall) {
                selection.select(selection.selection().withBox(selection.selection().time(), wall));
            }
        };
    }

    private void fillBars(IActionBars bars) {
        IToolBarManager toolBar = bars.getToolBarManager();
        toolBar.add(toggle("Wall-clock", "Show how long calls took", EnumSet.of(Metric.WALL)));
        toolBar.add(toggle("On-CPU", "Show how long calls ran on a CPU", EnumSet.of(Metric.ON_CPU)));
        toolBar.add(toggle("Causes", "Show how long calls waited, cause by cause", EnumSet.copyOf(Metric.CAUSES)));
        logarithmic = Actions.choice("Log", IAction.AS_CHECK_BOX, on -> setHeights(on ? ShareScale.LOGARITHMIC : ShareScale.LINEAR));
        logarithmic.setToolTipText("Heights by powers of ten, which shows the few slow calls beside the many fast ones");
        toolBar.add(new Separator());
        toolBar.add(logarithmic);
        overlays = new OverlayActions(getSite(), other -> {
            overlay = other;
            refresh();
        });
        PictureActions pictures = new PictureActions(getSite(), canvas);
        MenuManager context = new MenuManager();
        for (IMenuManager menu : List.of(bars.getMenuManager(), context)) {
            menu.add(heightsMenu());
            menu.add(Actions.of("Zoom &In (+)", canvas.zoom()::zoomIn));
            menu.add(Actions.of("Zoom &Out (-)", canvas.zoom()::zoomOut));
            menu.add(Actions.of("Show &All Times (0)", canvas.zoom()::showAll));
            canvas.zoom().history().addTo(menu);
            menu.add(new Separator());
            overlays.addTo(menu);
            menu.add(new Separator());
            menu.add(pictures.copy());
            menu.add(pictures.copyCsv());
            menu.add(pictures.save());
        }
        bars.setGlobalActionHandler(ActionFactory.COPY.getId(), pictures.copy());
        canvas.zoom().history().install(bars);
        canvas.setMenu(context.createContextMenu(canvas));
        setHeights(ShareScale.LINEAR);
        bars.updateActionBars();
    }

    private MenuManager heightsMenu() {
        MenuManager menu = new MenuManager("&Heights");
        for (ShareScale scale : ShareScale.values()) {
            IAction choice = Actions.choice(switch (scale) {
                case LINEAR -> "&Shares of Calls";
                case LOGARITHMIC -> "Shares by &Powers of Ten";
                case CUMULATIVE -> "&Cumulative (CDF)";
                case PERCENTILES -> "P&ercentiles (HDR)";
            }, IAction.AS_RADIO_BUTTON, on -> {
                if (on) {
                    setHeights(scale);
                }
            });
            scales.add(Map.entry(scale, choice));
            menu.add(choice);
        }
        return menu;
    }

    private void setHeights(ShareScale scale) {
        canvas.setHeights(scale);
        logarithmic.setChecked(scale == ShareScale.LOGARITHMIC);
        scales.forEach(choice -> choice.getValue().setChecked(choice.getKey() == scale));
    }

    private IAction toggle(String text, String tip, Set<Metric> switched) {
        Action toggle = new Action(text, IAction.AS_CHECK_BOX) {
            @Override
            public void run() {
                if (isChecked()) {
                    metrics.addAll(switched);
                } else {
                    metrics.removeAll(switched);
                }
                refresh();
            }
        };
        toggle.setToolTipText(SafeText.lines(tip));
        toggle.setChecked(metrics.containsAll(switched));
        toggles.put(toggle, switched);
        return toggle;
    }

    @Override
    public void saveSession(IMemento memento) {
        memento.putString(METRICS, String.join(",", metrics.stream().map(Metric::id).toList()));
        memento.putString(HEIGHTS, canvas.heights().name());
    }

    @Override
    public void restoreSession(IMemento memento) {
        String kept = memento.getString(HEIGHTS);
        setHeights(Arrays.stream(ShareScale.values()).filter(scale -> scale.name().equals(kept)).findFirst().orElse(ShareScale.LINEAR));
        Optional.ofNullable(memento.getString(METRICS)).ifPresent(ids -> {
            List<String> shown = List.of(ids.split(","));
            metrics.clear();
            Arrays.stream(Metric.values()).filter(m -> shown.contains(m.id())).forEach(metrics::add);
            toggles.forEach((toggle, switched) -> toggle.setChecked(metrics.containsAll(switched)));
            refresh();
        });
    }

    @Override
    public void selectionChanged(IWorkbenchPart part, ISelection selection) {
        List<?> elements = selection instanceof IStructuredSelection structured ? structured.toList() : List.of();
        selected = elements.stream().filter(ProbedFunction.class::isInstance).map(ProbedFunction.class::cast).toList();
        refresh();
    }

    @Override
    public void sessionChanged(SessionState state) {
        if (state.snapshot().isEmpty()) {
            overlay = Optional.empty();
        }
        refresh();
    }

    @Override
    public void selectionChanged(SelectionService changed) {
        if (!canvas.isDisposed()) {
            canvas.refresh();
        }
    }

    @Override
    public void callsChanged(CallsState state) {
        if (!canvas.isDisposed()) {
            judge();
        }
    }

    private void refresh() {
        if (!canvas.isDisposed()) {
            canvas.show(service.state().snapshot()
                    .map(figures -> DistributionInput.of(figures, selected, EnumSet.copyOf(metrics)).with(overlay))
                    .orElse(DistributionInput.EMPTY));
            banner.show(canvas.input().warnings());
            judge();
        }
    }

    /** Of several functions the first one is judged. */
    private void judge() {
        boolean single = calls.state().store().isPresent() || calls.state() instanceof CallsState.Storing;
        boolean opened = service.state() instanceof SessionState.Opened;
        boolean again = opened && service.recording().isEmpty();
        // Which of the single calls have a value their events don't tell.
        card.show(canvas.input().functions().stream().findFirst().map(function -> VerdictCard.Shown.of(wholeId(function), function,
                service.state() instanceof SessionState.Recording, new VerdictCard.Can(single && !function.function().isOfValue(), opened, again))));
    }

    /** Its id in the figures of all hosts, which those of a single one may know by another. */
    private int wholeId(FunctionLatency function) {
        Object identity = MergedHosts.identity(function.function());
        return service.wholeFigures().stream().flatMap(figures -> figures.functions().stream()).map(FunctionLatency::function)
                .filter(other -> MergedHosts.identity(other).equals(identity)).map(ProbedFunction::id).findFirst()
                .orElse(function.function().id());
    }

    OverlayActions overlays() {
        return overlays;
    }

    VerdictCard card() {
        return card;
    }

    DistributionCanvas canvas() {
        return canvas;
    }

    @Override
    public void setFocus() {
        canvas.setFocus();
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.remove(this);
            calls.remove(this);
            selection.remove(this);
        }
        getSite().getPage().removeSelectionListener(KviewUi.VIEW_FUNCTIONS, this);
        super.dispose();
    }
}
