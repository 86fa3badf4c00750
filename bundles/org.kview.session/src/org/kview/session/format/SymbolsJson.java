// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.session.SessionException;
import org.kview.session.json.PointJson;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** {@code symbols.json}: which code each probed function is. */
public final class SymbolsJson {
    static final String SCHEMA = "kview-symbols/1";

    private SymbolsJson() {
    }

    public static byte[] encode(List<ProbedFunction> functions) {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode().put("schema", SCHEMA);
        ArrayNode array = root.putArray("functions");
        for (ProbedFunction function : functions) {
            ProbePoint point = function.point();
            ObjectNode node = array.addObject().put("id", function.id()).put("name", function.name())
                    .put("symbol", point.symbol()).put("binary", point.binary())
                    .put("address", Long.toHexString(point.address()))
                    .put("file_offset", Long.toHexString(point.fileOffset())).put("size_bytes", point.sizeBytes())
                    .put("exit", function.exit().name().toLowerCase(Locale.ROOT))
                    .put("inner_cost_ns", function.cost().innerNanos()).put("call_cost_ns", function.cost().callNanos());
            PointJson.write(node, function);
        }
        return ValuesJson.print(root).getBytes(StandardCharsets.UTF_8);
    }

    public static List<ProbedFunction> decode(byte[] bytes) throws SessionException {
        JsonFields root = new JsonFields(SessionFiles.SYMBOLS_JSON, parse(bytes), "");
        List<ProbedFunction> functions = new ArrayList<>();
        for (JsonFields function : root.objects("functions")) {
            ProbePoint point = PointReader.point(function, new ProbePoint.UserFunction(function.text("binary"),
                    function.text("symbol"), function.hex("address"), function.hex("file_offset"),
                    function.count("size_bytes")));
            functions.add(new ProbedFunction(function.smallCount("id"), function.text("name"), point, PointReader.mechanism(function),
                    PointReader.measured(function), ProbedFunction.Ends.of(exit(function.text("exit"))),
                    new ProbedFunction.Cost(function.count("inner_cost_ns"), function.count("call_cost_ns")), 0));
        }
        return functions;
    }

    private static JsonNode parse(byte[] bytes) throws SessionException {
        try {
            return Optional.ofNullable(ValuesJson.MAPPER.readTree(bytes)).orElseGet(ValuesJson.MAPPER::missingNode);
        } catch (IOException e) {
            throw new SessionException(SessionFiles.SYMBOLS_JSON + " is damaged: it is no JSON", e);
        }
    }

    private static ExitKind exit(String text) {
        return Arrays.stream(ExitKind.values()).filter(k -> k.name().equalsIgnoreCase(text)).findFirst()
                .orElse(ExitKind.UNKNOWN);
    }
}
