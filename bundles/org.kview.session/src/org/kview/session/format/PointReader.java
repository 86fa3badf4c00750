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
        return PointJson.read(known.get()::text, code);
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
