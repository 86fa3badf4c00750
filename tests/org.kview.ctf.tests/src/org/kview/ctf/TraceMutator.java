// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Changes a trace as somebody would who knows its format; the same seed makes the same changes. */
final class TraceMutator {
    private static final long[] NUMBERS = {0, 1, -1, 7, 8, 9, 75 * 8, 76 * 8, 77 * 8, 255, 256, 65_536, Integer.MAX_VALUE,
        0xFFFF_FFFFL, 1L << 32, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 8};
    private static final String[] TOKENS = {"{", "}", ";", ":=", "=", "[", "]", ",", "...", "\"", "/*", "//", "\0", "-1", "0x", "08",
        "99999999999999999999", "9223372036854775807", "struct", "enum", "string", "integer", "variant", "typealias", "u64", "event",
        "stream", "tid", "causes", "cause_id", "name", "[causes_length]", "[4294967295]", "\u202e", "@"};
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z_][\\w.]*|-?[0-9]+|\"[^\"]*\"|:=|[^\\s\\w]");

    private final Random random;

    TraceMutator(long seed) {
        random = new Random(seed);
    }

    String metadata(String text) {
        String changed = text;
        for (int i = random.nextInt(3); i >= 0; i--) {
            List<MatchResult> tokens = TOKEN.matcher(changed).results().toList();
            if (tokens.isEmpty()) {
                return changed;
            }
            MatchResult one = tokens.get(random.nextInt(tokens.size()));
            MatchResult other = tokens.get(random.nextInt(tokens.size()));
            String put = switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> one.group() + " " + one.group();
                case 2 -> Long.toString(NUMBERS[random.nextInt(NUMBERS.length)]);
                case 3 -> other.group();
                case 4 -> changed.substring(Math.min(one.start(), other.start()), Math.max(one.end(), other.end()));
                default -> TOKENS[random.nextInt(TOKENS.length)];
            };
            changed = changed.substring(0, one.start()) + " " + put + " " + changed.substring(one.end());
        }
        return random.nextInt(20) == 0 ? changed.substring(0, random.nextInt(changed.length())) : changed;
    }

    /** Some of its bytes are others, its length is the same. */
    byte[] packet(byte[] original) {
        byte[] changed = original.clone();
        ByteBuffer bytes = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = random.nextInt(3); i >= 0; i--) {
            switch (random.nextInt(3)) {
                case 0 -> changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> put(bytes, PacketField.values()[random.nextInt(PacketField.values().length)].at());
                default -> put(bytes, PacketHeader.HEADER_BYTES + random.nextInt(changed.length - PacketHeader.HEADER_BYTES));
            }
        }
        return changed;
    }

    private void put(ByteBuffer bytes, int at) {
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        switch (Math.min(bytes.capacity() - at, 1 << random.nextInt(4))) {
            case 1 -> bytes.put(at, (byte) number);
            case 2, 3 -> bytes.putShort(at, (short) number);
            case 4, 5, 6, 7 -> bytes.putInt(at, (int) number);
            default -> bytes.putLong(at, number);
        }
    }

    /** Packets are others, missing, twice there, in another order, or cut off. */
    List<byte[]> stream(List<byte[]> original) {
        List<byte[]> changed = new ArrayList<>(original);
        int at = random.nextInt(changed.size());
        int other = random.nextInt(changed.size());
        switch (random.nextInt(6)) {
            case 0 -> changed.remove(at);
            case 1 -> changed.add(at, changed.get(other));
            case 2 -> changed.set(at, changed.set(other, changed.get(at)));
            case 3 -> changed.set(at, java.util.Arrays.copyOf(changed.get(at), random.nextInt(2 * changed.get(at).length)));
            default -> changed.set(at, packet(changed.get(at)));
        }
        return changed;
    }
}
