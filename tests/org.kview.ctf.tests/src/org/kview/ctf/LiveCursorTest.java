// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded trace that is written once more while it is read. */
class LiveCursorTest {
    @TempDir
    Path folder;

    private final LiveEnd end = new LiveEnd();
    private final List<TraceEvent> told = new ArrayList<>();
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private int toldBeforeTheEnd;
    private Path live;
    private EventTrace whole;

    private record Piece(String file, byte[] bytes, long endNanos) {
    }

    @BeforeEach
    void record() throws Exception {
        whole = EventTrace.open(TraceFixture.recorded(Files.createDirectory(folder.resolve("whole"))));
        live = Files.createDirectory(folder.resolve("live"));
        Files.copy(folder.resolve("whole/metadata"), live.resolve("metadata"));
    }

    private List<Piece> packets(String file) {
        byte[] bytes = TraceFixture.recorded(file);
        List<Piece> packets = new ArrayList<>();
        for (int at = 0; at < bytes.length;) {
            PacketHeader header = PacketHeader.parse(ByteBuffer.wrap(bytes, at, bytes.length - at)).orElseThrow();
            packets.add(new Piece(file, Arrays.copyOfRange(bytes, at, at += (int) header.packetBytes()), header.endNanos()));
        }
        return packets;
    }

    private void append(String file, byte[] bytes) {
        try {
            Files.write(live.resolve(file), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each step is done when the cursor has nothing to tell. */
    private void read() throws Exception {
        try (LiveCursor cursor = new LiveCursor(live, whole.layout(), end, () -> {
            if (steps.isEmpty()) {
                toldBeforeTheEnd = told.size();
                end.end(true);
            } else {
                steps.removeFirst().run();
            }
        }, 1)) {
            for (Optional<TraceEvent> event = cursor.next(); event.isPresent(); event = cursor.next()) {
                told.add(event.get());
            }
        }
    }

    /** The second CPU's file is not there at first, and packets are written in two parts. */
    @Test
    void itTellsTheSameEventsInTheSameOrder() throws Exception {
        List<Piece> all = new ArrayList<>(packets("cpu_0"));
        all.addAll(packets("cpu_1"));
        all.sort(Comparator.comparingLong(Piece::endNanos));
        for (Piece piece : all) {
            int half = piece.bytes().length / 2;
            steps.add(() -> append(piece.file(), Arrays.copyOf(piece.bytes(), half)));
            steps.add(() -> append(piece.file(), Arrays.copyOfRange(piece.bytes(), half, piece.bytes().length)));
        }
        for (int i = 0; i < 10; i++) {
            steps.add(() -> { });
        }
        read();
        assertThat(told.equals(TraceFixture.read(whole))).isTrue();
        assertThat(toldBeforeTheEnd).as("most come while it is written").isGreaterThan(told.size() / 2);
    }

    /** The trace that was written, and what a session knows of its packets. */
    private EventTrace written() throws CtfException {
        return EventTrace.open(live, cpu -> TraceFixture.known(TraceFixture.packets(TraceFixture.recorded("cpu_" + cpu))));
    }

    private boolean isAsTold(EventTrace trace) throws CtfException {
        return trace.isAsTold(EventTrace.live(live, end));
    }

    /** Then what was made of it while it was written need not be made again. */
    @Test
    void itKnowsWhetherItToldAllOfATraceInItsOrder() throws Exception {
        for (String file : List.of("cpu_0", "cpu_1")) {
            packets(file).forEach(piece -> append(piece.file(), piece.bytes()));
        }
        read();
        assertThat(isAsTold(written())).isTrue();
        assertThat(isAsTold(EventTrace.open(live))).as("what its packets were is not known").isFalse();
        assertThat(isAsTold(EventTrace.open(live, _ -> TraceFixture.known(TraceFixture.packets(TraceFixture.recorded("cpu_0")))))).isFalse();
        append("cpu_1", packets("cpu_1").getFirst().bytes());
        assertThat(isAsTold(written())).as("more was written").isFalse();
    }

    private void pass(int polls) {
        for (int i = 0; i < polls; i++) {
            steps.add(() -> { });
        }
    }

    /** Packets of a CPU on which little happens come long after those of another one that are as old. */
    @Test
    void aQuietCpuIsWaitedFor() throws Exception {
        List<Piece> quiet = packets("cpu_1");
        steps.add(() -> append("cpu_1", quiet.getFirst().bytes()));
        steps.add(() -> packets("cpu_0").forEach(piece -> append(piece.file(), piece.bytes())));
        pass(10);
        steps.add(() -> quiet.subList(1, quiet.size()).forEach(piece -> append(piece.file(), piece.bytes())));
        read();
        assertThat(told.equals(TraceFixture.read(whole))).isTrue();
        assertThat(end.late()).isZero();
    }

    /** It may have nothing to tell for hours. */
    @Test
    void aQuietCpuDoesNotHoldTheOthersUp() throws Exception {
        append("cpu_1", packets("cpu_1").getFirst().bytes());
        steps.add(() -> packets("cpu_0").forEach(piece -> append(piece.file(), piece.bytes())));
        pass(20);
        read();
        assertThat(told).isNotEmpty();
        assertThat(toldBeforeTheEnd).isEqualTo(told.size());
    }

    /** It can't be put among those that were told before: it counts as lost, and the others are told. */
    @Test
    void whatComesTooLateIsCounted() throws Exception {
        packets("cpu_0").forEach(piece -> steps.add(() -> append(piece.file(), piece.bytes())));
        for (int i = 0; i < 10; i++) {
            steps.add(() -> { });
        }
        packets("cpu_1").forEach(piece -> steps.add(() -> append(piece.file(), piece.bytes())));
        read();
        long lost = told.stream().filter(TraceEvent.LostEvents.class::isInstance).count();
        assertThat(lost).isPositive().isEqualTo(end.late());
        assertThat(told).hasSameSizeAs(TraceFixture.read(whole)).isSortedAccordingTo(Comparator.comparingLong(TraceEvent::nanos));
        assertThat(isAsTold(written())).isFalse();
    }
}
