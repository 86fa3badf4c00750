// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.TraceFixture.Packet;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;

/** Names of threads that another CPU tells later, of a trace that is being written. */
class LiveNamesTest {
    private static final int TID = 7;
    private static final int NAME_BYTES = 16;

    @TempDir
    Path folder;

    private final LiveEnd end = new LiveEnd();
    private final Map<Integer, byte[]> written = new TreeMap<>();
    private int idle;

    private void write(int cpu, Packet packet) throws Exception {
        written.put(cpu, packet.close());
        TraceFixture.write(folder, TraceFixture.metadata(), cpu, written.get(cpu));
    }

    private static Packet call() {
        Packet packet = new Packet(0, 0, 0);
        packet.event(0, 100).putInt(TID).putInt(0).putShort((short) 0);
        packet.event(1, 200).putInt(TID).putInt(0).putShort((short) 0).putLong(100).putLong(100).putLong(100).put((byte) 0);
        return packet;
    }

    private static Packet name(int cpu, long nanos, String name) {
        Packet packet = new Packet(cpu, 0, 0);
        ByteBuffer fields = packet.event(6, nanos).putInt(TID).putInt(TID).put((byte) name.length());
        byte[] text = new byte[NAME_BYTES];
        System.arraycopy(name.getBytes(), 0, text, 0, name.length());
        fields.put(text);
        return packet;
    }

    private List<Call> calls(EventTrace trace, Runnable whenIdle) throws Exception {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = CallCursor.ahead(trace, true, _ -> { }, whenIdle)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
        }
        return calls;
    }

    private EventTrace whole() throws CtfException {
        return EventTrace.open(folder, cpu -> TraceFixture.known(List.of(written.get(cpu))));
    }

    @Test
    void aCallHasTheNameThatItsThreadGetsNext() throws Exception {
        write(0, call());
        write(1, name(1, 500, "worker"));
        EventTrace live = EventTrace.live(folder, end);
        end.end(true);
        assertThat(calls(live, () -> { })).isEqualTo(calls(whole(), () -> { })).extracting(Call::thread).containsExactly("worker");
        assertThat(whole().isAsTold(live)).isTrue();
    }

    /** A trace may have many calls of a thread that has no name, and many files. */
    @Test
    void filesAreNotLookedAtForEachCall() throws Exception {
        write(0, call());
        long[] now = {5};
        TraceLayout layout = TraceLayout.parse(TraceFixture.metadata());
        Map<Integer, LiveStream> told = new TreeMap<>();
        told.put(0, new LiveStream(folder.resolve("cpu_0"), 0, layout, 1 << 16, new ReadPackets()));
        try (LiveAhead ahead = new LiveAhead(told, () -> now[0])) {
            assertThat(ahead.next()).isPresent();
            assertThat(ahead.next()).isPresent();
            now[0] += 20_000_000;
            assertThat(ahead.next()).as("all that is written").isEmpty();
            write(1, name(1, 500, "worker"));
            told.put(1, new LiveStream(folder.resolve("cpu_1"), 1, layout, 1 << 16, new ReadPackets()));
            now[0] += 1_000_000;
            assertThat(ahead.next()).as("a moment later").isEmpty();
            now[0] += 20_000_000;
            assertThat(ahead.next()).isPresent();
        } finally {
            for (LiveStream stream : told.values()) {
                stream.close();
            }
        }
    }

    /** The call was told by a name that another one comes before: what was made of it is not what the whole trace tells. */
    @Test
    void aNameThatComesBeforeTheOneThatWasFoundIsNoticed() throws Exception {
        write(0, call());
        write(1, name(1, 500, "second"));
        EventTrace live = EventTrace.live(folder, end);
        List<Call> calls = calls(live, () -> {
            // Those of 200 ns are told when nothing earlier came for some time.
            if (idle++ == 8) {
                try {
                    write(2, name(2, 400, "first"));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                end.end(true);
            }
        });
        assertThat(calls).extracting(Call::thread).containsExactly("second");
        assertThat(end.late()).isZero();
        assertThat(calls(whole(), () -> { })).extracting(Call::thread).containsExactly("first");
        assertThat(whole().isAsTold(live)).isFalse();
        assertThat(Files.exists(folder.resolve("cpu_2"))).isTrue();
    }
}
