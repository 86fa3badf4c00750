// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventCursor;
import org.kview.ctf.EventField;
import org.kview.ctf.EventKind;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceEvent;
import org.kview.ctf.TraceLayout;

/** What is read without Trace Compass is what Trace Compass reads: each event, with each field that is known. */
class SameEventsTest {
    @TempDir
    Path folder;

    private static byte[] recorded(String file) throws Exception {
        try (InputStream in = SameEventsTest.class.getResourceAsStream("data/recorded/" + file)) {
            return in.readAllBytes();
        }
    }

    @Test
    void ofARecording() throws Exception {
        for (String file : List.of("metadata", "cpu_0", "cpu_1")) {
            Files.write(folder.resolve(file), recorded(file));
        }
        assertSame();
    }

    @Test
    void ofOneThatALaterVersionMade() throws Exception {
        Files.writeString(folder.resolve("metadata"), NewerTrace.metadata(new String(recorded("metadata"))));
        for (String file : List.of("cpu_0", "cpu_1")) {
            for (NewerTrace.Packet packet : NewerTrace.packets(recorded(file))) {
                byte[] bytes = new byte[packet.bytes().remaining()];
                packet.bytes().get(bytes);
                Files.write(folder.resolve(file), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
        assertSame();
    }

    /** Its metadata is written in another way. */
    @Test
    void ofOneThatIsWrittenByHand() throws Exception {
        TraceFixture.write(folder, "kview", 20);
        assertSame();
    }

    /** Of events at one time either may tell those of any CPU first. */
    private void assertSame() throws Exception {
        EventTrace trace = EventTrace.open(folder);
        TreeMap<Integer, List<String>> read = new TreeMap<>();
        try (EventCursor events = trace.events()) {
            for (Optional<TraceEvent> event = events.next(); event.isPresent(); event = events.next()) {
                read.computeIfAbsent(event.get().cpu(), _ -> new ArrayList<>()).add(text(event.get(), trace.layout()));
            }
        }
        TreeMap<Integer, List<String>> expected = new TreeMap<>();
        KviewTrace other = new KviewTrace();
        other.initTrace(null, folder.toString(), CtfTmfEvent.class);
        ITmfContext context = other.seekEvent(0);
        for (ITmfEvent event = other.getNext(context); event != null; event = other.getNext(context)) {
            expected.computeIfAbsent(((CtfTmfEvent) event).getCPU(), _ -> new ArrayList<>())
                    .add(event.getTimestamp().toNanos() - trace.layout().realTimeOffsetNanos() + " " + event.getName() + text(event));
        }
        context.dispose();
        other.dispose();
        assertThat(read.keySet()).isNotEmpty().isEqualTo(expected.keySet());
        read.forEach((cpu, events) -> assertThat(events).hasSizeGreaterThan(50).isEqualTo(expected.get(cpu)));
    }

    private static String text(ITmfEvent event) {
        ITmfEventField content = event.getContent();
        return switch (event.getName()) {
            case "kview:call_entry" -> text(content, EventField.TID, EventField.FUNCTION, EventField.DEPTH);
            case "kview:call_exit" -> text(content, EventField.TID, EventField.FUNCTION, EventField.DEPTH, EventField.BEGIN,
                    EventField.WALL, EventField.ON_CPU) + content.getField(EventField.CAUSES.text()).getFields().stream()
                            .map(cause -> text(cause, EventField.CAUSE, EventField.NANOS)).collect(Collectors.joining());
            case "kview:switch_out" -> text(content, EventField.TID, EventField.CAUSE, EventField.SYSCALL);
            case "kview:wakeup" -> text(content, EventField.TID, EventField.WAKER_TID, EventField.WAKER_COMM);
            case "kview:switch_in" -> text(content, EventField.TID, EventField.OFF_NANOS, EventField.QUEUED_NANOS);
            case "kview:thread_exit" -> text(content, EventField.TID);
            default -> "";
        };
    }

    private static String text(ITmfEventField parent, EventField... fields) {
        StringBuilder text = new StringBuilder();
        for (EventField field : fields) {
            text.append(' ').append(KviewEvents.label(parent, field)
                    .orElseGet(() -> Long.toString(KviewEvents.number(parent, field).orElseThrow())));
        }
        return text.toString();
    }

    private static String text(TraceEvent event, TraceLayout layout) {
        String fields = switch (event) {
            case TraceEvent.CallEntry e -> text(EventKind.CALL_ENTRY, e.tid(), layout.functionLabel(e.function()), e.depth());
            case TraceEvent.CallExit e -> text(EventKind.CALL_EXIT, e.tid(), layout.functionLabel(e.function()), e.depth(), e.beginNanos(),
                    e.wallNanos(), e.onCpuNanos()) + e.causes().stream()
                            .map(time -> " " + time.cause().label() + " " + time.nanos()).collect(Collectors.joining());
            case TraceEvent.SwitchOut e -> text(EventKind.SWITCH_OUT, e.tid(), e.cause().label(), e.syscall().orElse(-1));
            case TraceEvent.Wakeup e -> text(EventKind.WAKEUP, e.tid(), e.wakerTid(), e.wakerName());
            case TraceEvent.SwitchIn e -> text(EventKind.SWITCH_IN, e.tid(), e.offNanos(), e.queuedNanos());
            case TraceEvent.ThreadExit e -> text(EventKind.THREAD_EXIT, e.tid());
            case TraceEvent.ThreadName e -> text(EventKind.THREAD, e.tid(), e.pid(), e.name());
            case TraceEvent.Other e -> e.name();
            case TraceEvent.LostEvents _, TraceEvent.Damage _ -> throw new AssertionError(event);
        };
        return event.nanos() + " " + fields;
    }

    private static String text(EventKind kind, Object... fields) {
        StringBuilder text = new StringBuilder(kind.text());
        for (Object field : fields) {
            text.append(' ').append(field);
        }
        return text.toString();
    }
}
