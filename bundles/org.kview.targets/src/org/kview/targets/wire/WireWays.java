// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import org.kview.model.ComparedWays.Kind;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.WayRounds;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.MeasureWayReply;
import org.kview.wire.proto.MeasureWayRequest;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.Way;

/** Converts trials of ways to record. */
public final class WireWays {
    private WireWays() {
    }

    public static ToAgent.Builder request(Kind kind) {
        return ToAgent.newBuilder().setMeasureWay(MeasureWayRequest.newBuilder().setWay(switch (kind) {
            case CALL_VIEW -> Way.WAY_CALL_VIEW;
            case CALL_IN -> Way.WAY_CALL_IN;
            case CALL_POST -> Way.WAY_CALL_POST;
            case FUNCTION_VIEW -> Way.WAY_FUNCTION_VIEW;
            case FUNCTION_MULTI -> Way.WAY_FUNCTION_MULTI;
            case FUNCTION_SINGLE -> Way.WAY_FUNCTION_SINGLE;
        }));
    }

    public static WayRounds rounds(FromAgent message) throws TargetException {
        WireValues.expect(message, FromAgent.BodyCase.MEASURE_WAY);
        MeasureWayReply reply = message.getMeasureWay();
        try {
            return new WayRounds(reply.getMissing(), reply.getTracedList().stream().map(WireOthers::operation).toList(),
                    reply.getOthersList().stream().map(WireOthers::operation).toList(), reply.getAttachedNs(), reply.getCallsMade(),
                    reply.getCallsSeen(), reply.getTold(), reply.getNotTold());
        } catch (IllegalArgumentException e) {
            throw new TargetException(TargetException.Kind.FAILED, "What the agent found of a way to record can't be right: "
                    + e.getMessage() + "; install the agent that came with this workbench");
        }
    }
}
