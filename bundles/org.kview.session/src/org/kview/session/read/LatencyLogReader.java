// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.Distribution;
import org.kview.session.Progress;
import org.kview.session.format.Allowance;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.IntervalComments;
import org.kview.session.format.IntervalTotals;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;

/**
 * What an interval log holds, added up. A log may be damaged or hostile: lines that can't be read are counted and left
 * out, and no line makes the reader use more memory than the line's own length.
 */
public final class LatencyLogReader {
    private static final byte[] TAG = "Tag=".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SUM = LatencyLog.SUM_MARK.getBytes(StandardCharsets.US_ASCII);
    private static final int FIELDS = 5;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LogTags tags;
    private final Allowance allowance;
    private final Optional<LineVisitor> visitor;
    private final HistogramDecoder decoder;
    private final int[] commas = new int[FIELDS - 1];
    private int badLines;
    private boolean whole = true;
    /** What the comment before the current line told. */
    private Optional<IntervalTotals> totals = Optional.empty();

    /** Is told of the lines that can be read, in their order. */
    @FunctionalInterface
    interface LineVisitor {
        /**
         * One line.
         *
         * @param endNanos of its interval, since the recording's start; 0 if that can't be read
         * @param buckets  with count and total if the log tells them exactly, else with neither; without
         *                 maximum
         */
        void line(LogTag tag, long endNanos, Distribution buckets);

        /** What had been counted at the end of an interval. */
        default void counts(IntervalComments.Line line) {
            // Most visitors do not need it.
        }
    }

    private LatencyLogReader(LogTags tags, Allowance allowance, Optional<LineVisitor> visitor, HistogramDecoder decoder) {
        this.tags = tags;
        this.allowance = allowance;
        this.visitor = visitor;
        this.decoder = decoder;
    }

    /**
     * Reads all tags of a log whose functions are not known.
     *
     * @param limitBytes what lies beyond does not belong to the checkpoint
     * @throws IOException if it can't be read at all
     */
    public static LatencyLogReader read(Path file, long limitBytes) throws IOException {
        Allowance allowance = Allowance.ofTime(Progress.NONE);
        return read(file, bytes(limitBytes), LogTags.any(allowance), allowance, Optional.empty());
    }

    /** Likewise, and tells of each line. */
    static LatencyLogReader read(Path file, long limitBytes, LineVisitor visitor) throws IOException {
        Allowance allowance = Allowance.ofTime(Progress.NONE);
        return read(file, bytes(limitBytes), LogTags.any(allowance), allowance, Optional.of(visitor));
    }

    /**
     * Reads the lines of some tags; those of others count as lines that can't be read.
     *
     * @param log how much of the file belongs to the checkpoint, and the lines behind it
     */
    static LatencyLogReader read(Path file, Checkpoint.LogSummary log, Collection<LogTag> wanted, Allowance allowance)
            throws IOException {
        return read(file, log, LogTags.only(wanted, allowance), allowance, Optional.empty());
    }

    /** Likewise, and tells of each line. */
    static LatencyLogReader read(Path file, Checkpoint.LogSummary log, Collection<LogTag> wanted, Allowance allowance,
            LineVisitor visitor) throws IOException {
        return read(file, log, LogTags.only(wanted, allowance), allowance, Optional.of(visitor));
    }

    private static Checkpoint.LogSummary bytes(long limit) {
        return new Checkpoint.LogSummary(limit, OptionalLong.empty(), List.of());
    }

    private static LatencyLogReader read(Path file, Checkpoint.LogSummary log, LogTags tags, Allowance allowance,
            Optional<LineVisitor> visitor) throws IOException {
        try (LogLines lines = new LogLines(file, 0, log.bytes(), log.pendingBytes(), allowance);
                HistogramDecoder decoder = new HistogramDecoder()) {
            LatencyLogReader reader = new LatencyLogReader(tags, allowance, visitor, decoder);
            while (reader.whole && lines.next()) {
                reader.line(lines);
            }
            return reader;
        }
    }

