// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

import org.kview.model.Distribution;
import org.kview.session.format.Allowance;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;

/** The sums of a log's lines by tag, found by the bytes of the tag as they stand in the line. */
final class LogTags {
    /** For a log whose functions are not known: more than twice what the 1,024 functions of an agent can have. */
    static final int MOST = 1 << 15;
    private static final int FIRST_SLOTS = 1 << 10;
    private static final int STEP = 64;
    private static final int FNV_PRIME = 0x01000193;

    private final Allowance allowance;
    private final boolean anyTag;
    /** Random, so that nobody can choose names that collide. */
    private final int seed = new SplittableRandom().nextInt();
    private final Map<LogTag, Sum> byTag = new LinkedHashMap<>();
    /**
     * A hash table: each sum is stored under one spelling of its tag. Its length is a power of two, and at most half of
     * it is used.
     */
    private Sum[] slots = new Sum[FIRST_SLOTS];
    private int used;

    /** What the lines of one tag add up to. */
    static final class Sum {
        private final LogTag tag;
        private final byte[] spelled;
        private long[] counts = new long[0];

        private Sum(LogTag tag, byte[] spelled) {
            this.tag = tag;
            this.spelled = spelled;
        }

        LogTag tag() {
            return tag;
        }

        private boolean isAt(byte[] text, int from, int to) {
            return Arrays.equals(spelled, 0, spelled.length, text, from, to);
        }
    }

    private LogTags(Allowance allowance, boolean anyTag) {
        this.allowance = allowance;
        this.anyTag = anyTag;
    }

    /** For all tags that a log holds, up to {@link #MOST}. */
    static LogTags any(Allowance allowance) {
        return new LogTags(allowance, true);
    }

    /** For these tags only. */
    static LogTags only(Collection<LogTag> wanted, Allowance allowance) {
        LogTags tags = new LogTags(allowance, false);
        wanted.forEach(tag -> tags.put(new Sum(tag, tag.encode().getBytes(StandardCharsets.ISO_8859_1))));
        return tags;
    }

    /** The sum of the tag at this place of the text; empty if this tag is not summed. */
    Optional<Sum> find(byte[] text, int from, int to) {
        Sum known = slots[slot(text, from, to)];
        if (known != null) {
            return Optional.of(known);
        }
        // Either another spelling of a known tag, or a tag that is not known yet.
        Optional<LogTag> tag = LogTag.decode(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
        if (tag.isEmpty()) {
            return Optional.empty();
        }
        Sum same = byTag.get(tag.get());
        if (same == null && anyTag && byTag.size() < MOST) {
            same = new Sum(tag.get(), Arrays.copyOfRange(text, from, to));
            put(same);
        }
        return Optional.ofNullable(same);
    }

    private void put(Sum sum) {
        byTag.put(sum.tag, sum);
        if (2 * ++used > slots.length) {
            Sum[] former = slots;
            slots = new Sum[2 * former.length];
            for (Sum other : former) {
                if (other != null) {
                    slots[slot(other.spelled, 0, other.spelled.length)] = other;
                }
            }
        }
        slots[slot(sum.spelled, 0, sum.spelled.length)] = sum;
    }

    private int slot(byte[] text, int from, int to) {
        int hash = seed;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text[i]) * FNV_PRIME;
        }
        int slot = (hash ^ hash >>> 15) & slots.length - 1;
        while (slots[slot] != null && !slots[slot].isAt(text, from, to)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    /** Adds a line's counts; false if there is no memory for so many buckets. */
    boolean add(Sum sum, long[] counts, int limit) {
        if (limit > sum.counts.length) {
            int length = Math.min((limit + STEP - 1) / STEP * STEP, counts.length);
            if (!allowance.take(Allowance.Of.BUCKETS, length - sum.counts.length)) {
                return false;
            }
            sum.counts = Arrays.copyOf(sum.counts, length);
        }
        for (int i = 0; i < limit; i++) {
            long total = sum.counts[i] + counts[i];
            sum.counts[i] = total < 0 ? Long.MAX_VALUE : total;
        }
        return true;
    }

    /** Without count, total and maximum, which a log does not know exactly; empty if no line had the tag. */
    Optional<Distribution> buckets(LogTag tag) {
        return counted(tag).map(sum -> Distribution.ofBuckets(sum.counts, sum.counts.length));
    }

    /** Likewise, and frees what they took here. */
    Optional<Distribution> take(LogTag tag) {
        Optional<Distribution> buckets = buckets(tag);
        counted(tag).ifPresent(sum -> sum.counts = new long[0]);
        return buckets;
    }

    /** Whether they are what was recorded. */
    boolean matches(LogTag tag, long checksum) {
        return counted(tag).filter(sum -> LatencyLog.checksum(sum.counts, sum.counts.length) == checksum).isPresent();
    }

    private Optional<Sum> counted(LogTag tag) {
        return Optional.ofNullable(byTag.get(tag)).filter(sum -> sum.counts.length > 0);
    }

    /** The tags that have a line. */
    Iterable<LogTag> tags() {
        return byTag.values().stream().filter(sum -> sum.counts.length > 0).map(Sum::tag).toList();
    }

    /** Forgets all counts. */
    void clear() {
        byTag.values().forEach(sum -> {
            allowance.take(Allowance.Of.BUCKETS, -sum.counts.length);
            sum.counts = new long[0];
        });
    }
}
