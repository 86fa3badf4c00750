// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyInterval;
import org.kview.model.Losses;
import org.kview.model.ProbedFunction;
import org.kview.session.CallCounts;
import org.kview.session.files.AppendFile;
import org.kview.session.files.Disk;
import org.kview.session.format.IntervalComments;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;
import org.kview.session.format.SessionFiles;

/**
 * Writes latency.hlog. What could not be written is kept and tried again. Not safe for use by several threads.
 *
 * <p>Of a long recording of many functions, intervals are joined before they are written, or it would take gigabytes an
 * hour. A line then holds 1, 2, 4 or more seconds: powers of two, so that comparisons, which join them further, get slices
 * of one length. As the time that a line holds grows with the log, the log grows the slower the longer it is. What the next
 * line is to hold stands in session.json until then.
 */
final class LatencyLogWriter implements AutoCloseable {
    /** A shorter log is read so fast that sums would not help. */
    static final long SUMS_FROM_BYTES = 1 << 20;
    private static final long SECOND = 1_000_000_000;
    /** Intervals come a little early or late. */
    private static final long EARLY_NANOS = SECOND / 4;

    /**
     * When intervals are joined.
     *
     * @param bytes each time the log has grown by this many bytes, its lines may cover one second more
     * @param parts a line covers at most 1/{@code parts} of the time recorded so far, because a comparison cuts a
     *              recording into that many slices
     */
    record Joining(long bytes, long parts) {
        static final Joining USUAL = new Joining(4 << 20, 128);
    }

    private final AppendFile file;
    private final List<ProbedFunction> functions;
    private final Joining joining;
    /** What was counted but is not in the log yet, by tag. */
    private final Map<LogTag, Distribution> pending = new LinkedHashMap<>();
    /** The latest call counts by function id, of functions whose counts the log lacks. */
    private final Map<Integer, CallCounts> pendingCalls = new TreeMap<>();
    private Losses loggedLosses = Losses.NONE;
    private OptionalLong firstNanos = OptionalLong.empty();
    private long pendingFromNanos;
    private long pendingToNanos;
    private long lastNanos;

    LatencyLogWriter(Path folder, Instant start, List<ProbedFunction> functions, Disk disk, Joining joining)
            throws IOException {
        this.functions = functions;
        this.joining = joining;
        file = AppendFile.create(folder.resolve(SessionFiles.LATENCY_LOG), disk);
        file.append(ByteBuffer.wrap(LatencyLog.header(start)));
    }

    /** Takes what an interval counted, which {@link #write} writes. */
    void add(LatencyInterval interval) {
        if (firstNanos.isEmpty()) {
            firstNanos = OptionalLong.of(interval.beginNanos());
        }
        if (isEmpty()) {
            // Nothing is pending, so the next line begins with this interval, not where the last line ended.
            pendingFromNanos = Math.max(interval.beginNanos(), lastNanos);
        }
        lastNanos = Math.max(lastNanos, interval.endNanos());
        if (!interval.functions().isEmpty()) {
            pendingToNanos = lastNanos;
        }
        for (FunctionInterval part : interval.functions()) {
            pendingCalls.put(part.functionId(), CallCounts.of(part));
            String name = functions.get(part.functionId()).name();
            part.added().forEach((metric, values) -> pending.merge(new LogTag(part.functionId(), name, metric), values,
                    (one, more) -> new Distribution.Builder().add(one).add(more).build()));
        }
    }

    /** Whether what was added is to be written now, rather than with what the next interval adds. */
    boolean isDue() {
        return isEmpty() || pendingToNanos < lastNanos || lastNanos - pendingFromNanos + EARLY_NANOS >= lineNanos();
    }

    private boolean isEmpty() {
        return pending.isEmpty() && pendingCalls.isEmpty();
    }

    /** How much time the next line has to cover; 0 if each interval gets its own lines. */
    long lineNanos() {
        long seconds = Math.min(file.length() / joining.bytes,
                recorded().toNanos() / SECOND / joining.parts);
        return Long.highestOneBit(seconds) * SECOND;
    }

    /** How long it was from the beginning of the first interval to the end of the last one. */
    Duration recorded() {
        return Duration.ofNanos(lastNanos - firstNanos.orElse(lastNanos));
    }

    /**
     * Writes what was added since.
     *
     * @param losses up to now
     */
    void write(Losses losses) throws IOException {
        if (firstNanos.isEmpty() || isEmpty() && losses.equals(loggedLosses)) {
            return;
        }
        file.append(ByteBuffer.wrap(lines(losses)));
        pending.clear();
        pendingCalls.clear();
        loggedLosses = losses;
    }

    /** What the log lacks of the figures, as the lines that it would get now. */
    List<String> pendingLines(Losses losses) {
        return isEmpty() ? List.of() : new String(lines(losses), StandardCharsets.ISO_8859_1).lines().toList();
    }

    private byte[] lines(Losses losses) {
        long origin = firstNanos.getAsLong();
        long end = pendingToNanos - origin;
        StringBuilder counts = new StringBuilder();
        pendingCalls.forEach((function, calls) -> counts.append(IntervalComments.calls(function, end, calls)));
        if (!losses.equals(loggedLosses)) {
            counts.append(IntervalComments.losses(lastNanos - origin, losses));
        }
        return LatencyLog.interval(pendingFromNanos - origin, end, pending, counts.toString());
    }

    /**
     * Writes the sums of all lines, so that a reader gets the buckets without reading a long log. It is not an error if
     * the disk has no room for them.
     *
     * @return where they begin; empty if they were not written
     */
    OptionalLong writeSums(List<FunctionLatency> figures) {
        long at = file.length();
        if (at < SUMS_FROM_BYTES) {
            return OptionalLong.empty();
        }
        try {
            file.append(ByteBuffer.wrap(LatencyLog.sums(figures)));
            return OptionalLong.of(at);
        } catch (IOException e) {
            // Nothing is lost without the sums: the lines before them contain the same counts.
            return OptionalLong.empty();
        }
    }

    long length() {
        return file.length();
    }

    void sync() throws IOException {
        file.sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
