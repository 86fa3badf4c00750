// SPDX-License-Identifier: EPL-2.0
package org.kview.session;

import java.util.List;
import java.util.Map;

import org.kview.model.Metric;
import org.kview.model.SurveyFindings;
import org.kview.model.SurveyFindings.FunctionTime;

/** What a survey may have found before {@link SampleRecording}. */
public final class SampleSurvey {
    private SampleSurvey() {
    }

    public static SurveyFindings findings() {
        FunctionTime slow = new FunctionTime("checkout:price_basket", "price_basket", "_Z0", "/usr/bin/checkout", false,
                4_000_000_000L, 1_000_000_000L, false, Map.of(Metric.LOCK, 3_000_000_000L, Metric.ON_CPU, 1_000_000_000L));
        FunctionTime main = new FunctionTime("checkout:main", "main", "main", "/usr/bin/checkout", false, 6_000_000_000L, 0, true,
                Map.of(Metric.LOCK, 3_000_000_000L, Metric.ON_CPU, 3_000_000_000L));
        FunctionTime kernel = new FunctionTime("", "futex_wait", "", "", true, 3_000_000_000L, 3_000_000_000L, false,
                Map.of(Metric.LOCK, 3_000_000_000L));
        return new SurveyFindings(new SurveyFindings.Surveyed(4711, "/usr/bin/checkout --port 80"), 3_000_000_000L,
                "It was ended before its time was over.", new SurveyFindings.Cost(2_004_008, 1_000_000, 3_100_000_000L, 12_000_000,
                        80_000_000), new SurveyFindings.Stacks(1500, 1499, 5_990_000_000L, 1, 2, 9_000_000, 3, 4),
                Map.of(Metric.LOCK, 3_000_000_000L, Metric.ON_CPU, 3_000_000_000L),
                List.of(new SurveyFindings.ThreadTime(4711, "checkout", Map.of(Metric.ON_CPU, 3_000_000_000L)),
                        new SurveyFindings.ThreadTime(4712, "worker", Map.of(Metric.LOCK, 3_000_000_000L))),
                List.of(main, slow, kernel), List.of(slow), List.of(main));
    }
}
