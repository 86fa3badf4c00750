// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.Metric;
import org.kview.model.Wait;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.wire.Frames;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.KernelStack;

/** For what calls waited, as an agent tells it. What can't be right throws an {@link IllegalArgumentException}. */
final class WireWaits {
    /**
     * Well above an agent's own limits (32 functions in a stack, whose names have 511 bytes, 2,048 stacks, and 4,096 waits beside
     * those without a place): a frame has room for far more, and what is made of them would take all memory.
     */
    private static final int MOST_FUNCTIONS = 64;
    private static final int MOST_CHARACTERS = 2_048;
    private static final int MOST_STACKS = 4_096;
    private static final int MOST_WAITS = 20_000;
    /** A frame tells a stack once, and sessions and reports write it for each wait: all of them are no more than a frame has room for. */
    private static final long MOST_CHARACTERS_IN_ALL = Frames.MAX_LENGTH;

    private WireWaits() {
    }

    /** Whether there are no more in a frame than agents tell of. */
    static void check(List<FunctionDelta> functions) {
        long all = 0;
        for (FunctionDelta function : functions) {
            checkNumber("waits of a function", function.getWaitsCount(), MOST_WAITS);
            checkNumber("stacks of a function", function.getKernelStacksCount(), MOST_STACKS);
            long[] characters = function.getKernelStacksList().stream().mapToLong(WireWaits::characters).toArray();
            for (var wait : function.getWaitsList()) {
                int stack = wait.getKernelStack();
                all += stack >= 0 && stack < characters.length ? characters[stack] : 0;
            }
        }
        checkNumber("characters in all stacks of waits", all, MOST_CHARACTERS_IN_ALL);
    }

    /** Those in a stack: one more for each function, which may have no name. */
    private static long characters(KernelStack stack) {
        checkNumber("functions in a stack", stack.getFunctionsCount(), MOST_FUNCTIONS);
        long all = stack.getFunctionsCount();
        for (String function : stack.getFunctionsList()) {
            checkNumber("characters in the name of a kernel's function", function.length(), MOST_CHARACTERS);
            all += function.length();
        }
        return all;
    }

    private static void checkNumber(String what, long number, long most) {
        if (number > most) {
            throw new IllegalArgumentException("more " + what + " than agents tell of: " + number);
        }
    }

    /** A newer agent may tell of causes that this client does not know. */
    static Waits of(FunctionDelta f) {
        List<Wait> all = new ArrayList<>();
        List<WaitPlace> places = f.getKernelStacksList().stream()
                .map(stack -> new WaitPlace(WaitPlace.Kind.STACK, stack.getFunctionsList(), stack.getPlace())).toList();
        for (var wait : f.getWaitsList()) {
            Waker waker = switch (wait.getWaker()) {
                case THREAD -> new Waker(Waker.Kind.THREAD, wait.getWakerTid(), wait.getWakerPid(), wait.getWakerName());
                case INTERRUPT -> Waker.of(Waker.Kind.INTERRUPT);
                case OTHERS -> Waker.of(Waker.Kind.OTHERS);
                case UNKNOWN, UNRECOGNIZED -> Waker.of(Waker.Kind.UNKNOWN);
            };
            Metric.ofValue(wait.getMetricValue()).ifPresent(cause -> all.add(new Wait(cause, waker, wait.getLockAddress(),
                    wait.getLockName(), wait.getTimeNs(), wait.getWaits(), place(wait, places))));
        }
        return new Waits(all);
    }

    /** @param stacks of this function */
    private static WaitPlace place(org.kview.wire.proto.Wait wait, List<WaitPlace> stacks) {
        return switch (wait.getPlace()) {
            case PLACE_STACK -> {
                if (Integer.compareUnsigned(wait.getKernelStack(), stacks.size()) >= 0) {
                    throw new IllegalArgumentException("a stack that was not told: " + wait.getKernelStack());
                }
                yield stacks.get(wait.getKernelStack());
            }
            case PLACE_HIDDEN -> WaitPlace.of(WaitPlace.Kind.HIDDEN);
            case PLACE_OTHERS -> WaitPlace.of(WaitPlace.Kind.OTHERS);
            case PLACE_UNKNOWN, UNRECOGNIZED -> WaitPlace.UNKNOWN;
        };
    }
}
