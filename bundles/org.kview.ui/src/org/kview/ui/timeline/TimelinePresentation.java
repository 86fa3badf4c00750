// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.eclipse.swt.graphics.RGB;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.StateItem;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphPresentationProvider;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeEvent;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.calls.StoredCall;

/** A call has the colour of the largest part of its time; one that is not selected has it fainter. */
final class TimelinePresentation extends TimeGraphPresentationProvider {
    private static final Metric[] METRICS = Metric.values();
    private static final RGB FAINT = new RGB(0x80, 0x80, 0x80);
    private static final double FAINT_SHARE = 0.65;

    private final StateItem[] states = Stream.concat(Stream.of(METRICS).map(metric -> new StateItem(rgb(metric), metric.label())),
            Stream.of(METRICS).map(metric -> new StateItem(faint(rgb(metric)), metric.label() + ", not selected")))
            .toArray(StateItem[]::new);

    private static RGB rgb(Metric metric) {
        return new RGB(metric.rgb() >> 16 & 0xff, metric.rgb() >> 8 & 0xff, metric.rgb() & 0xff);
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
        return event instanceof CallEvent its ? its.call().mainPart().ordinal() + (its.chosen() ? 0 : METRICS.length) : INVISIBLE;
    }

    @Override
    public String getEventName(ITimeEvent event) {
        return event instanceof CallEvent its ? its.call().mainPart().label() : "";
    }

    /** In exact numbers: what of the call's time was what. */
    @Override
    public Map<String, String> getEventHoverToolTipInfo(ITimeEvent event) {
        Map<String, String> told = new LinkedHashMap<>();
        if (event instanceof CallEvent its) {
            StoredCall call = its.call();
            told.put("Function", SafeText.line(call.function()));
            told.put("Wall-clock", LatencyFormat.nanos(call.wallNanos()));
            for (Metric part : METRICS) {
                if (part != Metric.WALL && call.nanos(part) > 0) {
                    told.put(part.label(), LatencyFormat.nanos(call.nanos(part)));
                }
            }
            call.waker().ifPresent(waker -> told.put("Longest wait ended by", SafeText.line(waker)));
            told.put("Returned on CPU", Integer.toString(call.cpu()));
        }
        return told;
    }
}
