/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.trace;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/**
 * Why a thread left its CPU; of a call that returned, the cause that took the most of its time, and
 * how much.
 */
final class CauseAspect extends EventAspect<String> {
    CauseAspect() {
        super("Cause", "Why the thread left its CPU; of a call that returned, what it waited for the longest");
    }

    private record Share(Metric cause, long nanos) {
    }

    @Override
    public String resolve(ITmfEvent event) {
        return metric(event.getContent()).map(Metric::label).or(() -> largest(event)).orElse(null);
    }

    private static Optional<String> largest(ITmfEvent event) {
        ITmfEventField causes = event.getContent() == null ? null : event.getContent().getField(KviewEvents.CAUSES);
        Stream<? extends ITmfEventField> elements = causes == null ? Stream.of() : causes.getFields().stream();
        return elements.flatMap(element -> share(element).stream()).max(Comparator.comparingLong(Share::nanos))
                .filter(share -> share.nanos() > 0)
                .map(share -> share.cause().label() + " " + LatencyFormat.nanos(share.nanos()));
    }

    private static Optional<Share> share(ITmfEventField element) {
        return metric(element).map(cause -> new Share(cause, KviewEvents.number(element, KviewEvents.NANOS).orElse(0)));
    }

    /** By value, not by label: labels are for people, values are the contract. */
    private static Optional<Metric> metric(ITmfEventField parent) {
        var value = KviewEvents.number(parent, KviewEvents.CAUSE);
        return value.isPresent() ? Metric.ofValue(value.getAsLong()) : Optional.empty();
    }
}
