// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.eclipse.core.runtime.FileLocator;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.ITmfLostEvent;
import org.eclipse.tracecompass.tmf.core.event.TmfEvent;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;
import org.eclipse.tracecompass.tmf.core.project.model.TmfTraceType;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.core.trace.TraceValidationStatus;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTraceValidationStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kview.babeltrace.Babeltrace;
import org.kview.testing.ForeignTrace;
import org.kview.trace.TraceFixture;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

class BabeltraceTraceTest {
    private static final int MOST_EVENTS = 100_000;

    @TempDir
    private Path folder;
    private final List<BabeltraceTrace> open = new ArrayList<>();

    @AfterEach
    void dispose() {
        open.forEach(BabeltraceTrace::dispose);
    }

    private BabeltraceTrace open(Path trace) throws Exception {
        BabeltraceTrace opened = new BabeltraceTrace();
        open.add(opened);
        opened.initTrace(null, trace.toString(), TmfEvent.class);
        return opened;
    }

    private static List<ITmfEvent> events(BabeltraceTrace trace) {
        List<ITmfEvent> events = new ArrayList<>();
        ITmfContext context = trace.seekEvent(0L);
        for (ITmfEvent event = trace.getNext(context); event != null && events.size() < MOST_EVENTS; event = trace.getNext(context)) {
            events.add(event);
        }
        context.dispose();
        return events;
    }

