// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.Descriptor;
import org.kview.model.LockHolder;
import org.kview.model.ProgramPlace;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.KernelStack;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.OpenFile;
import org.kview.wire.proto.UserStack;
import org.kview.wire.proto.Wait;

/** Where calls waited, as agents tell it. */
class WireWaitsTest {
    private static WaitPlace place(int kind, int stack, KernelStack... stacks) {
        FunctionDelta.Builder function = FunctionDelta.newBuilder().addWaits(Wait.newBuilder().setMetric(Metric.NETWORK)
                .setTimeNs(5).setWaits(1).setPlaceValue(kind).setKernelStack(stack)).addAllKernelStacks(List.of(stacks));
        function.getLostBuilder();
        return WireFigures.interval(HistogramDelta.newBuilder().setEndNs(1).addFunctions(function).build()).functions().getFirst()
                .fates().orElseThrow().waits().all().getFirst().place();
    }

    private static KernelStack stack(int place, String... functions) {
        return KernelStack.newBuilder().addAllFunctions(List.of(functions)).setPlace(place).build();
    }

    @Test
    void aStackIsOneOfTheFunctions() {
        assertThat(place(1, 1, stack(0, "pipe_read"), stack(1, "sk_wait_data", "tcp_recvmsg")))
                .isEqualTo(new WaitPlace(WaitPlace.Kind.STACK, List.of("sk_wait_data", "tcp_recvmsg"), 1));
    }

    @Test
    void whyThereIsNoneIsTold() {
        assertThat(place(2, 0)).isEqualTo(WaitPlace.of(WaitPlace.Kind.HIDDEN));
        assertThat(place(3, 0)).isEqualTo(WaitPlace.of(WaitPlace.Kind.OTHERS));
    }

