// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Shows a store while it is built: all calls up to some moment, and what threads did until then. Each store that is told has what
 * the ones before it had, in the same rows. They are good until this is closed; to be closed when the store was built, or not.
 */
public final class StoreGrowth implements AutoCloseable {
    /** The first one comes soon; later ones come more seldom, as who looks at them reads more of them. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PART = 10;
    /** In a recording of hours even more seldom: each takes a mapping, of which a process may have some ten thousand. */
    private static final long LEAST_PART = 1000;

    private final Consumer<CallStore> told;
    private final long leastNanos;
    private final long mostNanos;
    private final Arena arena = Arena.ofShared();
    private final long beginNanos = System.nanoTime();
    private final Map<TableWriter, List<Block>> mapped = new HashMap<>();
    /** What was mapped last. */
    private MemorySegment piece = MemorySegment.NULL;
    private long pieceAt;
    private long mappedTo = StoreHeader.BYTES;
    private long lastNanos = beginNanos;

    /** @param told hears of them on the thread that builds the store, which waits for it */
    public StoreGrowth(Consumer<CallStore> told) {
        this(told, LEAST_NANOS, MOST_NANOS);
    }

    /**
     * @param leastNanos how much time there is between two of them at least
     * @param mostNanos  and how much has to pass later on
     */
    StoreGrowth(Consumer<CallStore> told, long leastNanos, long mostNanos) {
        this.told = told;
        this.leastNanos = leastNanos;
        this.mostNanos = mostNanos;
    }

    /** Whether another one is to be told. */
    boolean isDue() {
        long now = System.nanoTime();
        long since = now - beginNanos;
        return now - lastNanos >= Math.max(since / LEAST_PART, Math.max(leastNanos, Math.min(mostNanos, since / PART)));
    }

    /** The part of the file that is written, which is read through memory from now on. */
    void map(FileChannel file) throws IOException {
        long to = file.position();
        piece = to == mappedTo ? MemorySegment.NULL : file.map(FileChannel.MapMode.READ_ONLY, mappedTo, to - mappedTo, arena);
        pieceAt = mappedTo;
        mappedTo = to;
    }

    /** What there is of a table; the file must have been {@link #map mapped} when all that was written. */
    Table table(TableWriter writer, List<long[]> more) throws IOException {
        TableWriter.SoFar soFar = writer.soFar(more);
        List<Block> blocks = mapped.computeIfAbsent(writer, _ -> new ArrayList<>());
        for (BlockIndex index : soFar.written().subList(blocks.size(), soFar.written().size())) {
            blocks.add(new Block(index, piece.asSlice(index.at() - pieceAt, index.bytes())));
        }
        List<Block> all = new ArrayList<>(blocks);
        all.addAll(soFar.waiting());
        return new Table(all);
    }

    void tell(CallStore store) {
        told.accept(store);
        lastNanos = System.nanoTime();
    }

    /** Lets go of all stores that it told of: a thread that reads one of them gets an {@link IllegalStateException}. */
    @Override
    public void close() {
        arena.close();
    }
}
