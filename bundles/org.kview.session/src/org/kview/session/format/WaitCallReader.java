// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.Descriptor;
import org.kview.model.LockHolder;
import org.kview.model.ProgramPlace;
import org.kview.model.WaitCall;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads from {@code session.json} in which system call and where in the program a wait was, and who held the lock; older files say nothing about it. */
final class WaitCallReader {
    private WaitCallReader() {
    }

    static WaitCall call(JsonFields wait) {
        JsonNode node = wait.node();
        String name = node.path("system_call").asText("");
        if (name.isEmpty()) {
            return WaitCall.NONE;
        }
        if (node.path("descriptor_of_many").asBoolean(false)) {
            return new WaitCall(name, Optional.empty(), true);
        }
        JsonNode descriptor = node.path("descriptor");
        return new WaitCall(name, descriptor.isObject() ? Optional.of(descriptor(descriptor)) : Optional.empty(), false);
    }

    static Optional<LockHolder> holder(JsonFields wait) {
        JsonNode holder = wait.node().path("holder");
        return !holder.isObject() ? Optional.empty()
                : Optional.of(new LockHolder(number(holder, "tid"), number(holder, "pid"), holder.path("name").asText(""),
                        holder.path("function").asText("")));
    }

    static ProgramPlace program(JsonFields wait) {
        List<String> functions = new ArrayList<>();
        wait.node().path("program_stack").forEach(function -> functions.add(function.asText()));
        return functions.isEmpty() ? new ProgramPlace(functions, false, wait.node().path("program_stack_of_many").asBoolean(false))
                : new ProgramPlace(functions, wait.node().path("program_stack_whole").asBoolean(false), false);
    }

    /** A kind that is not known here is one of a newer version. */
    private static Descriptor descriptor(JsonNode node) {
        JsonNode watched = node.path("watched");
        return new Descriptor(number(node, "number"), Descriptor.Kind.ofId(node.path("kind").asText("")).orElse(Descriptor.Kind.OTHER),
                node.path("name").asText(""), node.path("local").asText(""), node.path("peer").asText(""), number(node, "peer_pid"),
                node.path("listens").asBoolean(false), node.path("inode").asLong(0),
                new Descriptor.Watched(number(watched, "sockets"), number(watched, "pipes"), number(watched, "eventfds"),
                        number(watched, "timerfds"), number(watched, "others"), watched.path("more").asBoolean(false)));
    }

    private static int number(JsonNode node, String name) {
        return node.path(name).asInt(0);
    }
}
