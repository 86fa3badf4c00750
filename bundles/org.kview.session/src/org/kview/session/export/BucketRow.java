// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.session.parquet.Column;

/** A bucket that holds calls, as tables of histograms tell it. */
record BucketRow(Metric metric, int bucket, long count) {
    /** Those of a distribution. */
    static Stream<BucketRow> of(Metric metric, Distribution buckets) {
        return IntStream.range(0, buckets.bucketLimit()).filter(i -> buckets.bucket(i) > 0).mapToObj(i -> new BucketRow(metric, i, buckets.bucket(i)));
    }

    /** @param <R> what a row is made of, beside others its bucket */
    static <R> List<Column<R>> columns(Function<R, BucketRow> own) {
        return List.of(Column.text("metric", row -> own.apply(row).metric.id()),
                Column.number("least_ns", row -> LatencyBuckets.lowNanos(own.apply(row).bucket)),
                Column.optionalNumber("most_ns", row -> own.apply(row).mostNanos()),
                Column.number("count", row -> own.apply(row).count));
    }

    /** The last bucket has no end. */
    private long mostNanos() {
        return bucket == LatencyBuckets.COUNT - 1 ? Column.ABSENT : LatencyBuckets.lowNanos(bucket) + LatencyBuckets.widthNanos(bucket) - 1;
    }
}
