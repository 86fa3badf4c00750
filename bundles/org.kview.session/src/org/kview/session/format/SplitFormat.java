// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.model.ValueFigures;
import org.kview.session.SessionException;
import org.kview.session.json.SplitJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A function's figures by a value in {@code session.json}: with their buckets, as the log has those of all calls alone. These are one
 * text, {@code "120:3 121:9"}, so that they are few tokens.
 */
final class SplitFormat {
    private SplitFormat() {
    }

    static void write(ObjectNode function, FunctionLatency latency) {
        if (!latency.function().isSplit()) {
            return;
        }
        ArrayNode values = function.putArray("values");
        for (ValueFigures figures : latency.values()) {
            ObjectNode node = SplitJson.value(figures.value()).put("uncertain_ns", figures.uncertainNanos());
            ObjectNode metrics = node.putObject("metrics");
            figures.distributions().forEach((metric, distribution) -> metrics.putObject(metric.id()).put("count", distribution.count())
                    .put("total_ns", distribution.totalNanos()).put("max_ns", distribution.maxNanos()).put("buckets", buckets(distribution)));
            values.add(node);
        }
    }

    private static String buckets(Distribution distribution) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            if (distribution.bucket(i) > 0) {
                text.append(text.isEmpty() ? "" : " ").append(i).append(':').append(distribution.bucket(i));
            }
        }
        return text.toString();
    }

    /** Values of a kind that is not known here are left out: a newer version wrote them. */
    static List<ValueFigures> read(JsonFields function) throws SessionException {
        List<ValueFigures> values = new ArrayList<>();
        if (!function.node().has("values")) {
            return values;
        }
        for (JsonFields fields : function.objects("values")) {
            if (values.size() == ValueFigures.MOST) {
                throw function.damaged("values", "has more than " + ValueFigures.MOST);
            }
            var kind = CallValue.Kind.ofId(fields.text("kind"));
            if (kind.isPresent()) {
                CallValue value = new CallValue(kind.get(), kind.get() == CallValue.Kind.NUMBER ? fields.number("number") : 0,
                        kind.get() == CallValue.Kind.THREAD_NAME ? fields.text("name") : "");
                Map<Metric, Distribution> distributions = distributions(fields.object("metrics"));
                values.add(fields.value(() -> new ValueFigures(value, distributions, fields.optionalCount("uncertain_ns"))));
            }
        }
        return values;
    }

    private static Map<Metric, Distribution> distributions(JsonFields metrics) throws SessionException {
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            var figures = metrics.optionalObject(metric.id());
            if (figures.isPresent()) {
                distributions.put(metric, distribution(figures.get()));
            }
        }
        return distributions;
    }

    private static Distribution distribution(JsonFields f) throws SessionException {
        Distribution.Builder builder = new Distribution.Builder();
        long count = 0;
        for (String bucket : f.text("buckets").split(" ", LatencyBuckets.COUNT + 1)) {
            int colon = bucket.indexOf(':');
            try {
                int index = Integer.parseInt(bucket.substring(0, Math.max(0, colon)));
                long calls = Long.parseLong(bucket.substring(colon + 1));
                if (calls <= 0) {
                    throw f.damaged("buckets", "holds a count that is none");
                }
                builder.addBucket(index, calls);
                count = Math.addExact(count, calls);
            } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
                throw f.damaged("buckets", "is no list of buckets and their counts");
            }
        }
        if (count != f.count("count")) {
            throw f.damaged("buckets", "holds " + count + " calls");
        }
        return f.value(() -> builder.addTotals(f.count("count"), f.count("total_ns"), f.count("max_ns")).build());
    }
}
