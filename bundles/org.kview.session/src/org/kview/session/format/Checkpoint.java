// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.FunctionLatency;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.Overhead;
import org.kview.model.SessionInfo;

/**
 * What {@code session.json} says: the figures at one moment, and how much of the other files belongs
 * to it.
 *
 * @param info      what, where, when
 * @param functions in the order of their ids; read back, their distributions have no buckets
 * @param checksums of the buckets that the totals go with, as {@link LatencyLog#checksum}, function by function
 * @param losses    with what was lost on this side of the wire
 * @param overhead  what measuring cost
 * @param log       how much of latency.hlog belongs to this checkpoint
 * @param trace     empty if recorded without events
 * @param symbolsChecksum CRC-32 of symbols.json
 * @param problems  what went wrong while it was recorded
 */
public record Checkpoint(SessionInfo info, List<FunctionLatency> functions, List<Map<Metric, Long>> checksums, Losses losses,
        Overhead overhead, LogSummary log, Optional<TraceSummary> trace, long symbolsChecksum,
        List<String> problems) {

    public Checkpoint {
        functions = List.copyOf(functions);
        checksums = List.copyOf(checksums);
        problems = List.copyOf(problems);
    }

    /** Every distribution has a line with this tag. */
    public Collection<LogTag> tags() {
        List<LogTag> tags = new ArrayList<>();
        functions.forEach(f -> f.distributions().keySet()
                .forEach(metric -> tags.add(new LogTag(f.function().id(), f.function().name(), metric))));
        return tags;
    }

    /**
     * What latency.hlog held at that moment.
     *
     * @param bytes  its length
     * @param sumsAt where the sums of all lines before begin; empty if there are none
     * @param pending lines that continue it, whose calls the figures contain: it gets them later, joined with others
     */
    public record LogSummary(long bytes, OptionalLong sumsAt, List<String> pending) {
        public LogSummary {
            pending = List.copyOf(pending);
        }

        /** The lines that continue it, as it would have them. */
        public byte[] pendingBytes() {
            StringBuilder lines = new StringBuilder();
            pending.forEach(line -> lines.append(line).append('\n'));
            return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /**
     * What the trace held at that moment.
     *
     * @param metadataBytes    length of trace/metadata
     * @param metadataChecksum its CRC-32
     * @param packetSums       how much of packets.crc32 belongs to it; empty in older sessions, which have no such file
     * @param streams          by CPU
     */
    public record TraceSummary(long metadataBytes, long metadataChecksum, Optional<FileSum> packetSums,
            List<StreamSummary> streams) {
        public TraceSummary {
            streams = List.copyOf(streams);
        }
    }

    /**
     * The beginning of a file.
     *
     * @param bytes    its length
     * @param checksum its CRC-32
     */
    public record FileSum(long bytes, long checksum) {
    }

    /**
     * One stream file.
     *
     * @param cpu     which
     * @param bytes   its length, whole packets
     * @param packets in it
     * @param events  in it; empty if the agent did not say
     */
    public record StreamSummary(int cpu, long bytes, long packets, OptionalLong events) {
        public String fileName() {
            return SessionFiles.STREAM_PREFIX + cpu;
        }
    }
}
