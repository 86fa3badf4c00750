// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.math.BigInteger;

import org.kview.model.CallFates;
import org.kview.model.Descriptor;
import org.kview.model.ErrorNumber;
import org.kview.model.FunctionLatency;
import org.kview.model.LostCalls;
import org.kview.model.ProgramPlace;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What became of a function's calls, as members of the function in {@code session.json} and in the report. */
public final class FatesJson {
    private FatesJson() {
    }

    /** Adds nothing where the agent did not say. */
    public static void write(ObjectNode node, FunctionLatency latency) {
        if (!latency.function().ends().goesOnTo().isEmpty()) {
            ArrayNode names = node.putArray("goes_on_to");
            latency.function().ends().goesOnTo().forEach(names::add);
        }
        if (latency.function().ends().forced()) {
            node.put("forced_return_probe", true);
        }
        if (latency.function().inlinedPlaces() > 0) {
            node.put("inlined_places", latency.function().inlinedPlaces());
        }
        if (latency.function().waits() != Waits.Told.UNKNOWN) {
            node.put("waits_told", latency.function().waits() == Waits.Told.YES);
        }
        if (latency.function().isConditional()) {
            node.put("condition", latency.function().condition());
            node.put("unmatched_calls", latency.knownFates().unmatched());
        }
        if (latency.function().isSplit()) {
            node.put("by", latency.function().by());
        }
        latency.fates().ifPresent(fates -> write(node, fates));
    }

    private static void write(ObjectNode node, CallFates fates) {
        LostCalls lost = fates.lost();
        node.putObject("lost").put("too_deep", lost.tooDeep()).put("no_memory", lost.noMemory())
                .put("end_unseen", lost.endUnseen()).put("probes_off", lost.probesOff()).put("exec", lost.exec());
        node.put("cut_calls", fates.cutCalls()).put("inconsistent_calls", fates.inconsistentCalls())
                .put("removed_ns", fates.cost().removedNanos()).put("uncertain_ns", fates.cost().uncertainNanos())
                .put("passed_sites", fates.cost().passedSites()).put("cost_ns", fates.cost().costNanos());
        if (fates.cost().waitedNanos() > 0) {
            node.put("waited_ns", fates.cost().waitedNanos());
        }
        CallFates.Limits limits = fates.limits();
        node.put("inner_ns", limits.innerNanos()).put("most_wall_ns", limits.mostWallNanos())
                .put("most_cost_ns", limits.mostCostNanos());
        if (fates.failed().total() > 0) {
            ArrayNode failed = node.putArray("failed");
            fates.failed().byError().forEach((error, calls) -> failed.addObject().put("errno", error)
                    .put("name", ErrorNumber.name(error)).put("calls", calls));
        }
        if (!fates.waits().isEmpty()) {
            ArrayNode waits = node.putArray("waits");
            fates.waits().all().forEach(wait -> write(waits.addObject(), wait));
        }
        if (fates.neverLoaded()) {
            node.put("never_loaded", true);
        }
        fates.probesOff().ifPresent(off -> {
            ObjectNode came = node.putObject("probes_off").put("at_ns", off.atNanos()).put("why", off.why());
            off.after().ifPresent(after -> came.put("after_ns", after.toNanos()));
            if (off.share() > 0) {
                came.put("share", Math.round(off.share() * 1e6) / 1e6);
            }
        });
    }

    private static void write(ObjectNode node, Wait wait) {
        node.put("cause", wait.cause().id()).put("waker", wait.waker().kind().id());
        if (wait.waker().kind() == Waker.Kind.THREAD) {
            node.put("tid", wait.waker().tid()).put("pid", wait.waker().pid()).put("name", wait.waker().name());
        }
        if (wait.lockAddress() != 0) {
            node.put("lock_address", wait.lockAddress());
        }
        if (!wait.lockName().isEmpty()) {
            node.put("lock", wait.lockName());
        }
        wait.holder().ifPresent(holder -> {
            ObjectNode held = node.putObject("holder").put("tid", holder.tid()).put("pid", holder.pid());
            putText(held, "name", holder.name());
            putText(held, "function", holder.function());
        });
        node.put("count", wait.count()).put("total_ns", wait.nanos());
        WaitPlace place = wait.place();
        if (place.kind() != WaitPlace.Kind.UNKNOWN) {
            node.put("place", place.kind().id());
        }
        if (place.kind() == WaitPlace.Kind.STACK) {
            node.put("kernel_function", place.functions().get(place.chosen()));
            ArrayNode stack = node.putArray("kernel_stack");
            place.functions().forEach(stack::add);
        }
        write(node, wait.call());
        write(node, wait.program());
    }

    private static void write(ObjectNode node, ProgramPlace program) {
        if (program.ofMany()) {
            node.put("program_stack_of_many", true);
        }
        if (!program.functions().isEmpty()) {
            ArrayNode stack = node.putArray("program_stack");
            program.functions().forEach(stack::add);
            node.put("program_stack_whole", program.isWhole());
        }
    }

    private static void write(ObjectNode node, WaitCall call) {
        if (!call.name().isEmpty()) {
            node.put("system_call", call.name());
        }
        if (call.ofMany()) {
            node.put("descriptor_of_many", true);
        }
        call.descriptor().ifPresent(descriptor -> write(node.putObject("descriptor"), descriptor));
    }

    private static void write(ObjectNode node, Descriptor descriptor) {
        node.put("number", descriptor.number()).put("kind", descriptor.kind().id()).put("inode",
                new BigInteger(Long.toUnsignedString(descriptor.inode())));
        putText(node, "name", descriptor.name());
        putText(node, "local", descriptor.local());
        putText(node, "peer", descriptor.peer());
        if (descriptor.peerPid() != 0) {
            node.put("peer_pid", descriptor.peerPid());
        }
        if (descriptor.listens()) {
            node.put("listens", true);
        }
        if (descriptor.kind() == Descriptor.Kind.EPOLL) {
            Descriptor.Watched watched = descriptor.watched();
            node.putObject("watched").put("sockets", watched.sockets()).put("pipes", watched.pipes()).put("eventfds", watched.events())
                    .put("timerfds", watched.timers()).put("others", watched.others()).put("more", watched.more());
        }
    }

    private static void putText(ObjectNode node, String name, String text) {
        if (!text.isEmpty()) {
            node.put(name, text);
        }
    }
}
