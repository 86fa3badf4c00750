// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.kview.model.SurveyFindings.Cost;
import org.kview.model.SurveyFindings.FunctionTime;
import org.kview.model.SurveyFindings.Stacks;
import org.kview.model.SurveyFindings.Surveyed;
import org.kview.model.SurveyFindings.ThreadTime;

class SurveyFindingsTest {
    private static final Surveyed SHOP = new Surveyed(7, "shop");
    private static final Cost COST = new Cost(1, 1, 1, 1, 1);
    private static final Stacks STACKS = new Stacks(1, 1, 1, 0, 0, 0, 0, 0);

    private static SurveyFindings findings(Surveyed process, String note, Cost cost, Stacks stacks) {
        return new SurveyFindings(process, 1, note, cost, stacks, Map.of(), List.of(), List.of(), List.of(), List.of());
    }

    private static FunctionTime function(String probe, String name, String symbol, String binary) {
        return new FunctionTime(probe, name, symbol, binary, false, 1, 1, false, Map.of());
    }

    @Test
    void whatIsMissingIsMissedAtOnce() {
        findings(SHOP, "", COST, STACKS);
        function("", "", "", "");
        for (ThrowingCallable incomplete : List.<ThrowingCallable>of(() -> findings(null, "", COST, STACKS),
                () -> findings(SHOP, null, COST, STACKS), () -> findings(SHOP, "", null, STACKS),
                () -> findings(SHOP, "", COST, null), () -> new Surveyed(7, null), () -> new ThreadTime(7, null, Map.of()),
                () -> new ThreadTime(7, "", null), () -> function(null, "", "", ""), () -> function("", null, "", ""),
                () -> function("", "", null, ""), () -> function("", "", "", null))) {
            assertThatThrownBy(incomplete).isInstanceOf(NullPointerException.class);
        }
    }
}
