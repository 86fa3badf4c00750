// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.Nesting;
import org.kview.model.Metric;

/** Which calls enclose a call, and how much of its time is its own. */
class NestingTest {
    private static final int TID = 77;
    private static final int PARSE = 0;
    private static final int STORE = 1;
    private static final int LOCK = 5;

    @TempDir
    private Path folder;

    private final TraceFixture.Packet packet = new TraceFixture.Packet(0, 0, 0);

    private void entry(long nanos, int function, int depth) {
        packet.event(0, nanos).putInt(TID).putInt(function).putShort((short) depth);
    }

    private void exit(long nanos, int function, int depth, long begin, long wall, long lock) {
        ByteBuffer event = packet.event(1, nanos).putInt(TID).putInt(function).putShort((short) depth).putLong(begin).putLong(wall)
                .putLong(wall - lock).put((byte) (lock > 0 ? 1 : 0));
        if (lock > 0) {
            event.put((byte) LOCK).putLong(lock);
        }
    }

    /** As "enclosing: wall, on CPU, lock", or "unknown". */
    private List<String> nestings(boolean whole, byte[]... later) throws Exception {
        byte[][] packets = new byte[1 + later.length][];
        packets[0] = packet.close();
        System.arraycopy(later, 0, packets, 1, later.length);
        List<String> told = new ArrayList<>();
        try (CallCursor cursor = new CallCursor(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packets)),
                whole)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                told.add(cursor.nesting().map(NestingTest::text).orElse("unknown"));
            }
        }
        return told;
    }

    private static String text(Nesting nesting) {
        return nesting.enclosing() + ": " + nesting.selfNanos(Metric.WALL) + " " + nesting.selfNanos(Metric.ON_CPU) + " "
                + nesting.selfNanos(Metric.LOCK);
    }

    @Test
    void aCallsOwnTimeIsWithoutThatOfCallsDirectlyWithin() throws Exception {
        entry(10, PARSE, 0);
        entry(20, STORE, 1);
        entry(30, PARSE, 2);
        exit(40, PARSE, 2, 30, 10, 4);
        exit(60, STORE, 1, 20, 38, 9);
        entry(70, STORE, 1);
        exit(75, STORE, 1, 70, 5, 0);
        exit(100, PARSE, 0, 10, 80, 10);
        assertThat(nestings(true)).containsExactly("[0, 1]: 10 6 4", "[0]: 28 23 5", "[0]: 5 5 0", "[]: 37 36 1");
    }

    /** Nobody knows what such a call took: those within it are part of what the next one around it took. */
    @Test
    void whatIsWithinACallThatNeverEndsIsWithinTheOneAround() throws Exception {
        entry(10, PARSE, 0);
        entry(20, STORE, 1);
        entry(30, PARSE, 2);
        exit(40, PARSE, 2, 30, 10, 0);
        // Left by a jump.
        entry(50, PARSE, 1);
        exit(60, PARSE, 1, 50, 9, 0);
        exit(100, PARSE, 0, 10, 80, 0);
        entry(110, STORE, 0);
        entry(120, PARSE, 1);
        exit(130, PARSE, 1, 120, 7, 0);
        assertThat(nestings(true)).containsExactly("[0, 1]: 10 10 0", "[0]: 9 9 0", "[]: 61 61 0", "[1]: 7 7 0");
    }

    /** The probes' cost that is taken off is known only so well: sums stay right, whatever a single difference is. */
    @Test
    void anOwnTimeMayBeLessThanNothing() throws Exception {
        entry(10, PARSE, 0);
        entry(20, STORE, 1);
        exit(40, STORE, 1, 20, 12, 0);
        exit(50, PARSE, 0, 10, 10, 0);
        assertThat(nestings(true)).containsExactly("[0]: 12 12 0", "[]: -2 -2 0");
    }

    /** A thread that switches stacks returns from the outer call first: which time is whose can't be told. */
    @Test
    void aCallThatOutlivesTheOneAroundIsNotPlaced() throws Exception {
        entry(5, PARSE, 0);
        entry(10, PARSE, 1);
        entry(20, STORE, 2);
        exit(30, PARSE, 1, 10, 20, 0);
        exit(40, STORE, 2, 20, 20, 0);
        exit(50, PARSE, 0, 5, 45, 0);
        assertThat(nestings(true)).containsExactly("[0]: 20 20 0", "unknown", "[]: 25 25 0");
    }

    /** Nor is that one kept: a made-up trace could leave a row of them behind each call. */
    @Test
    void whatHasEndedEnclosesNothingThatFollows() throws Exception {
        entry(5, PARSE, 0);
        entry(10, PARSE, 1);
        entry(20, STORE, 2);
        exit(30, PARSE, 1, 10, 20, 0);
        entry(32, PARSE, 3);
        exit(34, PARSE, 3, 32, 2, 0);
        assertThat(nestings(true).getLast()).startsWith("[0, 1]: ");
    }

    @Test
    void whereEventsAreMissingOnlyThoseThatNoneEnclosesArePlaced() throws Exception {
        entry(10, PARSE, 0);
        entry(20, STORE, 1);
        exit(40, STORE, 1, 20, 20, 5);
        exit(50, PARSE, 0, 10, 40, 5);
        exit(70, STORE, 0, 60, 10, 0);
        assertThat(nestings(false)).containsExactly("unknown", "[]: 40 35 5", "[]: 10 10 0");
    }

    /** What was placed before is not in a call's own time; what was not, is. */
    @Test
    void fromALossOnWhatWasPlacedStaysSo() throws Exception {
        entry(10, PARSE, 0);
        entry(20, STORE, 1);
        entry(21, PARSE, 2);
        exit(25, PARSE, 2, 21, 3, 0);
        TraceFixture.Packet later = new TraceFixture.Packet(0, 3, 9);
        ByteBuffer store = later.event(1, 40);
        store.putInt(TID).putInt(STORE).putShort((short) 1).putLong(20).putLong(18).putLong(18).put((byte) 0);
        ByteBuffer parse = later.event(1, 50);
        parse.putInt(TID).putInt(PARSE).putShort((short) 0).putLong(10).putLong(40).putLong(40).put((byte) 0);
        assertThat(nestings(true, later.close())).containsExactly("[0, 1]: 3 3 0", "unknown", "[]: 37 37 0");
    }
}