    /**
     * Reads the sums at the end of a log.
     *
     * @param from where they begin
     */
    static LatencyLogReader sums(Path file, long from, long limitBytes, Collection<LogTag> wanted, Allowance allowance)
            throws IOException {
        LogTags tags = LogTags.only(wanted, allowance);
        try (LogLines lines = new LogLines(file, from, limitBytes, allowance);
                HistogramDecoder decoder = new HistogramDecoder()) {
            LatencyLogReader reader = new LatencyLogReader(tags, allowance, Optional.empty(), decoder);
            while (reader.whole && lines.next()) {
                reader.sum(lines);
            }
            return reader;
        }
    }

    /** Lines that could not be read. */
    public int badLines() {
        return badLines;
    }

    /** Whether it was read to its end, and not only as far as was allowed. */
    boolean isWhole() {
        return whole;
    }

    /** The buckets' counts, without count, total and maximum: the log does not know them exactly. */
    public Optional<Distribution> buckets(LogTag tag) {
        return tags.buckets(tag);
    }

    /** Likewise, and frees them here. */
    Optional<Distribution> take(LogTag tag) {
        return tags.take(tag);
    }

    /** Whether {@link LatencyLog#checksum} of a tag's buckets is that. */
    boolean matches(LogTag tag, long checksum) {
        return tags.matches(tag, checksum);
    }

    public Iterable<LogTag> tags() {
        return tags.tags();
    }

    /** Forgets what was read. */
    void clear() {
        tags.clear();
    }

    private void line(LogLines line) {
        if (!allowance.take(Allowance.Of.LOG, line.end() - line.begin())) {
            whole = false;
            return;
        }
        if (line.isEnded() && line.isComment()) {
            if (visitor.isPresent()) {
                comment(line.text());
            }
            return;
        }
        Optional<IntervalTotals> own = totals;
        totals = Optional.empty();
        if (!line.isEnded() || !line.startsWith(TAG) || !fields(line)) {
            badLines++;
            return;
        }
        Optional<LogTags.Sum> sum = tags.find(line.bytes(), line.begin() + TAG.length, commas[0]);
        if (sum.isEmpty()) {
            badLines += LogTag.isOfNewerMetric(line.text(line.begin() + TAG.length, commas[0])) ? 0 : 1;
            return;
        }
        boolean read = decoder.decode(line.bytes(), commas[FIELDS - 2] + 1, line.end());
        whole = allowance.take(Allowance.Of.LOG, decoder.unpackedBytes());
        if (!whole || !read || !tags.add(sum.get(), decoder.counts(), decoder.limit())) {
            badLines++;
            return;
        }
        if (visitor.isPresent()) {
            LogTag tag = sum.get().tag();
            Distribution added = Distribution.ofBuckets(decoder.counts(), decoder.limit());
            visitor.get().line(tag, endNanos(line), own.flatMap(t -> t.with(tag, added)).orElse(added));
        }
    }

    private void sum(LogLines line) {
        int space = line.indexOf(' ', line.begin() + SUM.length);
        if (!allowance.take(Allowance.Of.LOG, line.end() - line.begin())) {
            whole = false;
        } else if (line.isEnded() && line.startsWith(SUM) && space > 0 && line.bytes()[line.end() - 1] == ']') {
            Optional<LogTags.Sum> sum = tags.find(line.bytes(), line.begin() + SUM.length, space);
            if (sum.isPresent() && decoder.decode(line.bytes(), space + 1, line.end() - 1)) {
                tags.add(sum.get(), decoder.counts(), decoder.limit());
            }
        }
    }

    private void comment(String line) {
        totals = IntervalTotals.decode(line);
        IntervalComments.decode(line).ifPresent(visitor.get()::counts);
    }

    /** Finds the commas; false if there are more or fewer than a line has. */
    private boolean fields(LogLines line) {
        int found = 0;
        byte[] bytes = line.bytes();
        for (int i = line.begin(); i < line.end(); i++) {
            if (bytes[i] == ',') {
                if (found == commas.length) {
                    return false;
                }
                commas[found++] = i;
            }
        }
        return found == commas.length;
    }

    /** Lines tell when an interval began, and how long it was. */
    private long endNanos(LogLines line) {
        try {
            double seconds = Double.parseDouble(line.text(commas[0] + 1, commas[1]))
                    + Double.parseDouble(line.text(commas[1] + 1, commas[2]));
            return seconds > 0 && seconds < Long.MAX_VALUE / NANOS_PER_SECOND ? Math.round(seconds * NANOS_PER_SECOND) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
