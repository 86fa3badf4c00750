// SPDX-License-Identifier: EPL-2.0
package org.kview.session.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Changes the files of a session where their formats have something to be wrong about: members and values, lines and tags,
 * histograms within their base64, headers of packets. Every other time the checksums are made to fit again, so that what
 * reads behind them is reached. One seed makes the same session on every machine.
 */
final class SessionMutator {
    private static final String[] NUMBERS = {"0", "-1", "1", "2147483647", "2147483648", "4294967296", "-9223372036854775808",
        "9223372036854775807", "9223372036854775808", "1e308", "-0.5", "1e400", "1152921504606846976", "99999999999999999999"};
    private static final String[] TEXTS = {"", " ", "\u0000", "\u001b[31m", "../../../etc/passwd", "/dev/zero", "\uD800",
        "\u202e", "%", "%zz", ":", ",", "\n", "0", "-1", "recording", "hosts", "kview-session/2", "kview-session/999999",
        "<script>", "=1+1", "9999-12-30T23:59:59Z", "1970-01-01T00:00:00Z", "ffffffff", "none", "5%", "x".repeat(70_000)};
    private static final int MOST_CHANGES = 4;

    private final Random random;
    private final Map<String, byte[]> files;

    /** @param files by their paths within the session; the map is changed */
    SessionMutator(long seed, Map<String, byte[]> files) {
        this.random = new Random(seed);
        this.files = files;
    }

    Map<String, byte[]> mutate() throws IOException {
        List<String> names = new ArrayList<>(new TreeMap<>(files).keySet());
        for (int i = 1 + random.nextInt(MOST_CHANGES); i > 0; i--) {
            String name = names.get(random.nextInt(names.size()));
            byte[] bytes = files.get(name);
            if (bytes != null) {
                files.put(name, random.nextInt(6) == 0 ? anyhow(bytes) : byItsFormat(name, bytes));
            }
            if (random.nextInt(40) == 0) {
                files.remove(name);
            }
        }
        if (random.nextInt(2) == 0) {
            sign();
        }
        return files;
    }

    private byte[] byItsFormat(String name, byte[] bytes) throws IOException {
        if (name.endsWith(".json")) {
            return json(bytes);
        }
        if (name.endsWith("latency.hlog")) {
            return log(bytes);
        }
        return name.contains("trace/cpu_") ? stream(bytes) : lines(bytes);
    }

