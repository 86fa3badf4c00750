// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.util.Arrays;

import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What was probed, how, and what of its calls is measured, as members of a function in a session and in the report. */
public final class PointJson {
    public static final String POINT = "point";
    public static final String KIND = "kind";
    public static final String MECHANISM = "mechanism";
    public static final String MEASURED = "measured";

    private PointJson() {
    }

    /**
     * The kind and the further members of a point. Its binary, and the code of a user function, are members of the
     * function itself.
     */
    public static ObjectNode members(ProbePoint point) {
        ObjectNode node = ValuesJson.MAPPER.createObjectNode().put(KIND, point.kind());
        return switch (point) {
            case ProbePoint.UserFunction _, ProbePoint.Unknown _ -> node;
            case ProbePoint.KernelFunction f -> node.put("module", f.module()).put("symbol", f.symbol());
            case ProbePoint.SystemCall call -> node.put("name", call.name());
            case ProbePoint.Tracepoint t -> node.put("category", t.category()).put("name", t.name());
            case ProbePoint.Usdt usdt -> node.put("provider", usdt.provider()).put("name", usdt.name());
        };
    }

    /** The members of a point, as whoever reads them wants them checked. */
    @FunctionalInterface
    public interface Members<E extends Exception> {
        /** The text that a member holds. */
        String text(String member) throws E;
    }

    /**
     * The point that has these members.
     *
     * @param code what it is if it is a function of a program or library; its binary is that of the other kinds, too
     */
    public static <E extends Exception> ProbePoint read(Members<E> members, ProbePoint.UserFunction code) throws E {
        String kind = members.text(KIND);
        return switch (kind) {
            case ProbePoint.UserFunction.KIND -> code;
            case ProbePoint.KernelFunction.KIND -> new ProbePoint.KernelFunction(members.text("module"), members.text("symbol"));
            case ProbePoint.SystemCall.KIND -> new ProbePoint.SystemCall(members.text("name"));
            case ProbePoint.Tracepoint.KIND -> new ProbePoint.Tracepoint(members.text("category"), members.text("name"));
            case ProbePoint.Usdt.KIND -> new ProbePoint.Usdt(code.binary(), members.text("provider"), members.text("name"));
            default -> new ProbePoint.Unknown(kind, code.binary());
        };
    }

    /**
     * The binary is a member of the function itself. In symbols.json, so are the symbol, address, offset and size of a
     * user function.
     */
    public static void write(ObjectNode node, ProbedFunction function) {
        node.set(POINT, members(function.point()));
        if (!function.mechanism().equals(Mechanism.UNKNOWN)) {
            node.put(MECHANISM, function.mechanism().id());
        }
        if (!function.measuresAll()) {
            ArrayNode measured = node.putArray(MEASURED);
            Arrays.stream(Metric.values()).filter(function.measured()::contains).map(Metric::id).forEach(measured::add);
        }
    }
}
