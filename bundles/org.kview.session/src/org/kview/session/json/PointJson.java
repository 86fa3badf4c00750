// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;

/** What was probed, how, and what of its calls is measured, as members of a function in a session and in the report. */
public final class PointJson {
    public static final String POINT = "point";
    public static final String KIND = "kind";
    public static final String MECHANISM = "mechanism";
    public static final String MEASURED = "measured";

    private PointJson() {
    }

    /** The binary is a member of the function itself, and so is, in symbols.json, all else of a function's code. */
    public static void write(ObjectNode node, ProbedFunction function) {
        ObjectNode point = node.putObject(POINT).put(KIND, function.point().kind());
        switch (function.point()) {
            case ProbePoint.UserFunction _, ProbePoint.Unknown _ -> {
                // Nothing more.
            }
            case ProbePoint.KernelFunction f -> point.put("module", f.module()).put("symbol", f.symbol());
            case ProbePoint.SystemCall call -> point.put("name", call.name());
            case ProbePoint.Tracepoint t -> point.put("category", t.category()).put("name", t.name());
            case ProbePoint.Usdt usdt -> point.put("provider", usdt.provider()).put("name", usdt.name());
        }
        if (!function.mechanism().equals(Mechanism.UNKNOWN)) {
            node.put(MECHANISM, function.mechanism().id());
        }
        if (!function.measuresAll()) {
            ArrayNode measured = node.putArray(MEASURED);
            Arrays.stream(Metric.values()).filter(function.measured()::contains).map(Metric::id).forEach(measured::add);
        }
    }
}
