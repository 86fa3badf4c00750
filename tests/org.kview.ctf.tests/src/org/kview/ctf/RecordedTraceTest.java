// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.TraceEvent.CallEntry;
import org.kview.ctf.TraceEvent.CallExit;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.TraceEvent.ThreadName;
import org.kview.model.Metric;

/** Reads what the agent recorded. */
class RecordedTraceTest {
    /** babeltrace2's figures. */
    private static final int EVENTS = 7736;
    private static final int CALLS_BEGUN = 2014;
    private static final int CALLS_ENDED = 2004;

    @TempDir
    Path folder;

    private EventTrace trace;
    private List<TraceEvent> events;

    @BeforeEach
    void read() throws Exception {
        trace = EventTrace.open(TraceFixture.recorded(folder));
        events = TraceFixture.read(trace);
    }

    private <T extends TraceEvent> Stream<T> all(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast);
    }

    @Test
    void everyEventIsThereInTheOrderOfTime() {
        assertThat(events).hasSize(EVENTS);
        assertThat(all(CallEntry.class)).hasSize(CALLS_BEGUN);
        assertThat(all(CallExit.class)).hasSize(CALLS_ENDED);
        assertThat(events).isSortedAccordingTo(Comparator.comparingLong(TraceEvent::nanos).thenComparingInt(TraceEvent::cpu));
        assertThat(events).noneMatch(event -> event instanceof TraceEvent.LostEvents || event instanceof TraceEvent.Damage
                || event instanceof TraceEvent.Other);
    }

    @Test
    void everyCallsTimeIsExplainedToTheNanosecond() {
        assertThat(all(CallExit.class)).isNotEmpty().allSatisfy(call -> {
            assertThat(call.onCpuNanos() + call.causes().stream().mapToLong(CauseTime::nanos).sum()).isEqualTo(call.wallNanos());
            assertThat(call.causes()).allMatch(time -> time.cause().metric().filter(Metric::isCause).isPresent());
            assertThat(call.beginNanos()).isBetween(1L, call.nanos());
        });
    }

    @Test
    void namesAreThoseOfTheRecording() {
        assertThat(all(CallExit.class).map(call -> trace.layout().functionLabel(call.function())).distinct())
                .containsExactlyInAnyOrder("price_basket", "flush_cache", "fetch_rates", "poll_queue", "walk_tree", "build_index",
                        "render_page");
        assertThat(all(ThreadName.class).map(ThreadName::name)).contains("rates", "queue-poller");
        assertThat(trace.layout().environment("tracer_minor")).hasValue("3");
    }

    static boolean isBabeltraceInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream().anyMatch(f -> Files.isExecutable(Path.of(f, "babeltrace2")));
    }

    /** Each event with each of its fields. */
    @Test
    @EnabledIf("isBabeltraceInstalled")
    void babeltraceReadsTheSame() throws Exception {
        Process process = new ProcessBuilder("babeltrace2", "--clock-cycles", "--no-delta", folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        BabeltraceText text = new BabeltraceText(trace.layout());
        assertThat(lines).hasSize(EVENTS);
        // Which of two CPUs' events at one time it tells first is its own affair.
        for (int cpu = 0; cpu < 2; cpu++) {
            int one = cpu;
            assertThat(events.stream().filter(event -> event.cpu() == one).map(text::of).toList())
                    .isEqualTo(lines.stream().filter(line -> line.contains("{ cpu_id = " + one + " }")).toList());
        }
    }
}
