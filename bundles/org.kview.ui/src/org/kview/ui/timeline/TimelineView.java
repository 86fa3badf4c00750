// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphViewer;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ILinkEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeGraphEntry;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.widgets.Utils;
import org.kview.calls.CallBox;
import org.kview.calls.ThreadStates;
import org.kview.model.Bookmark.Range;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.session.calls.SessionCallStore;
import org.kview.ui.KviewUi;
import org.kview.ui.calls.view.CallsPart;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.widgets.ZoomHistory;

/**
 * Which calls ran when, a line for each thread and each depth of nesting, in the colours of their causes; below them what the thread
 * did meanwhile, and who woke it.
 */
public final class TimelineView extends CallsPart<TimelineJob.Wish> {
    public static final String ID = KviewUi.VIEW_TIMELINE;

    private static final long SECOND = 1_000_000_000L;

    private Label status;
    private TimeGraphViewer viewer;
    private TimelineJob job;
    /** The viewer's input. It stays the same list: with another one it would forget what the user has done to it meanwhile. */
    private final List<TimeGraphEntry> lines = new ArrayList<>();
    private Optional<TimelineJob.Answer> answered = Optional.empty();
    private final ZoomHistory<Optional<Range>> history = new ZoomHistory<>(Optional.empty(), part -> selection().show(part));
    /** From the first call to the last one, as the viewer was told: there may be more by now. */
    private Optional<CallBox.Range> whole = Optional.empty();

    @Override
    protected String subject() {
        return "which of its calls ran when, thread by thread";
    }

    @Override
    protected void createHead(Composite parent) {
        status = new Label(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).indent(8, 4).applyTo(status);
    }

    @Override
    protected Control createPage(Composite parent) {
        Composite page = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().applyTo(page);
        viewer = new TimeGraphViewer(page, SWT.NONE);
        TimelinePresentation presentation = new TimelinePresentation(() -> LockHolders.of(session().wholeFigures()));
        viewer.setTimeGraphProvider(presentation);
        MetricColours.follow(page, presentation::recolour);
        viewer.setTimeFormat(Utils.TimeFormat.RELATIVE);
        viewer.setLabelsVisible(true);
        viewer.setMarkerAxisControlVisible(false);
        viewer.addRangeListener(event -> shown(event.getStartTime(), event.getEndTime()));
        viewer.addTimeListener(event -> selected(event.getBeginTime(), event.getEndTime()));
        viewer.setInput(lines);
        viewer.getTimeGraphControl().addListener(SWT.Resize, _ -> refresh());
        GridDataFactory.fillDefaults().grab(true, true).applyTo(viewer.getControl());
        job = new TimelineJob(onUiThread(this::show), unanswered());
        new TimelineActions(this, viewer, selection()).install();
        return page;
    }

    /** What is drawn. */
    Optional<TimelineJob.Answer> answered() {
        return answered;
    }

    @Override
    protected TimelineJob job() {
        return job;
    }

    @Override
    protected void clear() {
        history.forget();
        answered = Optional.empty();
        show(List.of(), List.of());
        say("");
    }

    private void show(List<TimeGraphEntry> next, List<ILinkEvent> arrows) {
        lines.clear();
        lines.addAll(next);
        viewer.refresh();
        viewer.expandAll();
        viewer.setLinks(arrows);
    }

    @Override
    protected void lost() {
        say("");
    }

    private void say(String text) {
        status.setText(SafeText.line(text).replace("&", "&&"));
    }

    private Optional<Long> startNanos() {
        return session().wholeFigures().map(LatencySnapshot::info).map(info -> info.start())
                .map((Instant start) -> start.getEpochSecond() * SECOND + start.getNano());
    }