    /** An older agent tells nothing, a newer one what is not known here. */
    @Test
    void anotherVersionsWordIsNone() {
        assertThat(place(0, 0)).isEqualTo(WaitPlace.UNKNOWN);
        assertThat(place(77, 0)).isEqualTo(WaitPlace.UNKNOWN);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> place(1, 1, stack(0, "pipe_read")));
        assertThatIllegalArgumentException().isThrownBy(() -> place(1, -1, stack(0, "pipe_read")));
        assertThatIllegalArgumentException().isThrownBy(() -> place(1, 0, stack(1, "pipe_read")));
        assertThatIllegalArgumentException().isThrownBy(() -> place(1, 0, stack(0)));
    }

    private static FunctionDelta function(int waits, KernelStack... stacks) {
        return FunctionDelta.newBuilder().addAllWaits(Collections.nCopies(waits, Wait.newBuilder().setMetric(Metric.NETWORK).setTimeNs(5).setWaits(1)
                .setPlaceValue(1).build())).addAllKernelStacks(List.of(stacks)).build();
    }

    private static void told(FunctionDelta... functions) {
        WireFigures.interval(HistogramDelta.newBuilder().setEndNs(1).addAllFunctions(List.of(functions)).build());
    }

    private static KernelStack stack(int functions, int length) {
        return stack(0, Collections.nCopies(functions, "f".repeat(length)).toArray(String[]::new));
    }

    private static KernelStack[] stacks(int number) {
        KernelStack[] stacks = new KernelStack[number];
        Arrays.fill(stacks, stack(1, 1));
        return stacks;
    }

    private static OpenFile.Builder pipe() {
        return OpenFile.newBuilder().setNumber(7).setKindValue(4).setInode(77);
    }

    private static WaitCall call(String name, int number, boolean ofMany, OpenFile... descriptors) {
        FunctionDelta.Builder function = FunctionDelta.newBuilder().addWaits(Wait.newBuilder().setMetric(Metric.NETWORK).setTimeNs(5).setWaits(1)
                .setSystemCall(name).setOpenFile(number).setOpenFileOfMany(ofMany)).addAllOpenFiles(List.of(descriptors));
        function.getLostBuilder();
        return WireFigures.interval(HistogramDelta.newBuilder().setEndNs(1).addFunctions(function).build()).functions().getFirst()
                .fates().orElseThrow().waits().all().getFirst().call();
    }

    @Test
    void aDescriptorIsOneOfTheFunctions() {
        assertThat(call("", 0, false)).isEqualTo(WaitCall.NONE);
        assertThat(call("write", 0, true).ofMany()).isTrue();
        assertThat(call("read", 2, false, pipe().setNumber(3).build(), pipe().build()).descriptor()).hasValue(
                new Descriptor(7, Descriptor.Kind.PIPE, "", "", "", 0, false, 77, Descriptor.Watched.NONE));
        assertThat(call("epoll_wait", 1, false, pipe().setKindValue(9).setName("n").setLocal("l").setPeer("p").setPeerPid(8).setListens(true)
                .setWatchedSockets(1).setWatchedPipes(2).setWatchedEvents(3).setWatchedTimers(4).setWatchedOthers(5).setWatchesMore(true).build())
                .descriptor()).hasValue(new Descriptor(7, Descriptor.Kind.EPOLL, "n", "l", "p", 8, true, 77, new Descriptor.Watched(1, 2, 3, 4, 5, true)));
        assertThat(call("read", 1, false, pipe().setKindValue(99).build()).descriptor().orElseThrow().kind()).isEqualTo(Descriptor.Kind.OTHER);
    }

    @Test
    void aDescriptorThatCannotBeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 2, false, pipe().build())).withMessageContaining("not told");
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", -1, false, pipe().build())).withMessageContaining("not told");
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false, pipe().setNumber(-1).build()));
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false, pipe().setWatchedPipes(-1).build()));
        assertThatIllegalArgumentException().isThrownBy(() -> call("", 1, false, pipe().build()));
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, true, pipe().build()));
        String tooLong = "f".repeat(2_049);
        assertThatIllegalArgumentException().isThrownBy(() -> call(tooLong, 0, false)).withMessageContaining("system call");
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false, pipe().setName(tooLong).build())).withMessageContaining("open for");
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false, pipe().setLocal(tooLong).build()));
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false, pipe().setPeer(tooLong).build()));
        assertThatIllegalArgumentException().isThrownBy(() -> call("read", 1, false,
                Collections.nCopies(4_097, pipe().build()).toArray(OpenFile[]::new))).withMessageContaining("descriptors");
    }

    private static org.kview.model.Wait of(Wait.Builder wait, UserStack... stacks) {
        FunctionDelta.Builder function = FunctionDelta.newBuilder().addWaits(wait.setMetric(Metric.LOCK).setTimeNs(5).setWaits(1))
                .addAllUserStacks(List.of(stacks));
        function.getLostBuilder();
        return WireFigures.interval(HistogramDelta.newBuilder().setEndNs(1).addFunctions(function).build()).functions().getFirst()
                .fates().orElseThrow().waits().all().getFirst();
    }

    private static Wait.Builder held(int tid, int pid, String name, String function) {
        return Wait.newBuilder().setHolderTid(tid).setHolderPid(pid).setHolderName(name).setHolderFunction(function);
    }

    private static UserStack program(int functions, int length) {
        return UserStack.newBuilder().addAllFunctions(Collections.nCopies(functions, "f".repeat(length))).setIsWhole(true).build();
    }

    @Test
    void whoHeldALockAndWhereInTheProgramItWaited() {
        assertThat(of(Wait.newBuilder()).holder()).isEmpty();
        assertThat(of(held(7, 8, "n", "f")).holder()).hasValue(new LockHolder(7, 8, "n", "f"));
        assertThat(of(Wait.newBuilder()).program()).isEqualTo(ProgramPlace.UNKNOWN);
        assertThat(of(Wait.newBuilder().setUserStackOfMany(true)).program().ofMany()).isTrue();
        assertThat(of(Wait.newBuilder().setUserStack(2), program(1, 1), program(2, 3)).program())
                .isEqualTo(new ProgramPlace(List.of("fff", "fff"), true, false));
    }

    @Test
    void aHolderOrAPlaceInTheProgramThatCannotBeIsRefused() {
        String tooLong = "f".repeat(2_049);
        assertThatIllegalArgumentException().isThrownBy(() -> of(held(-1, 8, "", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> of(held(1, -8, "", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> of(held(1, 8, tooLong, ""))).withMessageContaining("lock's holder");
        assertThatIllegalArgumentException().isThrownBy(() -> of(held(1, 8, "", tooLong))).withMessageContaining("lock's holder");
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder().setUserStack(2), program(1, 1))).withMessageContaining("not told");
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder().setUserStack(-1), program(1, 1))).withMessageContaining("not told");
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder().setUserStack(1).setUserStackOfMany(true), program(1, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder(), program(129, 1))).withMessageContaining("functions in a stack");
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder(), program(1, 2_049))).withMessageContaining("characters");
        assertThatIllegalArgumentException().isThrownBy(() -> of(Wait.newBuilder(),
                Collections.nCopies(4_097, program(1, 1)).toArray(UserStack[]::new))).withMessageContaining("stacks of the program");
    }

    @Test
    void whatAllStacksOfTheProgramWouldTakeIsRefused() {
        Wait wait = Wait.newBuilder().setMetric(Metric.LOCK).setTimeNs(5).setWaits(1).setUserStack(1).build();
        FunctionDelta function = FunctionDelta.newBuilder().addAllWaits(Collections.nCopies(16_000, wait)).addUserStacks(program(3, 500)).build();
        assertThatIllegalArgumentException().isThrownBy(() -> told(function)).withMessageContaining("characters in all stacks and descriptors");
    }

    @Test
    void whatAllDescriptorsOfAFrameWouldTakeIsRefused() {
        Wait wait = Wait.newBuilder().setMetric(Metric.NETWORK).setTimeNs(5).setWaits(1).setSystemCall("read").setOpenFile(1).build();
        FunctionDelta function = FunctionDelta.newBuilder().addAllWaits(Collections.nCopies(16_000, wait))
                .addOpenFiles(pipe().setName("f".repeat(1_500))).build();
        assertThatIllegalArgumentException().isThrownBy(() -> told(function)).withMessageContaining("characters in all stacks and descriptors");
    }

    /** They would take all memory where each wait is written with its stack. */
    @Test
    void moreThanAgentsTellOfIsRefused() {
        told(function(1, stack(128, 2_048)));
        assertThatIllegalArgumentException().isThrownBy(() -> told(function(1, stack(129, 1)))).withMessageContaining("functions in a stack");
        assertThatIllegalArgumentException().isThrownBy(() -> told(function(1, stack(1, 2_049)))).withMessageContaining("characters");
        told(function(20_000, stacks(4_096)));
        assertThatIllegalArgumentException().isThrownBy(() -> told(function(20_001, stacks(1)))).withMessageContaining("waits");
        assertThatIllegalArgumentException().isThrownBy(() -> told(function(1, stacks(4_097)))).withMessageContaining("stacks");
    }

    @Test
    void whatAllFunctionsOfAFrameWouldTakeIsRefused() {
        FunctionDelta half = function(16_000, stack(1, 511));
        told(half, half);
        assertThatIllegalArgumentException().isThrownBy(() -> told(half, half, half)).withMessageContaining("characters in all stacks");
    }
}
