// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

import org.kview.ctf.KnownPackets;

/**
 * What {@code packets.crc32} says: how long each packet of each stream is, and its CRC-32. A line is {@code CPU BYTES
 * CRC32}; those of one CPU stand in the order of its stream file. Lines of other kinds are passed over.
 */
public final class PacketSums {
    public static final byte[] HEADER = "# CPU BYTES CRC32 of each packet, in the order of trace/cpu_CPU\n"
            .getBytes(StandardCharsets.US_ASCII);
    /** Enough for a trace of some 200 GB. */
    public static final long MAX_FILE_BYTES = 64L << 20;

    private static final int CPU_DIGITS = 5;
    private static final int BYTES_DIGITS = 10;
    private static final int CRC_DIGITS = 8;
    private static final int MOST_LINE_CHARS = 32;
    private static final int FIRST_CAPACITY = 16;
    private static final long CRC_MASK = 0xffff_ffffL;

    private final Map<Integer, Packets> byCpu = new HashMap<>();

    /** The packets of one stream. */
    public static final class Packets implements KnownPackets {
        private long[] values = new long[FIRST_CAPACITY];
        private int count;

        private void add(int bytes, long crc) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = (long) bytes << Integer.SIZE | crc;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public int bytes(int index) {
            return (int) (values[index] >>> Integer.SIZE);
        }

        @Override
        public long crc32(int index) {
            return values[index] & CRC_MASK;
        }
    }

    private PacketSums() {
    }

    /** A packet's line, with its end. */
    public static String line(int cpu, int bytes, long crc) {
        return cpu + " " + bytes + " " + HexFormat.of().toHexDigits((int) crc) + "\n";
    }

    public static PacketSums parse(byte[] text) {
        PacketSums sums = new PacketSums();
        for (int begin = 0; begin < text.length;) {
            int end = begin;
            while (end < text.length && text[end] != '\n') {
                end++;
            }
            if (end - begin <= MOST_LINE_CHARS) {
                sums.add(new LineCursor(new String(text, begin, end - begin, StandardCharsets.ISO_8859_1)));
            }
            begin = end + 1;
        }
        return sums;
    }

    private void add(LineCursor line) {
        int cpu = (int) line.number(1, CPU_DIGITS);
        line.require(" ");
        long bytes = line.number(1, BYTES_DIGITS);
        line.require(" ");
        long crc = line.hex(CRC_DIGITS);
        if (line.isAtEnd() && bytes <= Integer.MAX_VALUE) {
            byCpu.computeIfAbsent(cpu, _ -> new Packets()).add((int) bytes, crc);
        }
    }

    public Optional<Packets> of(int cpu) {
        return Optional.ofNullable(byCpu.get(cpu));
    }
}
