// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.session.SessionException;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Distributions that stand in {@code session.json} with their buckets, as the log has no line for them: these are one text,
 * {@code "120:3 121:9"}, so that they are few tokens.
 */
final class BucketsText {
    private BucketsText() {
    }

    /** @param unit behind the names of what is in units of the values: "_ns" */
    static void write(ObjectNode node, Distribution distribution, String unit) {
        node.put("count", distribution.count()).put("total" + unit, distribution.totalNanos()).put("max" + unit, distribution.maxNanos())
                .put("buckets", text(distribution));
    }

    private static String text(Distribution distribution) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            if (distribution.bucket(i) > 0) {
                text.append(text.isEmpty() ? "" : " ").append(i).append(':').append(distribution.bucket(i));
            }
        }
        return text.toString();
    }

    static Distribution read(JsonFields f, String unit) throws SessionException {
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
        return f.value(() -> builder.addTotals(f.count("count"), f.count("total" + unit), f.count("max" + unit)).build());
    }
}
