// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import org.kview.model.CallValue;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The values by which figures are split, as members of each in {@code session.json} and in the report. */
public final class SplitJson {
    private SplitJson() {
    }

    /** Which value it is. */
    public static ObjectNode value(CallValue value) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put("kind", value.kind().id());
        return switch (value.kind()) {
            case NUMBER -> node.put("number", value.number());
            case THREAD_NAME -> node.put("name", value.name());
            case OTHERS, UNKNOWN -> node;
        };
    }
}