    @Override
    protected void refresh(SessionCallStore store) {
        Optional<Long> start = startNanos();
        Optional<CallBox.Range> all = wholeTime(store, session().host());
        if (start.isEmpty() || all.isEmpty()) {
            unwish();
            answered = Optional.empty();
            show(List.of(), List.of());
            say(session().host().isEmpty() ? "No call of this session returned." : "No call on this host returned.");
            return;
        }
        CallBox.Range shown = selection().shown().map(range -> new CallBox.Range(range.beginNanos(), range.endNanos())).orElse(all.get());
        if (viewer.getTimeSpace() < 1) {
            // Behind another view: its size will be told.
            return;
        }
        history.note(selection().shown());
        long pixel = (shown.most() - shown.least()) / viewer.getTimeSpace();
        show(start.get(), all.get(), shown);
        want(new TimelineJob.Wish(store, selection().selection(), session().host(), start.get(), shown, pixel));
    }

    /** The time of the selection, which is known before the calls are. */
    private void show(long start, CallBox.Range all, CallBox.Range shown) {
        whole = Optional.of(all);
        viewer.setTimeBounds(Math.min(all.least(), shown.least()) - start, Math.max(all.most(), shown.most()) - start);
        viewer.setStartFinishTime(shown.least() - start, Math.max(shown.most(), shown.least() + 1) - start);
        selection().focus().or(() -> selection().selection().time())
                .ifPresent(time -> viewer.setSelectionRange(time.beginNanos() - start, time.endNanos() - start, false));
    }

    private void show(TimelineJob.Answer answer) {
        if (!take(answer.wish())) {
            return;
        }
        answered = Optional.of(answer);
        show(answer.threads(), answer.arrows());
        say(told(answer));
    }

    static String told(TimelineJob.Answer answer) {
        int drawn = answer.drawn().length;
        String calls = LatencyFormat.count(drawn) + (drawn == 1 ? " call" : " calls");
        String most = drawn < answer.all() ? calls + ", the longest of " + LatencyFormat.count(answer.all()) : calls;
        return most + (answer.wish().leastNanos() == 0 ? "" : " · those shorter than " + LatencyFormat.nanos(answer.wish().leastNanos())
                + " are not drawn: zoom in to see them")
                + (answer.states().slotNanos() == 0 ? "" : states(answer, LatencyFormat.nanos(answer.states().slotNanos())));
    }

    private static String states(TimelineJob.Answer answer, String slot) {
        return answer.states().isPartial() ? " · of more than " + LatencyFormat.count(ThreadStates.MOST_THREADS) + " threads states shorter than "
                + slot + " are not drawn: zoom in to see them" : " · states shorter than " + slot + " share a bar";
    }

    /** The user has zoomed or moved; Trace Compass tells it some time later. */
    private void shown(long begin, long end) {
        if (store().isPresent() && whole.isPresent() && begin < end) {
            long start = startNanos().orElse(0L);
            Range range = new Range(begin + start, end + start);
            selection().show(range.beginNanos() <= whole.get().least() && range.endNanos() >= whole.get().most() ? Optional.empty()
                    : Optional.of(range));
        }
    }

    /** The user has selected a stretch of time, or clicked on a call. */
    private void selected(long one, long other) {
        if (store().isEmpty()) {
            return;
        }
        long start = startNanos().orElse(0L);
        if (one != other) {
            selection().selectTime(Optional.of(new Range(Math.min(one, other) + start, Math.max(one, other) + start)));
            return;
        }
        Optional<CallEvent> call = Optional.ofNullable(viewer.getSelection()).map(line -> Utils.findEvent(line, one, 0))
                .filter(CallEvent.class::isInstance).map(CallEvent.class::cast);
        call.ifPresentOrElse(its -> selection().focus(Optional.of(its.call().time())), () -> selection().selectTime(Optional.empty()));
    }

    /** All of it, with what it says above the picture. */
    Control whole() {
        return status.getParent();
    }

    ZoomHistory<Optional<Range>> history() {
        return history;
    }

    TimeGraphViewer viewer() {
        return viewer;
    }

    String statusText() {
        return status.getText();
    }

    /** The lines in sight, those within others below them. */
    List<ITimeGraphEntry> lines() {
        return List.of(viewer.getExpandedElements());
    }
}
