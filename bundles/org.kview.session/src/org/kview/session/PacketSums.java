/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code packets.crc32} says: how long each packet of each stream is, and its CRC-32. A line is {@code CPU BYTES
 * CRC32}; those of one CPU stand in the order of its stream file. Lines of other kinds are passed over.
 */
final class PacketSums {
    static final byte[] HEADER = "# CPU BYTES CRC32 of each packet, in the order of trace/cpu_CPU\n"
            .getBytes(StandardCharsets.US_ASCII);
    /** Those of a trace of some 200 GB. */
    static final long MAX_FILE_BYTES = 64L << 20;

    private static final Pattern LINE = Pattern.compile("([0-9]{1,5}) ([0-9]{1,10}) ([0-9a-f]{8})");
    private static final int FIRST_CAPACITY = 16;
    private static final long CRC_MASK = 0xffff_ffffL;

    private final Map<Integer, Packets> byCpu = new HashMap<>();

    /** The packets of one stream. */
    static final class Packets {
        private long[] values = new long[FIRST_CAPACITY];
        private int count;

        private void add(int bytes, long crc) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = (long) bytes << Integer.SIZE | crc;
        }

        int count() {
            return count;
        }

        /** The length of a packet. */
        int bytes(int index) {
            return (int) (values[index] >>> Integer.SIZE);
        }

        /** Its CRC-32. */
        long crc32(int index) {
            return values[index] & CRC_MASK;
        }
    }

    private PacketSums() {
    }

    /** A packet's line, with its end. */
    static String line(int cpu, int bytes, long crc) {
        return cpu + " " + bytes + " " + HexFormat.of().toHexDigits((int) crc) + "\n";
    }

    static PacketSums parse(byte[] text) throws IOException {
        PacketSums sums = new PacketSums();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(new ByteArrayInputStream(text),
                StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LINE.matcher(line);
                long bytes = matcher.matches() ? Long.parseLong(matcher.group(2)) : Long.MAX_VALUE;
                if (bytes <= Integer.MAX_VALUE) {
                    sums.byCpu.computeIfAbsent(Integer.parseInt(matcher.group(1)), cpu -> new Packets())
                            .add((int) bytes, Long.parseLong(matcher.group(3), 16));
                }
            }
        }
        return sums;
    }

    Optional<Packets> of(int cpu) {
        return Optional.ofNullable(byCpu.get(cpu));
    }
}
