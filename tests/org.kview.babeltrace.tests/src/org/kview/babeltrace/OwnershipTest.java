// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a caller does, no memory is read that was freed, and all is given back. */
class OwnershipTest {
    private static final int OPENS = 50;
    /** In bytes for each open. What the JVM takes for itself is less from round to round. */
    private static final long LEAST_LEAK = 500;
    private static final int MOST_ROUNDS = 20;
    private static final MemoryLayout MALLINFO = MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG);
    private static final int USED = 7;

    @TempDir
    private Path folder;
    private Path trace;
    private Babeltrace library;

    @BeforeEach
    void load() throws Exception {
        library = Babeltrace.load();
        trace = TraceFiles.allTypes(folder.resolve("all"));
    }

    private static Event nextEvent(TraceReader reader) throws BabeltraceException {
        while (reader.next()) {
            if (reader.message() instanceof Event event) {
                return event;
            }
        }
        throw new AssertionError("no event");
    }

    @Test
    void whatBelongsToAMessageIsRefusedAfterTheNextOne() throws Exception {
        try (TraceReader reader = library.open(List.of(trace))) {
            Event event = nextEvent(reader);
            Field payload = event.payload();
            Field inner = payload.member("large").orElseThrow();
            reader.next();
            for (var use : List.<Runnable>of(inner::unsigned, () -> payload.member(0))) {
                assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class).hasMessageContaining("until the next one");
            }
        }
    }

    @Test
    void whatIsUsedAfterCloseIsRefused() throws Exception {
        TraceReader reader = library.open(List.of(trace));
        Event event = nextEvent(reader);
        Field payload = event.payload();
        reader.close();
        reader.close();
        for (var use : List.<Runnable>of(event::payload, event::eventClass, () -> payload.member(0), reader::message)) {
            assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(reader::next).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    /** The library keeps errors by thread: elsewhere it would abort. */
    @Test
    void anotherThreadIsRefused() throws Exception {
        try (TraceReader reader = library.open(List.of(trace))) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(reader::close).join())
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThat(reader.next()).isTrue();
        }
    }

    @Test
    void aWrongTypeAndAWrongIndexAreRefused() throws Exception {
        try (TraceReader reader = library.open(List.of(trace))) {
            Field payload = nextEvent(reader).payload();
            Field list = payload.member("list").orElseThrow();
            assertThatThrownBy(payload::unsigned).isInstanceOf(ClassCastException.class);
            assertThatThrownBy(() -> payload.member("name").orElseThrow().signed()).isInstanceOf(ClassCastException.class);
            assertThatThrownBy(() -> list.element(2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> payload.member(99)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    /**
     * What the C library's allocator has given out, before and after some opens. A graph has some 10 kB. The JVM takes from the same
     * allocator at any time, as its compiler does: what leaks is there in each round.
     */
    @Test
    void hundredsOfOpensLeakNothing() throws Throwable {
        MethodHandle mallinfo = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().find("mallinfo2").orElseThrow(), FunctionDescriptor.of(
                        MemoryLayout.structLayout(MALLINFO.withName("counts"))));
        opens(OPENS);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && least >= LEAST_LEAK; round++) {
            long before = used(mallinfo);
            opens(OPENS);
            least = Math.min(least, (used(mallinfo) - before) / OPENS);
        }
        assertThat(least).as("bytes leaked for each open").isLessThan(LEAST_LEAK);
    }

    private static long used(MethodHandle mallinfo) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) mallinfo.invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(ValueLayout.JAVA_LONG, USED);
        }
    }

    /** Some are read to the end, others closed before the first message, or amid a packet, or refused. */
    private void opens(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            try (TraceReader reader = library.open(List.of(trace))) {
                for (int left = i % 4 == 0 ? Integer.MAX_VALUE : i % 7; left > 0 && reader.next(); left--) {
                    if (reader.message() instanceof Event event) {
                        event.payload().member("name").map(name -> name.text(9)).orElseThrow();
                    }
                }
            }
        }
    }
}
