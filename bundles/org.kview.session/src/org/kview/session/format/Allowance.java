// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CancellationException;

import org.kview.session.Progress;

/**
 * What opening a session may take, in time and in memory; all hosts of a session share it. It counts bytes read and
 * allocated, not time, so that the same session always opens in the same way. Not safe for use by several threads.
 */
public final class Allowance {
    /** What is counted. The session format's documentation has the same figures. */
    public enum Of {
        /** Bytes of {@code session.json}, {@code symbols.json}, {@code survey.json} and {@code packets.crc32}, of all hosts. */
        TEXT(192L << 20),
        /** Functions of all hosts. */
        FUNCTIONS(100_000),
        /** Counts of buckets, up to the highest in use of each distribution; each takes eight bytes. */
        BUCKETS(16L << 20),
        /**
         * The greatest length of one host's log that is read line by line. From a longer log only the sums are read, if
         * it has them.
         */
        LOG_WITHOUT_SUMS(64L << 20),
        /** Bytes of a log's lines and of what is unpacked of their histograms. */
        LOG(1L << 30),
        /**
         * Bytes of trace packets that are compared with their checksums. Of packets beyond that, only the header is
         * checked.
         */
        CHECKED_TRACE(2L << 30),
        /** Bytes of streams that are copied because they are damaged. */
        COPIED_TRACE(1L << 30),
        /** Stream files of all hosts; Linux runs on at most 8,192 CPUs. */
        STREAMS(32_768),
        /** Packets of all streams. */
        PACKETS(16_000_000),
        /** Entries of zips that are read; an entry counts each time that it is read. */
        ENTRIES(4_000_000),
        /** Bytes that a zip unpacks to. */
        UNPACKED(2L << 30);

        private final long most;

        Of(long most) {
            this.most = most;
        }

        public long most() {
            return most;
        }
    }

    private final Map<Of, Long> left = new EnumMap<>(Of.class);
    private final Progress progress;
    private long totalBytes;
    private long doneBytes;

    private Allowance(Progress progress) {
        this.progress = progress;
        Arrays.stream(Of.values()).forEach(of -> left.put(of, of.most));
    }

    /** What any session is opened with. */
    public static Allowance of(Progress progress) {
        return new Allowance(progress);
    }

    public static Allowance usual() {
        return of(Progress.NONE);
    }

    /** For work that may take any time, such as an export; memory is limited as always. */
    public static Allowance ofTime(Progress progress) {
        Allowance allowance = of(progress);
        for (Of of : new Of[] {Of.LOG_WITHOUT_SUMS, Of.LOG, Of.CHECKED_TRACE}) {
            allowance.with(of, Long.MAX_VALUE);
        }
        return allowance;
    }

    /** With another limit. */
    public Allowance with(Of of, long most) {
        left.put(of, most);
        return this;
    }

    /** Uses up an amount. If less than that is left, uses up nothing and returns false. */
    public boolean take(Of of, long amount) {
        long rest = left.get(of) - amount;
        if (rest < 0) {
            return false;
        }
        left.put(of, rest);
        return true;
    }

    public long left(Of of) {
        return left.get(of);
    }

    /** How much there is to read in all, as far as is known. */
    public void expect(long bytes) {
        totalBytes = bytes;
    }

    /** How much was read so far. */
    public long readBytes() {
        return doneBytes;
    }

    /**
     * Tells that so many bytes more were read.
     *
     * @throws CancellationException if nobody waits for the session any more
     */
    public void read(long bytes) {
        doneBytes += bytes;
        progress.report(Math.min(doneBytes, totalBytes), totalBytes);
    }
}
