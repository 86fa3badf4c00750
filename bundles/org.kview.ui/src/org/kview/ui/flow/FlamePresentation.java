// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.Arrays;
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
import org.kview.recording.flow.FlowLine;
import org.kview.ui.theme.MetricColours;

/** Waits have the colours of their causes. Functions have pale ones, always the same for the same name, that none of the causes has unless a user chooses it. */
final class FlamePresentation extends TimeGraphPresentationProvider {
    private static final Metric[] METRICS = Metric.values();
    private static final int[] PALE = {0xb9c6d3, 0xc9d1c2, 0xd3c8b9, 0xc7c0d6, 0xa8b8c9, 0xb5c2ab, 0xc6b8a5, 0xb4abc8};

    private StateItem[] states = states();

    private static StateItem[] states() {
        return Stream.concat(Stream.of(METRICS).map(metric -> new StateItem(MetricColours.of(metric), metric.label())),
                Arrays.stream(PALE).mapToObj(colour -> new StateItem(rgb(colour), "function"))).toArray(StateItem[]::new);
    }

    /** Other colours are chosen. */
    void recolour() {
        states = states();
        refresh();
    }

    private static RGB rgb(int colour) {
        return new RGB(colour >> 16 & 0xff, colour >> 8 & 0xff, colour & 0xff);
    }

    @Override
    public String getStateTypeName() {
        return "Depth";
    }

    @Override
    public StateItem[] getStateTable() {
        return states.clone();
    }

    @Override
    public int getStateTableIndex(ITimeEvent event) {
        return !(event instanceof FlowEvent its) ? INVISIBLE : switch (its.line()) {
            case FlowLine.Waited waited -> waited.absence().cause().ordinal();
            case FlowLine.Called called -> METRICS.length + Math.floorMod(called.function().name().hashCode(), PALE.length);
            default -> Metric.OTHER.ordinal();
        };
    }

    @Override
    public String getEventName(ITimeEvent event) {
        return event instanceof FlowEvent its ? SafeText.line(its.line().text()) : "";
    }

    @Override
    public Map<String, String> getEventHoverToolTipInfo(ITimeEvent event) {
        Map<String, String> told = new LinkedHashMap<>();
        if (event instanceof FlowEvent its) {
            told.put("Wall-clock", LatencyFormat.nanos(its.line().wallNanos()));
            its.line().onCpuNanos().ifPresent(nanos -> told.put("On CPU", LatencyFormat.nanos(nanos)));
            its.line().selfNanos().ifPresent(nanos -> told.put("Self", LatencyFormat.nanos(nanos)));
        }
        return told;
    }
}
