// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.LongPredicate;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.calls.TraceFindings;
import org.kview.model.LatencyBuckets;

/** Makes a store of a trace's calls. */
public final class StoreBuilder {
    /**
     * How much is kept together.
     *
     * @param batch     so many calls and turns go from one thread to another
     * @param blockRows of a table
     * @param mostCells of the pyramid while it is built
     */
    record Sizes(int batch, int blockRows, int mostCells) {
        /** The cells take 24 MB. */
        static final Sizes USUAL = new Sizes(1024, 1 << 15, 1 << 20);
    }

    /** A recording has at most 1 024; a trace with more than these was made up, and gets no pyramid. */
    private static final int MOST_FUNCTIONS = 4096;
    private static final int LATELY = 1 << 8;
    /** A level that has no more cells than this is the last. */
    private static final int FEW_CELLS = 1 << 10;

    private final FileChannel out;
    private final Sizes sizes;
    private final List<String> texts = new ArrayList<>();
    private final Map<Long, Integer> functions = new HashMap<>();
    private final Map<Long, Long> threads = new HashMap<>();
    /** What was asked for last of these maps, as each call asks. */
    private final long[] latelyFunctions = new long[LATELY];
    private final int[] latelyNumbers = new int[LATELY];
    private final long[] latelyTids = new long[LATELY];
    private final long[] latelyTexts = new long[LATELY];
    private final LevelBuilder level;
    private final TurnWriter turns;
    private boolean inOrder = true;
    private boolean hasLevels = true;
    private long calls;
    /** How many of them were shown. */
    private long told;

    private StoreBuilder(FileChannel out, Sizes sizes) {
        this.out = out;
        this.sizes = sizes;
        Arrays.fill(latelyFunctions, -1);
        Arrays.fill(latelyTids, -1);
        level = new LevelBuilder(sizes.mostCells());
        turns = new TurnWriter(BlockSink.of(out), sizes.blockRows());
    }

    /**
     * Writes a new file, which nobody but its owner may read. It is not complete before this returns; where it throws, what was
     * written is removed.
     *
     * @param whole    as {@link org.kview.ctf.calls.CallCursor} takes it
     * @param key      of which trace it is, for {@link CallStore#open}
     * @param progress hears now and then how many calls were read; says whether to go on
     * @throws CtfException          if the trace can't be read any further
     * @throws StoreException        if it holds what no store can
     * @throws IOException           if the file can't be written
     * @throws CancellationException if that is no longer wanted
     */
    public static void build(EventTrace trace, boolean whole, Path file, String key, LongPredicate progress)
            throws CtfException, StoreException, IOException {
        build(trace, whole, file, key, progress, Optional.empty());
    }

    /**
     * Likewise.
     *
     * @param growth shows it meanwhile
     */
    public static void build(EventTrace trace, boolean whole, Path file, String key, LongPredicate progress,
            Optional<StoreGrowth> growth) throws CtfException, StoreException, IOException {
        build(trace, whole, file, key, progress, growth, Sizes.USUAL);
    }

    /**
     * Likewise, of a trace that is being written, into a file that is empty. It stays the caller's.
     *
     * @param key is asked in the end, when all is read: empty if the store is of no use
     * @return whether it is complete
     */
    public static boolean follow(EventTrace trace, FileChannel out, LongPredicate progress, StoreGrowth growth,
            Function<TraceFindings, Optional<String>> key) throws CtfException, StoreException, IOException {
        return new StoreBuilder(out, Sizes.USUAL).write(trace, true, key, progress, Optional.of(growth));
    }

    /** A new file for a store, which nobody but its owner may read. */
    public static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    static void build(EventTrace trace, boolean whole, Path file, String key, LongPredicate progress, Optional<StoreGrowth> growth,
            Sizes sizes) throws CtfException, StoreException, IOException {
        FileChannel created = create(file);
        boolean done = false;
        try (FileChannel out = created) {
            new StoreBuilder(out, sizes).write(trace, whole, _ -> Optional.of(key), progress, growth);
            done = true;
        } finally {
            if (!done) {
                Files.deleteIfExists(file);
            }
        }
    }

