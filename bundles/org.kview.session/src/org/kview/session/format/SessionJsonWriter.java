// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.session.json.FatesJson;
import org.kview.session.json.PointJson;
import org.kview.session.json.ProvenanceJson;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Prints a {@link Checkpoint} as {@code session.json}. */
public final class SessionJsonWriter {
    public static final String SCHEMA_PREFIX = "kview-session/";
    /**
     * The version of a session in which every metric was measured. Readers of this version take an absent metric for one
     * that never occurred.
     */
    static final int ALL_MEASURED = 1;
    /** The version of one without tracepoints: readers of it would take their hits for calls that are not accounted for. */
    static final int CALLS_ONLY = 2;
    /** What older versions call the kind of a user function. */
    private static final String NATIVE = "native";
    /** Stands before the last member, the checksum of all that precedes it. */
    static final String CHECKSUM_MARK = ",\n  \"crc32\" : \"";

    private SessionJsonWriter() {
    }

    public static byte[] encode(Checkpoint checkpoint) {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode().put("schema", SCHEMA_PREFIX + version(checkpoint))
                .put("kind", SessionKind.RECORDING.id());
        root.set("session", ValuesJson.info(checkpoint.info()));
        ProvenanceJson.write(root, checkpoint.info().provenance());
        ArrayNode functions = root.putArray("functions");
        checkpoint.functions().forEach(f -> functions.add(function(f)));
        root.set("losses", ValuesJson.losses(checkpoint.losses()));
        root.set("overhead", ValuesJson.overhead(checkpoint.overhead()));
        ObjectNode log = root.putObject("latency_log").put("bytes", checkpoint.log().bytes());
        checkpoint.log().sumsAt().ifPresent(at -> log.put("sums_at", at));
        if (!checkpoint.log().pending().isEmpty()) {
            ArrayNode pending = log.putArray("pending");
            checkpoint.log().pending().forEach(pending::add);
        }
        root.putObject("symbols").put("crc32", hex(checkpoint.symbolsChecksum()));
        checkpoint.trace().ifPresent(trace -> root.set("trace", trace(trace)));
        ArrayNode problems = root.putArray("problems");
        checkpoint.problems().forEach(problems::add);

        return sign(root);
    }

    private static int version(Checkpoint checkpoint) {
        return checkpoint.functions().stream().allMatch(f -> f.function().measuresAll()) ? ALL_MEASURED
                : checkpoint.functions().stream().noneMatch(f -> f.function().countsHits()) ? CALLS_ONLY
                : SessionKind.RECORDING.version();
    }

    /** Prints the object with the checksum as its last member; one that it has already is replaced. */
    public static byte[] sign(ObjectNode root) {
        root.remove("crc32");
        String text = ValuesJson.print(root).stripTrailing();
        String body = text.substring(0, text.length() - 1).stripTrailing();
        return (body + CHECKSUM_MARK + hex(checksum(body.getBytes(StandardCharsets.UTF_8))) + "\"\n}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    public static long checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    private static String hex(long checksum) {
        return HexFormat.of().toHexDigits((int) checksum);
    }

    private static ObjectNode function(FunctionLatency latency) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("id", latency.function().id())
                .put("name", latency.function().name()).put("binary", latency.function().point().binary())
                .put("kind", latency.function().point() instanceof ProbePoint.UserFunction ? NATIVE
                        : latency.function().point().kind())
                .put("subject", 0).put("calls", latency.calls()).put("abandoned", latency.abandoned())
                .put("unfinished", latency.unfinished());
        PointJson.write(node, latency.function());
        FatesJson.write(node, latency);
        ObjectNode metrics = node.putObject("metrics");
        for (Metric metric : Metric.values()) {
            Distribution distribution = latency.distribution(metric);
            if (!distribution.isEmpty()) {
                metrics.putObject(metric.id()).put("count", distribution.count())
                        .put("total_ns", distribution.totalNanos()).put("max_ns", distribution.maxNanos())
                        .put("buckets_crc32", hex(LatencyLog.checksum(distribution)));
            }
        }
        SplitFormat.write(node, latency);
        QuantityFormat.write(node, latency);
        return node;
    }

    private static ObjectNode trace(Checkpoint.TraceSummary trace) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode();
        node.putObject("metadata").put("bytes", trace.metadataBytes()).put("crc32", hex(trace.metadataChecksum()));
        trace.packetSums().ifPresent(sums -> node.putObject("packets").put("bytes", sums.bytes())
                .put("crc32", hex(sums.checksum())));
        ArrayNode streams = node.putArray("streams");
        for (Checkpoint.StreamSummary stream : trace.streams()) {
            ObjectNode entry = streams.addObject().put("cpu", stream.cpu()).put("bytes", stream.bytes())
                    .put("packets", stream.packets());
            stream.events().ifPresent(events -> entry.put("events", events));
        }
        return node;
    }
}
