// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.kview.ctf.TraceEvent.CauseTime;

/** Writes events as {@code babeltrace2 --clock-cycles --no-delta} does. */
final class BabeltraceText {
    private final TraceLayout layout;
    private final Map<String, Long> causes;

    BabeltraceText(TraceLayout layout) {
        this.layout = layout;
        FieldType.EnumType labels = (FieldType.EnumType) layout.events().values().stream()
                .filter(event -> event.name().equals("kview:switch_out")).findFirst().orElseThrow().fields().field("cause").orElseThrow()
                .type();
        causes = labels.ranges().entrySet().stream().collect(Collectors.toMap(e -> e.getValue().label(), Map.Entry::getKey));
    }

    String of(TraceEvent event) {
        return switch (event) {
            case TraceEvent.CallEntry e -> line(e, "call_entry", "tid = %d, function = %s, depth = %d".formatted(e.tid(),
                    function(e.function()), e.depth()));
            case TraceEvent.CallExit e -> line(e, "call_exit",
                    "tid = %d, function = %s, depth = %d, begin = %d, wall = %d, on_cpu = %d, causes_length = %d, causes = %s"
                            .formatted(e.tid(), function(e.function()), e.depth(), e.beginNanos(), e.wallNanos(), e.onCpuNanos(),
                                    e.causes().size(), causes(e.causes())));
            case TraceEvent.SwitchOut e -> line(e, "switch_out", "tid = %d, cause = %s, syscall = %d".formatted(e.tid(),
                    cause(e.cause()), e.syscall().orElse(-1)));
            case TraceEvent.Wakeup e -> line(e, "wakeup", "tid = %d, waker_tid = %d, waker_comm_length = %d, waker_comm = \"%s\""
                    .formatted(e.tid(), e.wakerTid(), length(e.wakerName()), e.wakerName()));
            case TraceEvent.SwitchIn e -> line(e, "switch_in", "tid = %d, off_ns = %d, queued_ns = %d".formatted(e.tid(),
                    e.offNanos(), e.queuedNanos()));
            case TraceEvent.ThreadExit e -> line(e, "thread_exit", "tid = %d".formatted(e.tid()));
            case TraceEvent.ThreadName e -> line(e, "thread", "tid = %d, pid = %d, name_length = %d, name = \"%s\"".formatted(
                    e.tid(), e.pid(), length(e.name()), e.name()));
            case TraceEvent.Other _, TraceEvent.LostEvents _, TraceEvent.Damage _ -> throw new AssertionError(event);
        };
    }

    private String line(TraceEvent event, String name, String fields) {
        return "[%020d] %s kview:%s: { cpu_id = %d }, { %s }".formatted(event.nanos(), layout.environment("hostname").orElseThrow(),
                name, event.cpu(), fields);
    }

    private String function(long id) {
        return "( \"%s\" : container = %d )".formatted(layout.functionLabel(id), id);
    }

    private String cause(TraceEvent.Cause cause) {
        return "( \"%s\" : container = %d )".formatted(cause.label(), causes.get(cause.label()));
    }

    private String causes(List<CauseTime> times) {
        return times.isEmpty() ? "[ ]" : IntStream.range(0, times.size()).mapToObj(i -> "[%d] = { cause = %s, ns = %d }"
                .formatted(i, cause(times.get(i).cause()), times.get(i).nanos())).collect(Collectors.joining(", ", "[ ", " ]"));
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
