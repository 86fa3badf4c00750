// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.TraceFindings;

/**
 * The calls of a trace in the order of their ends, in a file that is mapped into memory. Immutable, and safe for use by several
 * threads. A thread that reads while another one closes it gets an {@link IllegalStateException}.
 */
public final class CallStore implements AutoCloseable {
    private static final int MOST_BLOCK_ROWS = 1 << 20;
    private static final int MOST_FOOTER = 256 << 20;

    private final Runnable closing;
    private final Contents contents;
    private final Table calls;
    private final Pyramid pyramid;
    private final ThreadStates states;

    /**
     * What a store holds.
     *
     * @param inOrder   see {@link #isInOrder}
     * @param texts     names of threads, by their numbers
     * @param functions the ids of those that the levels count, by their numbers there
     * @param threads   which threads there were, and which text is the last name of each
     */
    record Contents(boolean inOrder, TraceFindings findings, List<String> texts, List<Long> functions, Map<Long, Long> threads,
            Table calls, List<SlotLevel> levels, Table turns, List<SlotLevel> turnLevels) {
    }

    /** @param closing lets go of the memory */
    CallStore(Contents contents, Runnable closing) {
        this.contents = contents;
        this.closing = closing;
        calls = contents.calls();
        pyramid = new Pyramid(this, contents.functions(), contents.levels());
        states = new ThreadStates(contents.turns(), contents.turnLevels(), contents.texts());
    }

    private static Contents contents(StoreFooter footer, MemorySegment file) {
        return new Contents(footer.inOrder(), footer.findings(), footer.texts(), footer.functions(), footer.threads(),
                new Table(Block.of(file, footer.calls())), levels(footer.levels(), file),
                new Table(Block.of(file, footer.turns())), levels(footer.turnLevels(), file));
    }

    private static List<SlotLevel> levels(List<StoreFooter.Level> levels, MemorySegment file) {
        return levels.stream().map(level -> new SlotLevel(level.shift(), new Table(Block.of(file, level.blocks())))).toList();
    }

    /**
     * Opens a store. The list of its blocks is compared with its checksum; the contents of the blocks are not: {@link
     * #verify} does that.
     *
     * @param key the one that it was built with
     * @throws StoreException if it is damaged, was not finished, or is of another version or trace
     * @throws IOException    if there is none, or it can't be read
     */
    public static CallStore open(Path file, String key) throws StoreException, IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer start = ByteBuffer.allocate(StoreHeader.BYTES);
            while (start.hasRemaining() && in.read(start, start.position()) >= 0) {
                continue;
            }
            StoreHeader header = StoreHeader.parse(start.flip());
            long bytes = in.size();
            if (header.footerBytes() < 0 || header.footerBytes() > MOST_FOOTER || header.footerAt() < StoreHeader.BYTES
                    || header.footerAt() != bytes - header.footerBytes()) {
                throw damaged();
            }
            MemorySegment mapped = in.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
            byte[] footer = mapped.asSlice(header.footerAt(), header.footerBytes()).toArray(ValueLayout.JAVA_BYTE);
            if (StoreHeader.crc32(ByteBuffer.wrap(footer)) != header.footerCrc()) {
                throw damaged();
            }
            StoreFooter told = StoreFooter.read(footer);
            if (!told.key().equals(key)) {
                throw new StoreException("it is of another trace");
            }
            if (!isPlausible(told, header.footerAt())) {
                throw damaged();
            }
            CallStore store = new CallStore(contents(told, mapped), arena::close);
            arena = null;
            return store;
        } finally {
            if (arena != null) {
                arena.close();
            }
        }
    }

    private static StoreException damaged() {
        return new StoreException("it is damaged");
    }

    private static boolean isPlausible(StoreFooter footer, long bytes) {
        return Stream.of(footer.calls(), footer.turns()).flatMap(List::stream).allMatch(block -> block.isPlausible(bytes, MOST_BLOCK_ROWS))
                && Stream.of(footer.levels(), footer.turnLevels()).flatMap(List::stream).allMatch(level -> level.shift() > 0
                        && level.shift() < Long.SIZE
                        && level.blocks().stream().allMatch(block -> block.isPlausible(bytes, MOST_BLOCK_ROWS)));
    }

    /**
     * Compares all blocks with their checksums, which reads the whole file once.
     *
     * @param progress hears how many calls were compared; says whether to go on
     * @throws StoreException if they differ
     */
    public void verify(LongPredicate progress) throws StoreException {
        for (int block = 0; block < calls.blocks(); block++) {
            if (!calls.isWhole(block)) {
                throw damaged();
            }
            if (!progress.test(calls.firstRow(block))) {
                throw new CancellationException();
            }
        }
        pyramid.verify();
        states.verify(() -> progress.test(calls()));
    }

    /** How many calls ended. */
    public long calls() {
        return calls.rows();
    }

    /** What was found of the trace when it was read. */
    public TraceFindings findings() {
        return contents.findings();
    }

    /**
     * Whether {@link org.kview.ctf.calls.CallCursor#settledNanos} was right for the whole trace: no call came that had begun
     * before a time of which it had said that no such call would come any more.
     */
    public boolean isInOrder() {
        return contents.inOrder();
    }

    /** The least number in a column; the largest possible if there are no calls. */
    public long least(CallField field) {
        return calls.least(field.ordinal());
    }

    /** The largest number in a column; the least possible if there are no calls. */
    public long most(CallField field) {
        return calls.most(field.ordinal());
    }

    /** The ids of the functions that its calls are of; none if there are thousands. */
    public List<Long> functions() {
        return contents.functions();
    }

    /** A number of a call. */
    public long value(long row, CallField field) {
        int block = calls.blockOf(row);
        return calls.value(block, field.ordinal(), (int) (row - calls.firstRow(block)));
    }

    /** A call, as its trace told of it. */
    public Call call(long row) {
        int block = calls.blockOf(row);
        int in = (int) (row - calls.firstRow(block));
        return CallBlock.call(this, field -> calls.value(block, field.ordinal(), in));
    }

    /** The text that a number in {@link CallField#THREAD} or {@link CallField#WAKER} stands for. */
    public String text(long id) {
        return contents.texts().get((int) id);
    }

    /** All these texts, by their numbers. */
    public List<String> texts() {
        return contents.texts();
    }

    /** How many calls returned when, and how long they took. */
    public Pyramid pyramid() {
        return pyramid;
    }

    /** What the threads did between their switches. */
    public ThreadStates states() {
        return states;
    }

    /** The ids of the threads that made calls, and which text is the last name of each. */
    public Map<Long, Long> threads() {
        return contents.threads();
    }

    Table table() {
        return calls;
    }

    @Override
    public void close() {
        closing.run();
    }
}
