// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.session.SessionException;
import org.kview.session.json.PointJson;

import com.fasterxml.jackson.databind.JsonNode;

/** What {@link PointJson} wrote of a function; older sessions, which say nothing, hold functions that traps measured. */
final class PointReader {
    private PointReader() {
    }

    /** The point as session.json describes it, without the code that symbols.json adds. */
    static ProbePoint point(JsonFields function) throws SessionException {
        return point(function, new ProbePoint.UserFunction(function.text("binary"), "", 0, 0, 0));
    }

    /** @param code what it is if it is a function of a program or library */
    static ProbePoint point(JsonFields function, ProbePoint.UserFunction code) throws SessionException {
        Optional<JsonFields> known = function.optionalObject(PointJson.POINT);
        if (known.isEmpty()) {
            return code;
        }
        JsonFields point = known.get();
        String kind = point.text(PointJson.KIND);
        return switch (kind) {
            case ProbePoint.UserFunction.KIND -> code;
            case ProbePoint.KernelFunction.KIND -> new ProbePoint.KernelFunction(point.text("module"), point.text("symbol"));
            case ProbePoint.SystemCall.KIND -> new ProbePoint.SystemCall(point.text("name"));
            case ProbePoint.Tracepoint.KIND -> new ProbePoint.Tracepoint(point.text("category"), point.text("name"));
            case ProbePoint.Usdt.KIND -> new ProbePoint.Usdt(code.binary(), point.text("provider"), point.text("name"));
            default -> new ProbePoint.Unknown(kind, code.binary());
        };
    }

    static Mechanism mechanism(JsonFields function) throws SessionException {
        return function.optionalText(PointJson.MECHANISM).map(Mechanism::new)
                .orElse(function.node().has(PointJson.POINT) ? Mechanism.UNKNOWN : Mechanism.TRAP);
    }

    /** Metrics that only newer versions know are ignored, here and among the figures. */
    static Set<Metric> measured(JsonFields function) throws SessionException {
        JsonNode ids = function.node().path(PointJson.MEASURED);
        if (ids.isMissingNode()) {
            return ProbedFunction.ALL_METRICS;
        }
        if (!ids.isArray()) {
            throw function.damaged(PointJson.MEASURED, "is no list");
        }
        Set<Metric> measured = EnumSet.noneOf(Metric.class);
        ids.forEach(id -> Metric.ofId(id.asText()).ifPresent(measured::add));
        return measured;
    }
}