    private boolean write(EventTrace trace, boolean whole, Function<TraceFindings, Optional<String>> key, LongPredicate progress,
            Optional<StoreGrowth> growth) throws CtfException, StoreException, IOException {
        out.position(StoreHeader.BYTES);
        TableWriter table = new TableWriter(BlockSink.of(out), CallField.COUNT, sizes.blockRows());
        try (CallFeed feed = new CallFeed(trace, whole, sizes.batch())) {
            Optional<TraceFindings> findings = Optional.empty();
            while (findings.isEmpty()) {
                CallFeed.Batch batch = feed.next();
                if (!progress.test(calls)) {
                    throw new CancellationException();
                }
                add(batch, table);
                findings = batch.findings();
                if (findings.isEmpty() && calls > told && growth.filter(StoreGrowth::isDue).isPresent()) {
                    told = calls;
                    growth.get().tell(soFar(table, batch.soFar().orElseThrow(), growth.get()));
                }
                feed.giveBack(batch);
            }
            Optional<String> its = key.apply(findings.get());
            if (its.isEmpty()) {
                return false;
            }
            List<BlockIndex> blocks = table.finish();
            List<StoreFooter.Level> levels = hasLevels ? levels() : List.of();
            List<BlockIndex> ownTurns = turns.finish();
            List<StoreFooter.Level> turnLevels = turns.levels();
            byte[] footer = new StoreFooter(its.get(), inOrder, findings.get(), texts, counted(), blocks, levels, threads, ownTurns,
                    turnLevels).bytes();
            long at = out.position();
            put(ByteBuffer.wrap(footer), at);
            // What the header refers to must be on the disk before the header is.
            out.force(false);
            put(StoreHeader.of(footer, at).bytes(), 0);
            return true;
        }
    }

    private void put(ByteBuffer bytes, long at) throws IOException {
        for (long next = at; bytes.hasRemaining();) {
            next += out.write(bytes, next);
        }
    }

    /** Blocks stand in the file in the order in which they got full, however calls and turns come in batches: so each trace has one store. */
    private void add(CallFeed.Batch batch, TableWriter table) throws IOException {
        texts.addAll(batch.texts());
        inOrder = batch.inOrder();
        int turn = 0;
        for (int call = 0; call < batch.callCount();) {
            int until = Math.min(batch.callCount(), call + table.room());
            for (; until - call == table.room() && turn < batch.turnCount() && batch.callsBefore(turn) < until; turn++) {
                turns.add(batch.turns(), turn);
            }
            table.add(batch.calls(), call, until - call);
            call = until;
        }
        for (; turn < batch.turnCount(); turn++) {
            turns.add(batch.turns(), turn);
        }
        for (int call = 0; call < batch.callCount(); call++) {
            count(batch.calls(), call);
        }
        calls += batch.callCount();
    }

    private void count(long[][] columns, int row) {
        name(columns[CallField.TID.ordinal()][row], columns[CallField.THREAD.ordinal()][row]);
        if (hasLevels) {
            int function = number(columns[CallField.FUNCTION.ordinal()][row]);
            hasLevels = function < MOST_FUNCTIONS;
            level.add(columns[CallField.END.ordinal()][row],
                    SlotCounts.key(Math.min(function, MOST_FUNCTIONS), LatencyBuckets.indexOf(columns[CallField.WALL.ordinal()][row])));
        }
    }

    private int number(long function) {
        int at = (int) function & LATELY - 1;
        if (latelyFunctions[at] != function) {
            latelyFunctions[at] = function;
            latelyNumbers[at] = functions.computeIfAbsent(function, _ -> functions.size());
        }
        return latelyNumbers[at];
    }

    private void name(long tid, long text) {
        int at = (int) tid & LATELY - 1;
        if (latelyTids[at] != tid || latelyTexts[at] != text) {
            latelyTids[at] = tid;
            latelyTexts[at] = text;
            threads.put(tid, text);
        }
    }

    private List<StoreFooter.Level> levels() throws IOException {
        level.end();
        List<StoreFooter.Level> levels = new ArrayList<>();
        while (true) {
            levels.add(new StoreFooter.Level(level.shift(), cells(BlockSink.of(out))));
            if (level.cells() <= FEW_CELLS || level.shift() >= LevelBuilder.MOST_SHIFT) {
                return levels;
            }
            level.coarsen();
        }
    }

    private List<BlockIndex> cells(BlockSink to) throws IOException {
        long[] cell = new long[StoreFooter.LEVEL_COLUMNS];
        TableWriter table = new TableWriter(to, cell.length, Math.clamp(level.cells(), 1, sizes.blockRows()));
        for (int i = 0; i < level.cells(); i++) {
            level.cell(i, cell);
            table.add(cell);
        }
        return table.finish();
    }

    /** The functions that the levels count. */
    private List<Long> counted() {
        return !hasLevels ? List.of()
                : functions.entrySet().stream().sorted(Map.Entry.comparingByValue()).map(Map.Entry::getKey).toList();
    }

    private CallStore soFar(TableWriter table, TraceFindings findings, StoreGrowth growth) throws IOException {
        growth.map(out);
        List<SlotLevel> levels = List.of();
        if (hasLevels) {
            level.end();
            BlockSink.Memory copies = new BlockSink.Memory();
            levels = List.of(new SlotLevel(level.shift(), new Table(copies.blocks(cells(copies)))));
        }
        return new CallStore(new CallStore.Contents(inOrder, findings, List.copyOf(texts), counted(), Map.copyOf(threads),
                growth.table(table, List.of()), levels, turns.soFar(growth), turns.levelsSoFar(growth)), () -> { });
    }
}
