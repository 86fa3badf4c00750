// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.kview.model.CallFates;
import org.kview.model.FailedCalls;
import org.kview.model.LostCalls;
import org.kview.model.Metric;
import org.kview.model.Wait;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.session.SessionException;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads from {@code session.json} what became of a function's calls; older files say nothing about it. */
final class FatesReader {
    private FatesReader() {
    }

    static Optional<CallFates> fates(JsonFields function) throws SessionException {
        Optional<JsonFields> lost = function.optionalObject("lost");
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        JsonFields l = lost.get();
        LostCalls calls = l.value(() -> new LostCalls(l.optionalCount("too_deep"), l.optionalCount("no_memory"),
                l.optionalCount("end_unseen"), l.optionalCount("probes_off"), l.optionalCount("exec")));
        Optional<CallFates.ProbesOff> off = probesOff(function.optionalObject("probes_off"));
        FailedCalls failed = failed(function);
        Waits waits = waits(function);
        return Optional.of(function.value(() -> new CallFates(calls, function.optionalCount("cut_calls"),
                function.optionalCount("inconsistent_calls"), cost(function), off,
                new CallFates.Limits(function.optionalCount("inner_ns"), function.optionalCount("most_wall_ns"),
                        function.optionalCount("most_cost_ns")),
                function.node().path("never_loaded").asBoolean(false), failed, waits,
                function.optionalCount("unmatched_calls"))));
    }

    private static CallFates.ProbesCost cost(JsonFields function) throws SessionException {
        return new CallFates.ProbesCost(function.optionalCount("removed_ns"), function.optionalCount("uncertain_ns"),
                function.optionalCount("waited_ns"), function.optionalCount("passed_sites"), function.optionalCount("cost_ns"));
    }

    /** Those whose cause is not known here are left out: a newer version wrote them. */
    private static Waits waits(JsonFields function) throws SessionException {
        List<Wait> all = new ArrayList<>();
        if (function.node().has("waits")) {
            for (JsonFields wait : function.objects("waits")) {
                Optional<Metric> cause = Metric.ofId(wait.text("cause")).filter(Metric::isCause);
                Waker.Kind kind = Waker.Kind.ofId(wait.text("waker")).orElse(Waker.Kind.UNKNOWN);
                Waker waker = kind != Waker.Kind.THREAD ? Waker.of(kind)
                        : new Waker(kind, wait.smallCount("tid"), wait.smallCount("pid"), wait.node().path("name").asText(""));
                if (cause.isPresent()) {
                    all.add(wait.value(() -> new Wait(cause.get(), waker, wait.optionalCount("lock_address"),
                            wait.node().path("lock").asText(""), wait.count("total_ns"), wait.count("count"), place(wait),
                            WaitCallReader.call(wait), WaitCallReader.holder(wait), WaitCallReader.program(wait))));
                }
            }
        }
        return new Waits(all);
    }

    /** A kind that is not known here is one of a newer version. */
    private static WaitPlace place(JsonFields wait) {
        List<String> stack = new ArrayList<>();
        wait.node().path("kernel_stack").forEach(function -> stack.add(function.asText()));
        WaitPlace.Kind kind = WaitPlace.Kind.ofId(wait.node().path("place").asText("")).orElse(WaitPlace.Kind.UNKNOWN);
        if (kind != WaitPlace.Kind.STACK) {
            return WaitPlace.of(kind);
        }
        return stack.isEmpty() ? WaitPlace.UNKNOWN
                : new WaitPlace(kind, stack, Math.max(0, stack.indexOf(wait.node().path("kernel_function").asText(""))));
    }

    private static FailedCalls failed(JsonFields function) throws SessionException {
        SortedMap<Integer, Long> byError = new TreeMap<>();
        if (function.node().has("failed")) {
            for (JsonFields failed : function.objects("failed")) {
                byError.put(failed.smallCount("errno"), failed.count("calls"));
            }
        }
        return function.value(() -> new FailedCalls(byError));
    }

    private static Optional<CallFates.ProbesOff> probesOff(Optional<JsonFields> off) throws SessionException {
        if (off.isEmpty()) {
            return Optional.empty();
        }
        JsonFields came = off.get();
        Optional<Duration> after = came.node().has("after_ns") ? Optional.of(Duration.ofNanos(came.count("after_ns")))
                : Optional.empty();
        return Optional.of(came.value(() -> new CallFates.ProbesOff(came.count("at_ns"), came.text("why"), after,
                came.node().path("share").asDouble(0))));
    }

    static List<String> goesOnTo(JsonFields function) {
        List<String> names = new ArrayList<>();
        for (JsonNode name : function.node().path("goes_on_to")) {
            names.add(name.asText());
        }
        return names;
    }

    static boolean isForced(JsonFields function) {
        return function.node().path("forced_return_probe").asBoolean(false);
    }

    static Waits.Told waitsTold(JsonFields function) {
        JsonNode told = function.node().path("waits_told");
        return !told.isBoolean() ? Waits.Told.UNKNOWN : told.asBoolean() ? Waits.Told.YES : Waits.Told.NO;
    }

    static String condition(JsonFields function) {
        return function.node().path("condition").asText("");
    }

    static String by(JsonFields function) {
        return function.node().path("by").asText("");
    }

    static int inlinedPlaces(JsonFields function) {
        return Math.max(0, function.node().path("inlined_places").asInt(0));
    }
}
