// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.kview.targets.wire.WireNumbers.checkNumber;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.Descriptor;
import org.kview.model.LockHolder;
import org.kview.model.Metric;
import org.kview.model.ProgramPlace;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.wire.Frames;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.KernelStack;
import org.kview.wire.proto.OpenFile;
import org.kview.wire.proto.UserStack;

/** For what calls waited, as an agent tells it. What can't be right throws an {@link IllegalArgumentException}. */
final class WireWaits {
    /**
     * Well above an agent's own limits (32 functions in a stack of the kernel and 64 in one of the program, whose names have 511 bytes, 2,048 stacks, as many
     * descriptors, whose names have 520 bytes, and 4,096 waits beside those without a place): a frame has room for far more, and what is made of them would take all memory.
     */
    private static final int MOST_FUNCTIONS = 128;
    private static final int MOST_CHARACTERS = 2_048;
    private static final int MOST_STACKS = 4_096;
    private static final int MOST_DESCRIPTORS = 4_096;
    private static final int MOST_WAITS = 20_000;
    /**
     * A frame tells a stack or a descriptor once, and sessions and reports write it for each wait: all of them are no more than a
     * frame has room for.
     */
    private static final long MOST_CHARACTERS_IN_ALL = Frames.MAX_LENGTH;

    private WireWaits() {
    }

    /** Whether there are no more in a frame than agents tell of. */
    static void check(List<FunctionDelta> functions) {
        long all = 0;
        for (FunctionDelta function : functions) {
            checkNumber("waits of a function", function.getWaitsCount(), MOST_WAITS);
            checkNumber("stacks of a function", function.getKernelStacksCount(), MOST_STACKS);
            checkNumber("stacks of the program of a function", function.getUserStacksCount(), MOST_STACKS);
            checkNumber("descriptors of a function", function.getOpenFilesCount(), MOST_DESCRIPTORS);
            long[] stacks = function.getKernelStacksList().stream().mapToLong(WireWaits::characters).toArray();
            long[] programs = function.getUserStacksList().stream().mapToLong(WireWaits::characters).toArray();
            long[] descriptors = function.getOpenFilesList().stream().mapToLong(WireWaits::characters).toArray();
            for (var wait : function.getWaitsList()) {
                checkNumber("characters in the name of a system call", wait.getSystemCall().length(), MOST_CHARACTERS);
                checkNumber("characters in the name of a lock's holder", wait.getHolderName().length(), MOST_CHARACTERS);
                checkNumber("characters in the function of a lock's holder", wait.getHolderFunction().length(), MOST_CHARACTERS);
                all += at(stacks, wait.getKernelStack()) + at(programs, wait.getUserStack() - 1) + at(descriptors, wait.getOpenFile() - 1)
                        + wait.getSystemCall().length() + wait.getHolderName().length() + wait.getHolderFunction().length();
            }
        }
        checkNumber("characters in all stacks and descriptors of waits", all, MOST_CHARACTERS_IN_ALL);
    }

    private static long at(long[] numbers, int index) {
        return index >= 0 && index < numbers.length ? numbers[index] : 0;
    }

    private static long characters(OpenFile descriptor) {
        long all = 0;
        for (String text : List.of(descriptor.getName(), descriptor.getLocal(), descriptor.getPeer())) {
            checkNumber("characters in what a descriptor is open for", text.length(), MOST_CHARACTERS);
            all += text.length();
        }
        return all;
    }

    private static long characters(KernelStack stack) {
        return characters(stack.getFunctionsList());
    }

    private static long characters(UserStack stack) {
        return characters(stack.getFunctionsList());
    }

    /** Those in a stack: one more for each function, which may have no name. */
    private static long characters(List<String> functions) {
        checkNumber("functions in a stack", functions.size(), MOST_FUNCTIONS);
        long all = functions.size();
        for (String function : functions) {
            checkNumber("characters in the name of a function", function.length(), MOST_CHARACTERS);
            all += function.length();
        }
        return all;
    }

