// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.kview.ctf.calls.TraceFindings;

/**
 * What stands behind the blocks of a store.
 *
 * @param key       of which trace it is
 * @param inOrder   see {@link CallStore#isInOrder}
 * @param texts     names of threads, by their numbers
 * @param functions the ids of those that the levels count, by their numbers there
 * @param calls     the blocks of the table of calls
 * @param levels    of the pyramid, the finest first
 * @param threads   which threads there were, and which text is the last name of each
 * @param turns     the blocks of the table of their turns
 * @param turnLevels their levels, the finest first; none if there were too many threads
 */
record StoreFooter(String key, boolean inOrder, TraceFindings findings, List<String> texts, List<Long> functions,
        List<BlockIndex> calls, List<Level> levels, Map<Long, Long> threads, List<BlockIndex> turns, List<Level> turnLevels) {
    /** The columns of a level: the slot, the key, the count. */
    static final int LEVEL_COLUMNS = 3;
    static final int TURN_LEVEL_COLUMNS = TurnLevelField.values().length;

    /** @param shift a slot has 2^shift ns */
    record Level(int shift, List<BlockIndex> blocks) {
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(key);
        out.writeBoolean(inOrder);
        out.writeLong(findings.calls());
        out.writeLong(findings.withoutEnd());
        out.writeLong(findings.lostEvents());
        out.writeLong(findings.lostPackets());
        out.writeLong(findings.damages());
        out.writeLong(findings.unknownCauses());
        out.writeLong(findings.unnamed());
        out.writeBoolean(findings.forgot());
        texts(findings.damage(), out);
        texts(texts, out);
        out.writeInt(functions.size());
        for (long function : functions) {
            out.writeLong(function);
        }
        blocks(calls, out);
        levels(levels, out);
        out.writeInt(threads.size());
        for (Map.Entry<Long, Long> thread : threads.entrySet()) {
            out.writeLong(thread.getKey());
            out.writeLong(thread.getValue());
        }
        blocks(turns, out);
        levels(turnLevels, out);
        return bytes.toByteArray();
    }

    private static void levels(List<Level> levels, DataOutput out) throws IOException {
        out.writeInt(levels.size());
        for (Level level : levels) {
            out.writeInt(level.shift());
            blocks(level.blocks(), out);
        }
    }

    private static void texts(List<String> texts, DataOutput out) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    private static void blocks(List<BlockIndex> blocks, DataOutput out) throws IOException {
        out.writeInt(blocks.size());
        for (BlockIndex block : blocks) {
            block.write(out);
        }
    }

    /** Reads what was compared with its checksum before. */
    static StoreFooter read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String key = in.readUTF();
        boolean inOrder = in.readBoolean();
        long[] found = new long[7];
        for (int i = 0; i < found.length; i++) {
            found[i] = in.readLong();
        }
        boolean forgot = in.readBoolean();
        TraceFindings findings = new TraceFindings(found[0], found[1], found[2], found[3], found[4], texts(in), found[5],
                found[6], forgot);
        List<String> texts = texts(in);
        List<Long> functions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            functions.add(in.readLong());
        }
        List<BlockIndex> calls = blocks(in, CallField.COUNT);
        List<Level> levels = levels(in, LEVEL_COLUMNS);
        Map<Long, Long> threads = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            threads.put(in.readLong(), in.readLong());
        }
        return new StoreFooter(key, inOrder, findings, texts, functions, calls, levels, threads, blocks(in, TurnField.COUNT),
                levels(in, TURN_LEVEL_COLUMNS));
    }

    private static List<Level> levels(DataInput in, int columns) throws IOException {
        List<Level> levels = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            levels.add(new Level(in.readInt(), blocks(in, columns)));
        }
        return levels;
    }

    private static List<String> texts(DataInput in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(in.readUTF());
        }
        return texts;
    }

    private static List<BlockIndex> blocks(DataInput in, int columns) throws IOException {
        List<BlockIndex> blocks = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            blocks.add(BlockIndex.read(in, columns));
        }
        return blocks;
    }
}
