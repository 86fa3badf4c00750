// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;

/** The functions of a profile. Each is there once, even if it was measured on several hosts. Their numbers begin with 0. */
final class StackFrames {
    /** As in other profilers' output: pprof takes a mapping of this name for the kernel. */
    private static final String KERNEL = "[kernel.kallsyms]";
    /** pprof joins a mapping without a name with another one. */
    private static final String NO_FILE = "[unknown]";

    private final List<Frame> frames = new ArrayList<>();
    private final Map<Frame, Integer> numbers = new HashMap<>();
    private final List<Map<Long, Integer>> byHost = new ArrayList<>();
    private final int unlisted;
    private final int folded;

    /**
     * A function.
     *
     * @param name   as in reports
     * @param symbol in the symbol table
     * @param binary the file that it is in, or a name in brackets
     */
    record Frame(String name, String symbol, String binary) {
    }

    /** @param hosts what was measured on each */
    StackFrames(List<LatencySnapshot> hosts) {
        for (LatencySnapshot host : hosts) {
            Map<Long, Integer> own = new HashMap<>();
            for (FunctionLatency latency : host.functions()) {
                own.put((long) latency.function().id(), number(frame(latency.function())));
            }
            byHost.add(own);
        }
        unlisted = number(new Frame("(function that the session does not list)", "", NO_FILE));
        folded = number(new Frame("(deeper, not told apart)", "", NO_FILE));
    }

    private static Frame frame(ProbedFunction function) {
        ProbePoint point = function.point();
        String binary = switch (point) {
            case ProbePoint.KernelFunction _, ProbePoint.SystemCall _, ProbePoint.Tracepoint _ -> KERNEL;
            case ProbePoint.UserFunction _, ProbePoint.Usdt _, ProbePoint.Unknown _ -> point.binary().isEmpty() ? NO_FILE
                    : SafeText.line(point.binary());
        };
        String name = SafeText.line(function.name());
        return new Frame(name, point.symbol().isEmpty() ? name : SafeText.line(point.symbol()), binary);
    }

    private int number(Frame frame) {
        return numbers.computeIfAbsent(frame, added -> {
            frames.add(added);
            return frames.size() - 1;
        });
    }

    /**
     * The number of a host's function. All functions that its session does not list share one number, because a made-up
     * trace may have any number of them.
     */
    int of(int host, long function) {
        return byHost.get(host).getOrDefault(function, unlisted);
    }

    /** Stands for all functions that another one calls, if these are not told apart. */
    int folded() {
        return folded;
    }

    Frame get(int number) {
        return frames.get(number);
    }
}
