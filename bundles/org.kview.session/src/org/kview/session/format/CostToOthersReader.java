// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.kview.model.CostToOthers;
import org.kview.session.SessionException;

/** Reads what a recording cost others; sessions that nobody asked it of, and older ones, do not have it. */
final class CostToOthersReader {
    /** More than any agent tries. */
    private static final int MOST_OPERATIONS = 64;

    private CostToOthersReader() {
    }

    static Optional<CostToOthers> read(JsonFields overhead) throws SessionException {
        Optional<JsonFields> others = overhead.optionalObject("others");
        if (others.isEmpty()) {
            return Optional.empty();
        }
        JsonFields fields = others.get();
        List<CostToOthers.Operation> operations = new ArrayList<>();
        for (JsonFields operation : fields.objects("operations")) {
            if (operations.size() == MOST_OPERATIONS) {
                throw fields.damaged("operations", "are more than any recording has");
            }
            operations.add(operation(operation));
        }
        String use = fields.text("cpu_use");
        CostToOthers.CpuUse known = Arrays.stream(CostToOthers.CpuUse.values()).filter(value -> value.id().equals(use)).findFirst()
                .orElse(CostToOthers.CpuUse.UNKNOWN);
        return Optional.of(new CostToOthers(operations, fields.smallCount("cpu"), known, fields.count("cpu_ns"),
                fields.optionalText("note").orElse("")));
    }

    private static CostToOthers.Operation operation(JsonFields operation) throws SessionException {
        return new CostToOthers.Operation(operation.text("name"), operation.optionalTexts("calls"), operation.optionalTexts("stands_for"),
                rounds(operation.object("before")), rounds(operation.object("during")), rounds(operation.object("after")),
                interval(operation, "more"), interval(operation, "drift"));
    }

    private static CostToOthers.Rounds rounds(JsonFields fields) throws SessionException {
        return fields.value(() -> new CostToOthers.Rounds(fields.smallCount("rounds"), fields.decimal("median_ns")));
    }

    private static Optional<CostToOthers.Interval> interval(JsonFields operation, String name) throws SessionException {
        Optional<JsonFields> interval = operation.optionalObject(name);
        if (interval.isEmpty()) {
            return Optional.empty();
        }
        JsonFields fields = interval.get();
        return Optional.of(fields.value(() -> new CostToOthers.Interval(fields.decimal("ns"), fields.decimal("low_ns"),
                fields.decimal("high_ns"))));
    }
}