    /** Flipped, cut off, grown, overwritten. */
    private byte[] anyhow(byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(4)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes = java.util.Arrays.copyOf(bytes, at);
            case 2 -> bytes = java.util.Arrays.copyOf(bytes, bytes.length + random.nextInt(200));
            default -> {
                byte[] rubbish = new byte[Math.min(1 + random.nextInt(40), bytes.length - at)];
                random.nextBytes(rubbish);
                System.arraycopy(rubbish, 0, bytes, at, rubbish.length);
            }
        }
        return bytes;
    }

    private byte[] json(byte[] bytes) throws IOException {
        JsonNode root;
        try {
            root = ValuesJson.MAPPER.readTree(bytes);
        } catch (IOException e) {
            return anyhow(bytes); // an earlier change made it none
        }
        List<JsonNode> holders = new ArrayList<>();
        collect(root, holders);
        if (holders.isEmpty()) {
            return anyhow(bytes);
        }
        JsonNode holder = holders.get(random.nextInt(holders.size()));
        if (holder instanceof ObjectNode object) {
            List<String> members = new ArrayList<>();
            object.fieldNames().forEachRemaining(members::add);
            String member = members.isEmpty() ? "x" : members.get(random.nextInt(members.size()));
            switch (random.nextInt(5)) {
                case 0 -> object.remove(member);
                case 1 -> object.set(TEXTS[random.nextInt(TEXTS.length)], value());
                default -> object.set(member, value());
            }
        } else if (holder instanceof ArrayNode array) {
            switch (array.isEmpty() ? 1 : random.nextInt(4)) {
                case 0 -> array.remove(random.nextInt(array.size()));
                case 1 -> array.add(value());
                case 2 -> array.add(array.get(random.nextInt(array.size())).deepCopy());
                default -> array.set(random.nextInt(array.size()), value());
            }
        }
        return text(ValuesJson.print(root));
    }

    private static void collect(JsonNode node, List<JsonNode> holders) {
        if (node.isContainerNode()) {
            holders.add(node);
            node.forEach(child -> collect(child, holders));
        }
    }

    private JsonNode value() throws IOException {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (random.nextInt(7)) {
            case 0 -> nodes.nullNode();
            case 1 -> nodes.booleanNode(random.nextBoolean());
            case 2 -> nodes.textNode(TEXTS[random.nextInt(TEXTS.length)]);
            case 3 -> nodes.arrayNode().add(1).add("x");
            case 4 -> nodes.objectNode().put("count", random.nextLong());
            default -> nodes.numberNode(new java.math.BigDecimal(NUMBERS[random.nextInt(NUMBERS.length)]));
        };
    }

    private byte[] lines(byte[] bytes) {
        List<String> lines = new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)));
        changeALine(lines, this::changeANumber);
        return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    private byte[] log(byte[] bytes) {
        List<String> lines = new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)));
        changeALine(lines, line -> line.startsWith("Tag=") && random.nextBoolean() ? histogram(line)
                : random.nextInt(3) == 0 ? changeATag(line) : changeANumber(line));
        return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    private void changeALine(List<String> lines, java.util.function.UnaryOperator<String> how) {
        int at = random.nextInt(lines.size());
        switch (random.nextInt(8)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(random.nextInt(lines.size() + 1), lines.get(at));
            case 2 -> lines.set(at, lines.get(at).repeat(1 + random.nextInt(50)));
            case 3 -> lines.add(at, TEXTS[random.nextInt(TEXTS.length)]);
            default -> lines.set(at, how.apply(lines.get(at)));
        }
        if (lines.isEmpty()) {
            lines.add("");
        }
    }

    private String changeANumber(String line) {
        List<int[]> numbers = new ArrayList<>();
        var matcher = java.util.regex.Pattern.compile("[0-9]+").matcher(line);
        while (matcher.find()) {
            numbers.add(new int[] {matcher.start(), matcher.end()});
        }
        if (numbers.isEmpty()) {
            return TEXTS[random.nextInt(TEXTS.length)] + line;
        }
        int[] number = numbers.get(random.nextInt(numbers.size()));
        return line.substring(0, number[0]) + NUMBERS[random.nextInt(NUMBERS.length)] + line.substring(number[1]);
    }

    private String changeATag(String line) {
        int from = line.indexOf('=') + 1;
        int to = Math.max(from, line.indexOf(','));
        String[] parts = line.substring(from, to).split(":", -1);
        int part = random.nextInt(parts.length);
        parts[part] = random.nextBoolean() ? TEXTS[random.nextInt(TEXTS.length)] : random.nextBoolean() ? "lock" : "energy";
        return line.substring(0, from) + String.join(":", parts) + line.substring(to);
    }

    /** A histogram that says other things of itself, whole as to its compression. */
    private String histogram(String line) {
        int at = line.lastIndexOf(',') + 1;
        try {
            byte[] packed = Base64.getDecoder().decode(line.substring(at).strip());
            Inflater inflater = new Inflater();
            inflater.setInput(packed, 8, packed.length - 8);
            byte[] plain = new byte[1 << 16];
            int length = inflater.inflate(plain);
            inflater.end();
            if (length < 40) {
                return line;
            }
            ByteBuffer fields = ByteBuffer.wrap(plain, 0, length);
            switch (random.nextInt(4)) {
                case 0 -> fields.putInt(4 * random.nextInt(4), (int) odd());
                case 1 -> fields.putLong(16 + 8 * random.nextInt(3), odd());
                default -> fields.put(40 + random.nextInt(Math.max(1, length - 40)) % Math.max(1, length - 40),
                        (byte) random.nextInt());
            }
            Deflater deflater = new Deflater();
            deflater.setInput(plain, 0, length);
            deflater.finish();
            byte[] again = new byte[1 << 16];
            int bytes = deflater.deflate(again);
            deflater.end();
            ByteBuffer out = ByteBuffer.allocate(8 + bytes).put(packed, 0, 4).putInt(bytes).put(again, 0, bytes);
            return line.substring(0, at) + Base64.getEncoder().encodeToString(out.array());
        } catch (DataFormatException | RuntimeException e) {
            return line + "A"; // an earlier change made it none
        }
    }

    private long odd() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MAX_VALUE;
            case 2 -> -1;
            case 3 -> 1L << random.nextInt(63);
            default -> random.nextInt(8);
        };
    }

    /** Header fields: sizes, times, sequence, CPU. */
    private byte[] stream(byte[] bytes) {
        if (bytes.length < 76) {
            return anyhow(bytes);
        }
        ByteBuffer packet = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 24 + 8 * random.nextInt(6);
        packet.putLong(at, random.nextBoolean() ? odd() : packet.getLong(at) + 8 * (random.nextInt(64) - 32));
        return bytes;
    }

    /** Makes all checksums fit what the files now hold. */
    private void sign() throws IOException {
        for (String name : new ArrayList<>(files.keySet())) {
            if (name.endsWith("session.json")) {
                sign(name, name.substring(0, name.length() - "session.json".length()));
            }
        }
    }

    private void sign(String name, String folder) throws IOException {
        JsonNode node;
        try {
            node = ValuesJson.MAPPER.readTree(files.get(name));
        } catch (IOException e) {
            return;
        }
        if (!(node instanceof ObjectNode root)) {
            return;
        }
        set(root.path("symbols"), "crc32", crc(files.get(folder + "symbols.json")));
        byte[] log = files.get(folder + "latency.hlog");
        if (log != null && root.path("latency_log") instanceof ObjectNode bytes) {
            bytes.put("bytes", log.length);
        }
        byte[] metadata = files.get(folder + "trace/metadata");
        if (metadata != null && root.path("trace").path("metadata") instanceof ObjectNode m) {
            m.put("bytes", metadata.length).put("crc32", crc(metadata));
        }
        byte[] sums = sums(folder);
        if (root.path("trace").path("packets") instanceof ObjectNode p) {
            files.put(folder + "packets.crc32", sums);
            p.put("bytes", sums.length).put("crc32", crc(sums));
        }
        root.remove("crc32");
        String text = ValuesJson.print(root).stripTrailing();
        String body = text.substring(0, text.length() - 1).stripTrailing();
        files.put(name, text(body + ",\n  \"crc32\" : \"" + crc(text(body)) + "\"\n}\n"));
    }

    /** Of packets as long as their headers say, or of the whole file. */
    private byte[] sums(String folder) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        files.forEach((name, bytes) -> {
            if (!name.startsWith(folder + "trace/cpu_")) {
                return;
            }
            ByteBuffer stream = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int at = 0; at < bytes.length;) {
                long said = bytes.length - at >= 76 ? stream.getLong(at + 48) / 8 : 0;
                int length = said >= 76 && said <= bytes.length - at ? (int) said : bytes.length - at;
                CRC32 crc = new CRC32();
                crc.update(bytes, at, length);
                lines.writeBytes(text(name.substring(name.lastIndexOf('_') + 1) + " " + length + " "
                        + HexFormat.of().toHexDigits((int) crc.getValue()) + "\n"));
                at += length;
            }
        });
        return lines.toByteArray();
    }

    private static void set(JsonNode node, String member, String value) {
        if (node instanceof ObjectNode object) {
            object.put(member, value);
        }
    }

    private static String crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes == null ? new byte[0] : bytes);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