    /** A newer agent may tell of causes that this client does not know. */
    static Waits of(FunctionDelta f) {
        List<Wait> all = new ArrayList<>();
        List<WaitPlace> places = f.getKernelStacksList().stream()
                .map(stack -> new WaitPlace(WaitPlace.Kind.STACK, stack.getFunctionsList(), stack.getPlace())).toList();
        List<ProgramPlace> programs = f.getUserStacksList().stream().map(WireWaits::program).toList();
        List<Descriptor> descriptors = f.getOpenFilesList().stream().map(WireWaits::descriptor).toList();
        for (var wait : f.getWaitsList()) {
            Waker waker = switch (wait.getWaker()) {
                case THREAD -> new Waker(Waker.Kind.THREAD, wait.getWakerTid(), wait.getWakerPid(), wait.getWakerName());
                case INTERRUPT -> Waker.of(Waker.Kind.INTERRUPT);
                case OTHERS -> Waker.of(Waker.Kind.OTHERS);
                case UNKNOWN, UNRECOGNIZED -> Waker.of(Waker.Kind.UNKNOWN);
            };
            Metric.ofValue(wait.getMetricValue()).ifPresent(cause -> all.add(new Wait(cause, waker, wait.getLockAddress(),
                    wait.getLockName(), wait.getTimeNs(), wait.getWaits(), place(wait, places), call(wait, descriptors), holder(wait),
                    program(wait, programs))));
        }
        return new Waits(all);
    }

    private static Optional<LockHolder> holder(org.kview.wire.proto.Wait wait) {
        return wait.getHolderTid() == 0 ? Optional.empty()
                : Optional.of(new LockHolder(wait.getHolderTid(), wait.getHolderPid(), wait.getHolderName(), wait.getHolderFunction()));
    }

    private static ProgramPlace program(UserStack stack) {
        return new ProgramPlace(stack.getFunctionsList(), stack.getIsWhole(), false);
    }

    /** @param stacks of this function */
    private static ProgramPlace program(org.kview.wire.proto.Wait wait, List<ProgramPlace> stacks) {
        int number = wait.getUserStack();
        if (number < 0 || number > stacks.size() || number > 0 && wait.getUserStackOfMany()) {
            throw new IllegalArgumentException("a stack of the program that was not told: " + Integer.toUnsignedString(number));
        }
        return number > 0 ? stacks.get(number - 1) : new ProgramPlace(List.of(), false, wait.getUserStackOfMany());
    }

    private static Descriptor descriptor(OpenFile d) {
        Descriptor.Kind kind = switch (d.getKind()) {
            case FILE -> Descriptor.Kind.FILE;
            case DIRECTORY -> Descriptor.Kind.DIRECTORY;
            case DEVICE -> Descriptor.Kind.DEVICE;
            case PIPE -> Descriptor.Kind.PIPE;
            case SOCKET -> Descriptor.Kind.SOCKET;
            case TCP -> Descriptor.Kind.TCP;
            case UDP -> Descriptor.Kind.UDP;
            case UNIX -> Descriptor.Kind.UNIX;
            case EPOLL -> Descriptor.Kind.EPOLL;
            case EVENT -> Descriptor.Kind.EVENT;
            case TIMER -> Descriptor.Kind.TIMER;
            case OTHER, UNRECOGNIZED -> Descriptor.Kind.OTHER;
        };
        return new Descriptor(d.getNumber(), kind, d.getName(), d.getLocal(), d.getPeer(), d.getPeerPid(), d.getListens(), d.getInode(),
                new Descriptor.Watched(d.getWatchedSockets(), d.getWatchedPipes(), d.getWatchedEvents(), d.getWatchedTimers(),
                        d.getWatchedOthers(), d.getWatchesMore()));
    }

    /** @param descriptors of this function */
    private static WaitCall call(org.kview.wire.proto.Wait wait, List<Descriptor> descriptors) {
        int number = wait.getOpenFile();
        if (number < 0 || number > descriptors.size()) {
            throw new IllegalArgumentException("a descriptor that was not told: " + Integer.toUnsignedString(number));
        }
        return new WaitCall(wait.getSystemCall(), number == 0 ? Optional.empty() : Optional.of(descriptors.get(number - 1)),
                wait.getOpenFileOfMany());
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
