// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeGraphEntry;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox;
import org.kview.model.Bookmark.Range;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.session.calls.StoredStates;
import org.kview.ui.Figures;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calls.GrowingCalls;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.widgets.Actions;

class TimelineViewTest {
    /** Trace Compass's name for the colour of its names. */
    private static final String FOREGROUND = "org.eclipse.tracecompass.tmf.ui.FOREGROUND";

    @TempDir
    static Path folder;

    private TimelineView view;

    /** Once: none of these tests changes it. */
    @BeforeAll
    static void openSession() throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        RealSession.close();
    }

    @BeforeEach
    void open() throws Exception {
        view = Ui.view(TimelineView.ID, TimelineView.class);
        Ui.run(() -> SelectionService.get().clear());
        awaitShown();
    }

    private void awaitShown() throws InterruptedException {
        Ui.settle();
        Ui.await("it is shown", view::isShown);
        Ui.settle();
    }

    private List<CallEvent> events() {
        return events(CallEvent.class);
    }

    private <E extends ITimeEvent> List<E> events(Class<E> kind) {
        return Ui.get(() -> {
            List<E> events = new ArrayList<>();
            for (ITimeGraphEntry line : view.lines()) {
                line.getTimeEventsIterator().forEachRemaining(event -> Optional.of(event).filter(kind::isInstance).map(kind::cast)
                        .ifPresent(events::add));
            }
            return events;
        });
    }

    private static void show(Optional<String> host) throws InterruptedException {
        Ui.run(() -> SessionService.get().showHost(host));
        Ui.settle();
    }

    private void zoomTo(Range time) throws InterruptedException {
        Ui.run(() -> SelectionService.get().show(Optional.of(time)));
        awaitShown();
    }

    /** All time that there is so far is shown, and more of it when there is more: that is not taken for a zoom of the user's. */
    @Test
    void theTimeGrowsWhileCallsAreStored() throws Exception {
        long end;
        try (GrowingCalls growing = new GrowingCalls(folder.resolve("demo.kview.zip"), folder.resolve("growing"))) {
            growing.part();
            awaitShown();
            end = Ui.get(() -> view.viewer().getTime1());
            assertThat(Ui.get(view::soFar)).startsWith("Calls until ");
            growing.all();
            Ui.await("it has grown", () -> view.viewer().getTime1() > end && view.isShown());
            assertThat(Ui.get(view::soFar)).isEmpty();
        }
        awaitShown();
        assertThat(Ui.get(() -> SelectionService.get().shown())).isEmpty();
        assertThat(Ui.get(() -> view.viewer().getTime1())).isGreaterThan(end);
    }

    @Test
    void eachCallThatCanBeSeenStandsOnItsThreadsLine() throws Exception {
        List<CallEvent> all = events();
        assertThat(all).isNotEmpty();
        assertThat(Ui.get(view::statusText)).startsWith(LatencyFormat.count(all.size()) + " calls · those shorter than ");
        for (ITimeGraphEntry line : Ui.get(view::lines).stream().filter(each -> !each.getName().equals(TimelineLines.STATES)).toList()) {
            List<CallEvent> its = all.stream().filter(event -> event.getEntry() == line).toList();
            assertThat(its.stream().map(event -> event.call().tid()).distinct()).as(line.getName()).hasSize(1);
            assertThat(its.stream().map(event -> event.call().depth()).distinct()).as(line.getName()).hasSize(1);
            for (int i = 1; i < its.size(); i++) {
                assertThat(its.get(i).getTime()).as("none over another").isGreaterThanOrEqualTo(
                        its.get(i - 1).getTime() + its.get(i - 1).getDuration());
            }
        }
        // So near that a pixel is less than any of them.
        CallEvent shortest = all.getFirst();
        Range near = new Range(shortest.call().time().beginNanos() - 50, shortest.call().time().beginNanos() + 50);
        zoomTo(near);
        assertThat(Ui.get(view::statusText)).doesNotContain("shorter than");
        assertThat(events()).allMatch(event -> event.call().time().beginNanos() <= near.endNanos()
                && event.call().time().endNanos() >= near.beginNanos());
        assertThat(events().stream().map(event -> event.call().startNanos())).as("it has begun before")
                .contains(shortest.call().startNanos());
    }

    /** All states of a thread stand below its calls, with the time that their calls tell of, and those who woke it. */
    @Test
    void statesStandBelowTheCallsOfTheirThreads() throws Exception {
        CallEvent call = events().stream().filter(event -> event.call().mainPart() == Metric.LOCK)
                .max(Comparator.comparingLong(event -> event.call().nanos(Metric.LOCK))).orElseThrow();
        zoomTo(call.call().time());
        List<StateEvent> states = events(StateEvent.class).stream().filter(event -> isOf(event, call)).toList();
        assertThat(Ui.get(view::lines)).filteredOn(line -> line.getName().equals(TimelineLines.STATES))
                .allMatch(line -> line.getParent() != null).hasSizeGreaterThan(2);
        List<StateEvent> waits = states.stream().filter(event -> event.state().state() == Metric.LOCK).toList();
        assertThat(waits.stream().mapToLong(ITimeEvent::getDuration).sum()).isCloseTo(call.call().nanos(Metric.LOCK), Percentage.withPercentage(2));
        StateEvent longest = waits.stream().max(Comparator.comparingLong(ITimeEvent::getDuration)).orElseThrow();
        String waker = longest.state().waker().orElseThrow();
        call.call().waker().ifPresent(its -> assertThat(waker).isEqualTo(its));
        TimelinePresentation presentation = (TimelinePresentation) Ui.get(() -> view.viewer().getTimeGraphProvider());
        assertThat(presentation.getStateTable()[presentation.getStateTableIndex(longest)].getStateString()).isEqualTo(Metric.LOCK.label());
        assertThat(presentation.getEventHoverToolTipInfo(longest)).containsEntry("Ended by", waker)
                .containsEntry(Metric.LOCK.label(), LatencyFormat.exactly(longest.getDuration()));
        assertThat(Ui.get(() -> view.answered().orElseThrow().arrows())).anySatisfy(arrow -> {
            assertThat(arrow.getDestinationEntry()).isSameAs(longest.getEntry());
            assertThat(arrow.getTime()).isEqualTo(longest.getTime() + longest.getDuration());
            assertThat(arrow.getEntry().getParent().getName()).endsWith(" " + longest.state().wakerTid().orElseThrow());
            assertThat(presentation.getStateTableIndex(arrow)).isEqualTo(TimelinePresentation.ARROW);
        });
        long end = longest.state().endNanos();
        zoomTo(new Range(end - 100_000, end + 100_000));
        assertThat(events(StateEvent.class)).filteredOn(event -> event.state().state() == Metric.ON_CPU).isNotEmpty()
                .allMatch(event -> event.getLabel().equals("CPU " + event.state().cpu().orElseThrow()));
    }

    private static boolean isOf(StateEvent event, CallEvent call) {
        return event.getEntry().getParent() == call.getEntry() || event.getEntry().getParent().getName().endsWith(" " + call.call().tid());
    }

    @Test
    void ofTooManyThreadsTheLineAtTheTopSaysThatShortStatesAreNotDrawn() {
        TimelineJob.Wish wish = new TimelineJob.Wish(null, CallSelection.ALL, Optional.empty(), 0, new CallBox.Range(0, 1), 0);
        assertThat(TimelineView.told(new TimelineJob.Answer(wish, List.of(), List.of(), new int[1], 1,
                new StoredStates(List.of(), 1 << 20, true))))
                .isEqualTo("1 call · of more than 4,096 threads states shorter than " + LatencyFormat.nanos(1 << 20)
                        + " are not drawn: zoom in to see them");
    }

    /** Far away each slot of time has its states in a bar, none of them over a state that is told by itself. */
    @Test
    void shortStatesShareABar() throws Exception {
        List<SlotEvent> slots = events(SlotEvent.class);
        assertThat(slots).isNotEmpty();
        assertThat(Ui.get(view::statusText)).contains(" · states shorter than ").endsWith(" share a bar");
        for (ITimeGraphEntry line : Ui.get(view::lines).stream().filter(each -> each.getName().equals(TimelineLines.STATES)).toList()) {
            List<ITimeEvent> its = new ArrayList<>();
            line.getTimeEventsIterator().forEachRemaining(its::add);
            for (int i = 1; i < its.size(); i++) {
                assertThat(its.get(i).getTime()).as("none over another").isGreaterThanOrEqualTo(
                        its.get(i - 1).getTime() + its.get(i - 1).getDuration());
            }
        }
        SlotEvent mixed = slots.stream().filter(slot -> slot.slot().nanos().size() > 2).findFirst().orElseThrow();
        TimelinePresentation presentation = (TimelinePresentation) Ui.get(() -> view.viewer().getTimeGraphProvider());
        mixed.slot().nanos().forEach((state, nanos) -> assertThat(presentation.getEventHoverToolTipInfo(mixed))
                .containsEntry(state.label(), LatencyFormat.exactly(nanos)));
        ImageData bar = Ui.get(() -> drawn(presentation, mixed));
        long all = mixed.slot().nanos().values().stream().mapToLong(Long::longValue).sum();
        mixed.slot().nanos().forEach((state, nanos) -> assertThat(pixels(bar, state)).as(state.label())
                .isCloseTo((int) (nanos * bar.height / all), Offset.offset(1)));
    }

    private static ImageData drawn(TimelinePresentation presentation, SlotEvent slot) {
        Image image = new Image(Display.getCurrent(), 1, 1000);
        GC gc = new GC(image);
        presentation.postDrawEvent(slot, image.getBounds(), gc);
        ImageData data = image.getImageData();
        gc.dispose();
        image.dispose();
        return data;
    }

    private static int pixels(ImageData bar, Metric state) {
        return (int) IntStream.range(0, bar.height).mapToObj(y -> bar.palette.getRGB(bar.getPixel(0, y)))
                .filter(colour -> (colour.red << 16 | colour.green << 8 | colour.blue) == state.rgb()).count();
    }

    @Test
    void whatIsCopiedIsWhatIsDrawn() {
        String csv = TimelineActions.csv(Ui.get(view::answered).orElseThrow()).orElseThrow();
        assertThat(csv.lines()).hasSize(events().size() + 1);
        assertThat(csv).startsWith("host,target,time,");
        String states = Ui.get(view::answered).map(answer -> answer.states().csv(answer.wish().startNanos())).orElseThrow();
        assertThat(states).startsWith("host,tid,thread,from_ns,to_ns,state,ns,cpu,ended_by_tid,ended_by\r\n");
        List<StateEvent> drawn = events(StateEvent.class);
        for (StateEvent event : drawn) {
            assertThat(states).contains("," + event.getTime() + "," + (event.getTime() + event.getDuration()) + "," + event.state().state().id()
                    + "," + event.getDuration() + ",");
        }
        long wakers = drawn.stream().filter(event -> event.state().wakerTid().isPresent()).count();
        assertThat(states.lines().filter(line -> !line.endsWith(",,")).count() - 1).as("that are told").isPositive().isEqualTo(wakers);
        ImageData picture = Ui.get(() -> Actions.picture(view.viewer().getControl()));
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < picture.height; y++) {
            for (int x = 0; x < picture.width; x++) {
                RGB colour = picture.palette.getRGB(picture.getPixel(x, y));
                colours.add(colour.red << 16 | colour.green << 8 | colour.blue);
            }
        }
        assertThat(colours).contains(Metric.LOCK.rgb());
    }

    @Test
    void statesHaveTheColoursThatTheUserChooses() throws Exception {
        IEclipsePreferences preferences = InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
        try {
            Ui.run(() -> preferences.put(MetricColours.key(Metric.LOCK), "18,52,86"));
            Ui.await("it is drawn", () -> Ui.colours(Actions.picture(view.viewer().getControl())).contains(0x123456));
            assertThat(Ui.colours(Ui.get(() -> Actions.picture(view.viewer().getControl())))).doesNotContain(Metric.LOCK.rgb());
            Ui.run(() -> preferences.put(MetricColours.key(Metric.LOCK), "300,no"));
            Ui.await("no colour is the standard", () -> Ui.colours(Actions.picture(view.viewer().getControl())).contains(Metric.LOCK.rgb()));
        } finally {
            Ui.run(() -> preferences.remove(MetricColours.key(Metric.LOCK)));
        }
    }

    @Test
    void callsHaveTheColoursOfTheirCauses() throws Exception {
        TimelinePresentation presentation = (TimelinePresentation) Ui.get(() -> view.viewer().getTimeGraphProvider());
        CallEvent lock = events().stream().filter(event -> event.call().mainPart() == Metric.LOCK).findFirst().orElseThrow();
        RGB colour = presentation.getStateTable()[presentation.getStateTableIndex(lock)].getStateColor();
        assertThat(colour.red << 16 | colour.green << 8 | colour.blue).isEqualTo(Metric.LOCK.rgb());
        assertThat(presentation.getEventHoverToolTipInfo(lock)).containsEntry("Wall-clock", LatencyFormat.exactly(lock.call().wallNanos()))
                .containsEntry(Metric.LOCK.label(), LatencyFormat.exactly(lock.call().nanos(Metric.LOCK)));
        int other = RealSession.function("flush_cache").function().id();
        Ui.run(() -> SelectionService.get().select(CallSelection.ALL.withFunctions(Set.of(other))));
        awaitShown();
        assertThat(events()).anyMatch(event -> !event.chosen()).allMatch(
                event -> event.chosen() == event.call().function().equals("flush_cache"));
    }

    @Test
    void itFollowsAndLeadsTheOneSelection() throws Exception {
        Range all = RealSession.store().ask(its -> its.time(Optional.empty())).orElseThrow()
                .map(range -> new Range(range.least(), range.most())).orElseThrow();
        long third = (all.endNanos() - all.beginNanos()) / 3;
        Range middle = new Range(all.beginNanos() + third, all.beginNanos() + 2 * third);
        zoomTo(middle);
        long start = all.beginNanos() - Ui.get(() -> view.viewer().getMinTime());
        assertThat(Ui.get(() -> new Range(view.viewer().getTime0() + start, view.viewer().getTime1() + start))).isEqualTo(middle);
        Ui.run(() -> view.viewer().setStartFinishTimeNotify(all.beginNanos() - start, middle.beginNanos() - start));
        Ui.await("all show it", () -> SelectionService.get().shown().equals(Optional.of(new Range(all.beginNanos(), middle.beginNanos()))));
        awaitShown();
        Ui.run(() -> view.viewer().setSelectionRangeNotify(middle.endNanos() - start, middle.beginNanos() - start, false));
        Ui.await("it is selected everywhere", () -> SelectionService.get().selection().time().equals(Optional.of(middle)));
    }

    /** Trace Compass tells of a zoom some time after it; an answer to what was asked before must not undo it. */
    @Test
    void anAnswerLeavesWhereTheUserHasZoomedTo() throws Exception {
        Range all = Ui.get(() -> new Range(view.viewer().getTime0(), view.viewer().getTime1()));
        long third = (all.endNanos() - all.beginNanos()) / 3;
        Range zoomed = new Range(all.beginNanos() + third, all.beginNanos() + 2 * third);
        int other = RealSession.function("flush_cache").function().id();
        Ui.run(() -> {
            SelectionService.get().select(CallSelection.ALL.withFunctions(Set.of(other)));
            view.viewer().setStartFinishTimeNotify(zoomed.beginNanos(), zoomed.endNanos());
        });
        Ui.await("it is answered", view::isShown);
        Ui.await("all show it", () -> SelectionService.get().shown().isPresent());
        awaitShown();
        assertThat(Ui.get(() -> new Range(view.viewer().getTime0(), view.viewer().getTime1()))).isEqualTo(zoomed);
    }

    /** Names must not stay black on a ground that has become dark. */
    @Test
    void namesFollowTheTheme() throws Exception {
        var registry = Ui.get(() -> PlatformUI.getWorkbench().getThemeManager().getCurrentTheme().getColorRegistry());
        Composite page = Ui.get(() -> view.viewer().getControl().getParent());
        RGB light = Ui.get(() -> page.getBackground().getRGB());
        RGB text = Ui.get(() -> colour(view));
        RGB pale = new RGB(0xee, 0xee, 0xed);
        try {
            Ui.run(() -> {
                registry.put(FOREGROUND, pale);
                page.setBackground(new Color(0x20, 0x20, 0x20));
                view.viewer().getTimeGraphControl().redraw();
            });
            Ui.await("names are pale", () -> colour(view).equals(pale));
        } finally {
            Ui.run(() -> {
                registry.put(FOREGROUND, text);
                page.setBackground(new Color(light));
                view.viewer().getTimeGraphControl().redraw();
            });
            Ui.await("they are as they were", () -> colour(view).equals(text));
        }
    }

    private static RGB colour(TimelineView view) {
        return view.viewer().getTimeGraphControl().getColorScheme().getFgColor(false, false).getRGB();
    }

    @Test
    void aClickOnACallLooksAtIt() throws Exception {
        ITimeEvent wide = events().stream().max(Comparator.comparingLong(ITimeEvent::getDuration)).orElseThrow();
        Ui.run(() -> {
            view.viewer().selectAndReveal(wide.getEntry());
            view.viewer().setSelectedTimeNotify(wide.getTime() + wide.getDuration() / 2, false);
        });
        Range time = ((CallEvent) wide).call().time();
        Ui.await("it is looked at", () -> SelectionService.get().focus().equals(Optional.of(time)));
    }

    /** Of a host without calls nothing is shown, and nothing that was asked of another one. */
    @Test
    void aHostWithoutCallsShowsNone() throws Exception {
        SessionState.Opened opened = (SessionState.Opened) Ui.get(() -> SessionService.get().state());
        String target = opened.figures().info().target();
        LatencySnapshot both = MergedHosts.of(List.of(opened.figures(), Figures.onHost("web-2", opened.figures())));
        try {
            Ui.run(() -> SessionService.get().set(new SessionState.Opened(opened.session(), both)));
            show(Optional.of(target));
            awaitShown();
            assertThat(events()).isNotEmpty();
            show(Optional.of("web-2"));
            Ui.await("it says so", () -> view.statusText().equals("No call on this host returned."));
            assertThat(events()).isEmpty();
            show(Optional.of(target));
            awaitShown();
            assertThat(events()).as("it is asked for again").isNotEmpty();
        } finally {
            Ui.run(() -> SessionService.get().set(opened));
            Ui.settle();
        }
    }
}
