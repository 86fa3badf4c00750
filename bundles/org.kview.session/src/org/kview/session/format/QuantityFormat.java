// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Quantity;
import org.kview.session.SessionException;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a function's calls took beside time, in {@code session.json}: what was counted, and of which calls took any, how much. */
final class QuantityFormat {
    private QuantityFormat() {
    }

    static void write(ObjectNode function, FunctionLatency latency) {
        if (latency.function().quantities().isEmpty()) {
            return;
        }
        ArrayNode quantities = function.putArray("quantities");
        for (Quantity quantity : latency.function().quantities()) {
            ObjectNode node = quantities.addObject().put("id", quantity.id()).put("title", quantity.title()).put("unit", quantity.unit().id());
            if (!quantity.of().isEmpty()) {
                node.put("of", quantity.of());
            }
            if (!latency.quantity(quantity).isEmpty()) {
                BucketsText.write(node, latency.quantity(quantity), "");
            }
        }
    }

    /** What was counted, in its order; empty if no call took any. Those of a unit that is not known here are left out: a newer version wrote them. */
    static Map<Quantity, Distribution> read(JsonFields function) throws SessionException {
        Map<Quantity, Distribution> quantities = new LinkedHashMap<>();
        Set<String> ids = new HashSet<>();
        if (!function.node().has("quantities")) {
            return quantities;
        }
        for (JsonFields fields : function.objects("quantities")) {
            String id = fields.text("id");
            String title = fields.text("title");
            if (!ids.add(id) || ids.size() > Quantity.MOST) {
                throw function.damaged("quantities", "has one twice, or more than " + Quantity.MOST);
            }
            String of = fields.optionalText("of").orElse("");
            Optional<Quantity.Unit> unit = Quantity.Unit.ofId(fields.text("unit"));
            if (unit.isPresent()) {
                quantities.put(fields.value(() -> new Quantity(id, title, unit.get(), of)),
                        fields.node().has("buckets") ? BucketsText.read(fields, "") : Distribution.EMPTY);
            }
        }
        return quantities;
    }
}
