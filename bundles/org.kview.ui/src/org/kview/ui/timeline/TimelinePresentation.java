// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.StateItem;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphPresentationProvider;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ILinkEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeEvent;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredThread;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.theme.Palette;

/**
 * A call has the colour of the largest part of its time; one that is not selected has it fainter. A thread's states have their
 * colours; those that are too short to be told apart share a bar, each by its part of the time.
 */
final class TimelinePresentation extends TimeGraphPresentationProvider {
    private static final Metric[] METRICS = Metric.values();
    /** The state of an arrow. */
    static final int ARROW = 2 * METRICS.length;
    private static final RGB FAINT = new RGB(0x80, 0x80, 0x80);
    private static final double FAINT_SHARE = 0.65;

    private StateItem[] states = states();

    private final Supplier<LockHolders> holders;

    /** @param holders of the locks in the figures that are shown */
    TimelinePresentation(Supplier<LockHolders> holders) {
        this.holders = holders;
    }

    private static StateItem[] states() {
        return Stream.of(Stream.of(METRICS).map(metric -> new StateItem(MetricColours.of(metric), metric.label())),
                Stream.of(METRICS).map(metric -> new StateItem(faint(MetricColours.of(metric)), metric.label() + ", not selected")),
                Stream.of(new StateItem(FAINT, "woke"))).flatMap(items -> items).toArray(StateItem[]::new);
    }

    /** Other colours are chosen. */
    void recolour() {
        states = states();
        refresh();
    }

    private static RGB faint(RGB colour) {
        return new RGB(mix(colour.red, FAINT.red), mix(colour.green, FAINT.green), mix(colour.blue, FAINT.blue));
    }

    private static int mix(int own, int other) {
        return (int) Math.round(own * (1 - FAINT_SHARE) + other * FAINT_SHARE);
    }

    @Override
    public String getStateTypeName() {
        return "Thread";
    }

    @Override
    public StateItem[] getStateTable() {
        return states.clone();
    }

    @Override
    public int getStateTableIndex(ITimeEvent event) {
        return switch (event) {
            case CallEvent its -> its.call().mainPart().ordinal() + (its.chosen() ? 0 : METRICS.length);
            case StateEvent its -> its.state().state().ordinal();
            case SlotEvent its -> its.main().ordinal();
            case ILinkEvent _ -> ARROW;
            default -> INVISIBLE;
        };
    }

    @Override
    public String getEventName(ITimeEvent event) {
        return switch (event) {
            case CallEvent its -> its.call().mainPart().label();
            case StateEvent its -> its.state().state().label();
            case SlotEvent _ -> "several states";
            default -> "";
        };
    }

    /** In exact numbers: what of the time was what. */
    @Override
    public Map<String, String> getEventHoverToolTipInfo(ITimeEvent event) {
        Map<String, String> told = new LinkedHashMap<>();
        switch (event) {
            case CallEvent its -> tell(its.call(), told);
            case StateEvent its -> {
                StoredThread.State state = its.state();
                told.put(state.state().label(), LatencyFormat.exactly(state.endNanos() - state.beginNanos()));
                state.cpu().ifPresent(cpu -> told.put("On CPU", Integer.toString(cpu)));
                state.waker().ifPresent(waker -> told.put("Ended by", SafeText.line(waker)));
                if (state.state() == Metric.LOCK && state.wakerTid().isPresent()) {
                    holders.get().ofWaker(state.wakerTid().getAsLong()).ifPresent(lock -> told.put("Of the waits that it ended", lock));
                }
            }
            case SlotEvent its -> {
                told.put("Short states within", LatencyFormat.exactly(its.slot().endNanos() - its.slot().beginNanos()));
                shares(its.slot()).forEach((state, nanos) -> told.put(state.label(), LatencyFormat.exactly(nanos)));
            }
            default -> { }
        }
        return told;
    }

    private void tell(StoredCall call, Map<String, String> told) {
        told.put("Function", SafeText.line(call.function()));
        told.put("Wall-clock", LatencyFormat.exactly(call.wallNanos()));
        for (Metric part : METRICS) {
            if (part != Metric.WALL && call.nanos(part) > 0) {
                told.put(part.label(), LatencyFormat.exactly(call.nanos(part)));
            }
        }
        call.waker().ifPresent(waker -> told.put("Longest wait ended by", SafeText.line(waker)));
        if (call.nanos(Metric.LOCK) > 0 && call.functionId().isPresent()) {
            holders.get().ofFunction(call.functionId().getAsInt()).ifPresent(lock -> told.put("Of all its function's waits", lock));
        }
        told.put("Returned on CPU", Integer.toString(call.cpu()));
    }

    /** In the order of reports. */
    private static Map<Metric, Long> shares(StoredThread.Slot slot) {
        return new EnumMap<>(slot.nanos());
    }

    /** The first of them at the bottom. */
    @Override
    public void postDrawEvent(ITimeEvent event, Rectangle bounds, GC gc) {
        if (event instanceof SlotEvent its && bounds.height > 0) {
            Map<Metric, Long> shares = shares(its.slot());
            double all = shares.values().stream().mapToLong(Long::longValue).sum();
            Color before = gc.getBackground();
            double below = 0;
            for (Map.Entry<Metric, Long> share : shares.entrySet()) {
                int bottom = edge(bounds, below / all);
                below += share.getValue();
                int top = edge(bounds, below / all);
                gc.setBackground(Palette.of(share.getKey()));
                gc.fillRectangle(bounds.x, top, Math.max(1, bounds.width), bottom - top);
            }
            gc.setBackground(before);
        }
    }

    private static int edge(Rectangle bounds, double share) {
        return bounds.y + bounds.height - (int) Math.round(share * bounds.height);
    }
}