    private static Map<String, String> columns(BabeltraceTrace trace, ITmfEvent event) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (ITmfEventAspect<?> aspect : trace.getEventAspects()) {
            columns.put(aspect.getName(), String.valueOf(aspect.resolve(event)));
        }
        return columns;
    }

    @ParameterizedTest
    @EnumSource
    void whatTraceCompassRefusesIsOfferedAndRead(ForeignTrace.Refused kind) throws Exception {
        Path trace = kind.write(folder.resolve("trace"));
        CtfTmfTrace compass = new CtfTmfTrace();
        assertThat(compass.validate(null, trace.toString())).isNotInstanceOf(CtfTraceValidationStatus.class);
        compass.dispose();
        assertThat(TmfTraceType.selectTraceType(trace.toString(), null).getFirst().getTraceTypeId()).isEqualTo(BabeltraceTrace.TYPE_ID);
        BabeltraceTrace opened = open(trace);
        List<ITmfEvent> events = events(opened);
        assertThat(events).hasSize((int) ForeignTrace.linesOfProgram(trace)).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(columns(opened, events.get(i))).containsEntry("Event type", "request").containsEntry("Channel", "stream")
                    .containsEntry("CPU", "" + ForeignTrace.CPU).containsEntry("Contents", kind.contents().get(i));
            assertThat(events.get(i).getTimestamp().toNanos()).isEqualTo(ForeignTrace.FIRST_NANOS + i * ForeignTrace.STEP_NANOS);
            assertThat(events.get(i).getRank()).isEqualTo(i);
        }
    }

    @Test
    void whatTraceCompassReadsStaysItsOwn() throws Exception {
        Path trace = ForeignTrace.plain(folder.resolve("trace"));
        List<String> types = TmfTraceType.selectTraceType(trace.toString(), null).stream().map(t -> t.getTraceTypeId()).toList();
        assertThat(types.getFirst()).isNotEqualTo(BabeltraceTrace.TYPE_ID);
        BabeltraceTrace validator = new BabeltraceTrace();
        open.add(validator);
        assertThat(validator.validate(null, trace.toString())).isInstanceOfSatisfying(TraceValidationStatus.class,
                status -> assertThat(status.getConfidence()).isBetween(1, 9));
        assertThat(events(open(trace))).extracting(event -> event.getContent().getField("size").getValue()).containsExactly(11L, 12L);
    }

    /** From the first event on, by rank, by time, by place and by share: always the same events. */
    @Test
    void eventsAreFoundByRankTimeAndPlace() throws Exception {
        int count = 5000;
        BabeltraceTrace trace = open(ForeignTrace.many(folder.resolve("trace"), count));
        trace.indexTrace(true);
        assertThat(trace.getNbEvents()).isEqualTo(count);
        List<ITmfEvent> events = events(trace);
        assertThat(events).hasSize(count);
        for (int rank : new int[] {4999, 0, 1234, 3000}) {
            ITmfContext context = trace.seekEvent((long) rank);
            assertThat(trace.getNext(context)).isEqualTo(events.get(rank));
            ITmfContext again = trace.seekEvent(context.getLocation());
            assertThat(trace.getNext(context)).isEqualTo(rank == 4999 ? null : events.get(rank + 1));
            if (rank < 4999) {
                assertThat(trace.getNext(again).getTimestamp()).isEqualTo(events.get(rank + 1).getTimestamp());
            }
            long time = ForeignTrace.FIRST_NANOS + rank * ForeignTrace.STEP_NANOS;
            assertThat(trace.getNext(trace.seekEvent(TmfTimestamp.fromNanos(time)))).isEqualTo(events.get(rank));
        }
        assertThat(trace.getNext(trace.seekEvent(0.5)).getRank()).isEqualTo(count / 2);
        assertThat(trace.getLocationRatio(trace.seekEvent(0L).getLocation())).isZero();
        assertThat(trace.getStartTime().toNanos()).isEqualTo(ForeignTrace.FIRST_NANOS);
        assertThat(trace.getEndTime().toNanos()).isEqualTo(ForeignTrace.FIRST_NANOS + (count - 1) * ForeignTrace.STEP_NANOS);
    }

    @Test
    void whatIsMissingIsAnEventOfItsOwn() throws Exception {
        BabeltraceTrace trace = open(ForeignTrace.withLoss(folder.resolve("trace")));
        List<ITmfEvent> events = events(trace);
        assertThat(events).hasSize(3);
        assertThat(events.get(1)).isInstanceOfSatisfying(ITmfLostEvent.class, lost -> {
            assertThat(lost.getNbLostEvents()).isEqualTo(7);
            assertThat(lost.getTimeRange().getStartTime().toNanos()).isEqualTo(ForeignTrace.FIRST_NANOS);
            assertThat(lost.getTimeRange().getEndTime().toNanos()).isEqualTo(ForeignTrace.FIRST_NANOS + 10 * ForeignTrace.STEP_NANOS);
        });
        assertThat(columns(trace, events.get(1))).containsEntry("Event type", "Lost events").containsEntry("Contents", "events=7");
    }

    @Test
    void aDamagedTraceIsShownUpToThereAndTheCauseStandsBehind() throws Exception {
        BabeltraceTrace opened = open(ForeignTrace.damagedBehind(folder.resolve("trace"), 250));
        List<ITmfEvent> events = events(opened);
        assertThat(events).hasSize(251);
        assertThat(events.getLast().getName()).isEqualTo(BabeltraceTrace.UNREADABLE);
        assertThat(events.getLast().getContent().getField("cause").getValue().toString()).startsWith("The trace can't be read any further: ");
        assertThat(events.subList(0, 250)).extracting(ITmfEvent::getName).containsOnly("request");
        assertThat(events.getLast().getTimestamp()).isEqualTo(events.get(249).getTimestamp());
        opened.indexTrace(true);
        assertThat(opened.getNbEvents()).isEqualTo(251);
        assertThat(opened.getNext(opened.seekEvent(250L)).getName()).isEqualTo(BabeltraceTrace.UNREADABLE);
    }

    @Test
    void whatIsLeftOutOfAnEventIsSaid() throws Exception {
        ITmfEventField content = events(open(ForeignTrace.wide(folder.resolve("trace"), 1200, 5000))).getFirst().getContent();
        assertThat(content.getField("text").getValue()).isEqualTo("x".repeat(4096) + "…");
        assertThat(content.getField("inner").getFields()).hasSize(1001).last().satisfies(last -> {
            assertThat(last.getName()).isEqualTo("…");
            assertThat(last.getValue()).isEqualTo("200 more");
        });
        // The label, the text, the structure and 997 numbers.
        assertThat(content.getFields()).hasSize(1001);
        assertThat(content.getField("…").getValue()).isEqualTo("203 more");
    }

    @Test
    void anAddressHasNoSign() {
        assertThat(new Address(-1).doubleValue()).isEqualTo(0x1p64);
        assertThat(new Address(Long.MIN_VALUE).floatValue()).isEqualTo(0x1p63f);
        assertThat(new Address(5).doubleValue()).isEqualTo(5);
    }

    /** Trace Compass's reader would show it at other times. */
    @Test
    void aTraceWhoseClockHasAnOffsetInSecondsIsNotLeftToTraceCompass() throws Exception {
        Path trace = ForeignTrace.withOffsetInSeconds(folder.resolve("trace"), 2);
        CtfTmfTrace compass = new CtfTmfTrace();
        assertThat(compass.validate(null, trace.toString())).isInstanceOf(CtfTraceValidationStatus.class);
        compass.dispose();
        ReadableTrace readable = ReadableTrace.in(trace).getFirst();
        assertThat(readable.type().getTraceTypeId()).isEqualTo(BabeltraceTrace.TYPE_ID);
        assertThat(events(open(trace))).extracting(event -> event.getTimestamp().toNanos())
                .containsExactly(ForeignTrace.FIRST_NANOS, ForeignTrace.FIRST_NANOS + ForeignTrace.STEP_NANOS);
        Path plain = ForeignTrace.plain(folder.resolve("plain"));
        assertThat(ReadableTrace.in(plain).getFirst().type().getTraceTypeId()).isNotEqualTo(BabeltraceTrace.TYPE_ID);
    }

    /** An older agent's, whose times KviewTrace knows: Kview's sessions open by it, and nobody waits for a trial by the library. */
    @Test
    void aTraceOfKviewsIsLeftToItWhateverItsClock() throws Exception {
        Path trace = folder.resolve("trace");
        TraceFixture.write(trace, "kview", 1);
        Path metadata = trace.resolve("metadata");
        Files.writeString(metadata, Files.readString(metadata).replace("offset = 1000;", "offset_s = 2; offset = 1000;"));
        BabeltraceTrace validator = new BabeltraceTrace();
        open.add(validator);
        assertThat(validator.validate(null, trace.toString())).isInstanceOfSatisfying(TraceValidationStatus.class,
                status -> assertThat(status.getConfidence()).as("as of what Trace Compass reads").isEqualTo(2));
        assertThatThrownBy(() -> ReadableTrace.in(trace)).hasMessageContaining("is one that Kview recorded");
    }

    /** The disk would be full in minutes. */
    @Test
    void aTraceThatNeverEndsIsEnded() throws Exception {
        Path trace = ForeignTrace.endless(folder.resolve("trace"));
        // Which takes no place on the disk, and the library does not read it.
        try (RandomAccessFile hidden = new RandomAccessFile(trace.resolve(".hidden").toFile(), "rw")) {
            hidden.setLength(1L << 40);
        }
        BabeltraceTrace opened = open(trace);
        List<ITmfEvent> events = events(opened);
        assertThat(events).hasSizeLessThan(MOST_EVENTS);
        assertThat(events.getLast().getContent().getField("cause").getValue().toString()).isEqualTo("The trace can't be read any further:"
                + " it tells of more events than its files have bits");
    }

    /** It would take 2 GiB of the host's memory. */
    @Test
    void aTraceThatTakesTooMuchMemoryIsRefused() throws Exception {
        assertThat(validate(ForeignTrace.large(folder.resolve("trace"), 20_000_000))).isEqualTo("libbabeltrace2 ended its process: the trace"
                + " is damaged, or needs more than 1 GiB of memory to be read.");
    }

    @Test
    void aCopyLeavesTheDiskItsReserve() throws Exception {
        Path trace = ForeignTrace.many(folder.resolve("trace"), 10);
        try (EventCopy copy = finished(trace, folder.resolve("home"), Long.MAX_VALUE)) {
            assertThat(copy.event(0)).isEmpty();
            assertThat(copy.failure()).hasValueSatisfying(cause -> assertThat(cause).startsWith("The trace's events are not copied any"
                    + " further, as less than ").endsWith(" MiB would stay free on the disk of the workspace; free some, close the trace,"
                    + " and open it again"));
        }
    }

    /** The library ends its process there, which is not the workbench's. */
    @Test
    void aTraceAtWhichTheLibraryEndsItselfIsRefused() throws Exception {
        Path trace = ForeignTrace.deadly(folder.resolve("trace"));
        assertThat(validate(trace)).startsWith("libbabeltrace2 ended its process: ").contains("ssertion");
        assertThatThrownBy(() -> open(trace)).hasMessageStartingWith("libbabeltrace2 ended its process: ");
    }

    @Test
    void whatIsNoTraceIsRefusedInASentence() throws Exception {
        assertThat(validate(folder)).isEqualTo("There is no CTF trace in " + folder + ": it has no file named metadata.");
        Files.writeString(folder.resolve("metadata"), "nonsense");
        assertThat(validate(folder)).startsWith("The trace in " + folder + " can't be opened: ").endsWith(".");
        assertThatThrownBy(() -> open(folder)).hasMessageStartingWith("The trace in " + folder + " can't be opened: ");
        Files.writeString(folder.resolve("metadata"), "\u001e{\"type\":\"preamble\",\"version\":2}\n");
        assertThat(validate(folder)).contains(Babeltrace.load().version().readsCtf2() ? "can't be opened: " : " is in CTF 2, which");
    }

    private static String validate(Path trace) {
        BabeltraceTrace validator = new BabeltraceTrace();
        IStatus status = validator.validate(null, trace.toString());
        validator.dispose();
        assertThat(status.getSeverity()).isEqualTo(IStatus.ERROR);
        return status.getMessage();
    }

    /** What another JVM runs, as a library is looked for once. */
    static final class Validating {
        private Validating() {
        }

        public static void main(String[] arguments) {
            System.out.println(new BabeltraceTrace().validate(null, arguments[0]).getMessage());
            // Trace Compass's threads are no daemons.
            System.exit(0);
        }
    }

    @Test
    void withoutTheLibraryItIsSaidWhatToInstall() throws Exception {
        Path trace = ForeignTrace.plain(folder.resolve("trace"));
        List<String> places = new ArrayList<>();
        for (Bundle bundle : FrameworkUtil.getBundle(BabeltraceTrace.class).getBundleContext().getBundles()) {
            Path place = FileLocator.getBundleFileLocation(bundle).orElseThrow().toPath();
            places.add((Files.isDirectory(place.resolve("target/classes")) ? place.resolve("target/classes") : place).toString());
        }
        Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-D" + Babeltrace.LIBRARY_PROPERTY + "=/nowhere.so",
                "-cp", String.join(":", places), Validating.class.getName(), trace.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(new String(jvm.getInputStream().readAllBytes()).strip()).isEqualTo("libbabeltrace2, the library that reads traces, is"
                + " not installed; install it, on Debian by 'apt-get install libbabeltrace2-0'.");
    }

    @Test
    void aWholeCopyServesUntilTheTraceChanges() throws Exception {
        Path trace = ForeignTrace.many(folder.resolve("trace"), 10), home = folder.resolve("home");
        try (EventCopy first = finished(trace, home)) {
            assertThat(first.failure()).isEmpty();
        }
        assertThat(names(home)).containsExactly("copy");
        try (EventCopy second = EventCopy.open(trace, home)) {
            assertThat(second.isFinished()).as("nothing is read anew").isTrue();
            assertThat(second.event(0)).isPresent();
            assertThat(second.name(0)).isEqualTo("request");
        }
        ForeignTrace.many(trace, 11);
        try (EventCopy third = EventCopy.open(trace, home)) {
            assertThat(names(home)).hasSize(2);
        }
        assertThat(names(home)).as("one that is not whole goes").hasSize(1);
    }

    @Test
    void whatAWorkbenchThatDiedLeftGoes() throws Exception {
        Path trace = ForeignTrace.many(folder.resolve("trace"), 10), home = folder.resolve("home");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path left = Files.createDirectories(home.resolve("unfinished-" + dead.pid() + "-x"));
        Files.createFile(left.resolve("events"));
        finished(trace, home).close();
        assertThat(names(home)).containsExactly("copy");
    }

    private static EventCopy finished(Path trace, Path home) throws Exception {
        return finished(trace, home, 0);
    }

    private static EventCopy finished(Path trace, Path home, long reserveBytes) throws Exception {
        EventCopy copy = EventCopy.open(trace, home, reserveBytes);
        while (!copy.isFinished()) {
            Thread.sleep(10);
        }
        return copy;
    }

    private static List<String> names(Path home) throws IOException {
        try (Stream<Path> found = Files.list(home)) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
