// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.ctf.TraceEvent.Damage;
import org.kview.ctf.TraceFixture.Packet;
import org.kview.model.SafeText;

/**
 * Traces that somebody changed on purpose: each is read, and what is wrong with it is told, or it is refused with a sentence.
 *
 * <p>{@code KVIEW_FUZZ_TRACES} how many, {@code KVIEW_FUZZ_SEED} the first one's seed.
 */
class HostileTraceTest {
    private static final int TRACES = 1_000;
    private static final int PACKETS = 4;
    private static final byte[] NAME = "holder\0\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    private final String metadata = TraceFixture.metadata();
    private Path folder;

    @BeforeEach
    void create() throws IOException {
        Path shm = Path.of("/dev/shm");
        folder = Files.isWritable(shm) ? Files.createTempDirectory(shm, "kview-fuzz-") : Files.createTempDirectory("kview-fuzz-");
    }

    @AfterEach
    void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }

    private static long setting(String name, long otherwise) {
        return Optional.ofNullable(System.getenv(name)).map(Long::parseLong).orElse(otherwise);
    }

    /** Packets of all kinds of events. */
    private static List<byte[]> packets(int cpu) {
        List<byte[]> packets = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            Packet packet = new Packet(cpu, i, i / 2);
            long at = 1000L * i;
            packet.event(6, at).putInt(77).putInt(70).put((byte) 6).put(NAME);
            packet.event(0, at + 1).putInt(77).putInt(1).putShort((short) 0);
            packet.event(2, at + 2).putInt(77).put((byte) 5).putInt(202);
            packet.event(3, at + 3).putInt(77).putInt(78).put((byte) 6).put(NAME);
            packet.event(4, at + 4).putInt(77).putLong(2).putLong(1);
            packet.event(1, at + 5).putInt(77).putInt(1).putShort((short) 0).putLong(at + 1).putLong(4).putLong(2).put((byte) 2)
                    .put((byte) 5).putLong(1).put((byte) 2).putLong(1);
            packet.event(5, at + 6).putInt(77);
            packets.add(packet.close());
        }
        return packets;
    }

    private static byte[] joined(List<byte[]> packets) {
        byte[] all = new byte[packets.stream().mapToInt(packet -> packet.length).sum()];
        int at = 0;
        for (byte[] packet : packets) {
            System.arraycopy(packet, 0, all, at, packet.length);
            at += packet.length;
        }
        return all;
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void changedTracesBreakNothing() throws Exception {
        long first = setting("KVIEW_FUZZ_SEED", 1);
        long traces = setting("KVIEW_FUZZ_TRACES", TRACES);
        Files.writeString(folder.resolve(EventTrace.METADATA), metadata);
        Files.write(folder.resolve("cpu_0"), joined(packets(0)));
        Files.write(folder.resolve("cpu_1"), joined(packets(1)));
        List<TraceEvent> whole = TraceFixture.read(EventTrace.open(folder));
        assertThat(whole).hasSize(2 * (PACKETS * 7 + 1)).noneMatch(Damage.class::isInstance);
        int refused = 0;
        for (long seed = first; seed < first + traces; seed++) {
            try {
                refused += play(seed, whole) ? 0 : 1;
            } catch (Throwable e) {
                throw new AssertionError("KVIEW_FUZZ_SEED=" + seed + " KVIEW_FUZZ_TRACES=1 shows: " + e, e);
            }
        }
        if (traces >= TRACES) {
            assertThat(refused).as("traces that are refused").isBetween((int) traces / 20, (int) traces / 2);
        }
        System.out.println("fuzzed " + traces + " traces: " + refused + " were refused");
    }

    /** @return false if it was refused */
    private boolean play(long seed, List<TraceEvent> whole) throws Exception {
        TraceMutator mutator = new TraceMutator(seed);
        Random random = new Random(seed);
        List<byte[]> original = packets(0);
        if (random.nextInt(4) == 0) {
            return onlyOnePacketIsLost(mutator, original, random.nextInt(PACKETS), whole);
        }
        boolean changesMetadata = random.nextBoolean();
        byte[] stream = joined(changesMetadata && random.nextBoolean() ? original : mutator.stream(original));
        Files.writeString(folder.resolve(EventTrace.METADATA), changesMetadata ? mutator.metadata(metadata) : metadata);
        Files.write(folder.resolve("cpu_0"), stream);
        boolean isKnown = random.nextBoolean();
        try {
            List<TraceEvent> events = TraceFixture.read(EventTrace.open(folder,
                    _ -> isKnown ? TraceFixture.known(original) : KnownPackets.NONE));
            assertThat(events).isSortedAccordingTo(Comparator.comparingLong(TraceEvent::nanos));
            assertThat(events).hasSizeLessThan(2 * 2 * stream.length / TraceLayout.EVENT_HEADER_BYTES + 2 * PACKETS);
            for (TraceEvent event : events) {
                if (event instanceof Damage damage) {
                    isASentence(damage.problem());
                }
            }
            return true;
        } catch (CtfException e) {
            isASentence(e.getMessage());
            return false;
        }
    }

    /** With checksums, whatever is in it: the others are read to the last event. */
    private boolean onlyOnePacketIsLost(TraceMutator mutator, List<byte[]> original, int lost, List<TraceEvent> whole)
            throws Exception {
        List<byte[]> changed = new ArrayList<>(original);
        changed.set(lost, mutator.packet(original.get(lost)));
        Files.writeString(folder.resolve(EventTrace.METADATA), metadata);
        Files.write(folder.resolve("cpu_0"), joined(changed));
        List<TraceEvent> events = TraceFixture.read(EventTrace.open(folder,
                cpu -> cpu == 0 ? TraceFixture.known(original) : KnownPackets.NONE));
        if (java.util.Arrays.equals(changed.get(lost), original.get(lost))) {
            assertThat(events).isEqualTo(whole);
            return true;
        }
        assertThat(events).filteredOn(Damage.class::isInstance).hasSize(1);
        assertThat(told(events, -1)).isEqualTo(told(whole, lost));
        return true;
    }

    /** The events without what is told of losses, and without those of a packet of CPU 0. */
    private static List<TraceEvent> told(List<TraceEvent> events, int withoutPacket) {
        return events.stream().filter(event -> !(event instanceof Damage || event instanceof TraceEvent.LostEvents))
                .filter(event -> event.cpu() != 0 || event.nanos() / 1000 != withoutPacket).toList();
    }

    private static void isASentence(String problem) {
        assertThat(problem).isNotBlank().doesNotContain("Exception", "null").isEqualTo(SafeText.line(problem)).hasSizeLessThan(500);
    }
}
