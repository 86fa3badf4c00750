// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.ValueFigures;
import org.kview.session.SessionException;
import org.kview.session.json.SplitJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A function's figures by a value in {@code session.json}: with their buckets, as the log has those of all calls alone.
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
            figures.distributions().forEach((metric, distribution) -> BucketsText.write(metrics.putObject(metric.id()), distribution, "_ns"));
            values.add(node);
        }
    }

    /**
     * Values of a kind that is not known here are left out: a newer version wrote them.
     *
     * @param all the figures of all calls
     * @return empty if figures contradict each other or those of all calls, or can't be read: then none of them is told
     */
    static Optional<List<ValueFigures>> read(JsonFields function, Map<Metric, Distribution> all) throws SessionException {
        List<ValueFigures> values = new ArrayList<>();
        if (!function.node().has("values")) {
            return Optional.of(values);
        }
        Set<CallValue> different = new HashSet<>();
        boolean right = true;
        for (JsonFields fields : function.objects("values")) {
            if (values.size() == ValueFigures.MOST) {
                throw function.damaged("values", "has more than " + ValueFigures.MOST);
            }
            var kind = CallValue.Kind.ofId(fields.text("kind"));
            if (kind.isPresent()) {
                CallValue value = new CallValue(kind.get(), kind.get() == CallValue.Kind.NUMBER ? fields.number("number") : 0,
                        kind.get() == CallValue.Kind.THREAD_NAME ? fields.text("name") : "");
                Optional<Map<Metric, Distribution>> distributions = distributions(fields.object("metrics"));
                right &= different.add(value) && distributions.isPresent();
                Map<Metric, Distribution> own = distributions.orElse(Map.of());
                values.add(fields.value(() -> new ValueFigures(value, own, fields.optionalCount("uncertain_ns"))));
            }
        }
        return right && Arrays.stream(Metric.values()).allMatch(metric -> arePartOf(all.getOrDefault(metric, Distribution.EMPTY),
                values.stream().map(value -> value.distribution(metric)).toList())) ? Optional.of(values) : Optional.empty();
    }

    private static boolean arePartOf(Distribution all, List<Distribution> parts) {
        long count = all.count();
        long nanos = all.totalNanos();
        for (Distribution part : parts) {
            count -= part.count();
            nanos -= part.totalNanos();
            if (count < 0 || nanos < 0 || part.maxNanos() > all.maxNanos()) {
                return false;
            }
        }
        return true;
    }

    /** Empty if one has buckets that can't be. */
    private static Optional<Map<Metric, Distribution>> distributions(JsonFields metrics) throws SessionException {
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            var figures = metrics.optionalObject(metric.id());
            if (figures.isPresent()) {
                try {
                    distributions.put(metric, BucketsText.read(figures.get(), "_ns"));
                } catch (SessionException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(distributions);
    }
}
