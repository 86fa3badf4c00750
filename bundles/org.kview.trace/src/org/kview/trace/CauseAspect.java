// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.kview.ctf.EventField;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;

/**
 * Why a thread left its CPU. For a call that returned: the cause that took the most of its time, and how much
 * time that was.
 */
final class CauseAspect extends EventAspect<String> {
    CauseAspect() {
        super("Cause", "Why the thread left its CPU; of a call that returned, what it waited for the longest");
    }

    private record Share(String cause, long nanos) {
    }

    @Override
    public String resolve(ITmfEvent event) {
        return cause(event.getContent()).or(() -> largest(event)).orElse(null);
    }

    private static Optional<String> largest(ITmfEvent event) {
        ITmfEventField causes = event.getContent() == null ? null : event.getContent().getField(EventField.CAUSES.text());
        Stream<? extends ITmfEventField> elements = causes == null ? Stream.of() : causes.getFields().stream();
        return elements.flatMap(element -> share(element).stream()).max(Comparator.comparingLong(Share::nanos))
                .filter(share -> share.nanos() > 0)
                .map(share -> share.cause() + " " + LatencyFormat.nanos(share.nanos()));
    }

    private static Optional<Share> share(ITmfEventField element) {
        return cause(element).map(cause -> new Share(cause, KviewEvents.number(element, EventField.NANOS).orElse(0)));
    }

    /**
     * A cause that this version does not know is shown under its name in the trace, because it may be the longest wait.
     */
    private static Optional<String> cause(ITmfEventField parent) {
        OptionalLong value = KviewEvents.number(parent, EventField.CAUSE);
        return value.isEmpty() ? Optional.empty() : Metric.ofValue(value.getAsLong()).map(Metric::label)
                .or(() -> KviewEvents.label(parent, EventField.CAUSE).filter(label -> !label.isBlank()).map(SafeText::line))
                .or(() -> Optional.of("cause " + value.getAsLong()));
    }
}
