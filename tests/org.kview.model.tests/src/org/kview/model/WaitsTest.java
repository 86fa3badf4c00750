// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class WaitsTest {
    private static final ToLongFunction<Metric> ALL = _ -> Long.MAX_VALUE;

    private static Wait of(int tid, String lock, long nanos) {
        return new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, tid, 7, "w"), lock.isEmpty() ? 0 : 4096, lock, nanos, 1);
    }

    @Test
    void causesAndInEachTheLongestComeFirst() {
        Waits waits = new Waits(List.of(new Wait(Metric.SLEEP, Waker.of(Waker.Kind.INTERRUPT), 0, "", 50, 2), of(7, "", 10),
                of(8, "a", 30), of(8, "b", 40)));
        assertThat(waits.sentences(ALL)).containsExactly(
                "lock, woken by thread 8 (w) of process 7: 70 ns in 2 waits, thread 7 (w): 10 ns in 1 wait; locks: b: 40 ns in 1 wait,"
                        + " a: 30 ns in 1 wait", "sleep, woken by an interrupt or timer: 50 ns in 2 waits");
    }

    private static Wait in(WaitPlace place, long nanos) {
        return new Wait(Metric.NETWORK, Waker.of(Waker.Kind.UNKNOWN), 0, "", nanos, 1, place);
    }

    private static WaitPlace stack(int chosen, String... functions) {
        return new WaitPlace(WaitPlace.Kind.STACK, List.of(functions), chosen);
    }

    @Test
    void whereItWaitedIsToldByTheFunctionThatTellsMost() {
        Waits waits = new Waits(List.of(in(stack(1, "sk_wait_data", "tcp_recvmsg", "read"), 10), in(stack(0, "tcp_recvmsg", "recv"), 5),
                in(stack(0, ""), 7), in(WaitPlace.of(WaitPlace.Kind.OTHERS), 3), in(WaitPlace.UNKNOWN, 1)));
        assertThat(waits.sentences(ALL)).containsExactly("network, woken by a wake-up that was not seen: 26 ns in 5 waits;"
                + " in tcp_recvmsg: 15 ns in 2 waits, a function of the kernel without a name: 7 ns in 1 wait,"
                + " places that were too many to be told apart: 3 ns in 1 wait");
    }

    private static Wait in(WaitCall call, long nanos) {
        return new Wait(Metric.NETWORK, Waker.of(Waker.Kind.UNKNOWN), 0, "", nanos, 1, WaitPlace.UNKNOWN, call);
    }

    private static WaitCall call(String name, Descriptor.Kind kind, String path, String local, String peer, int pid, Descriptor.Watched watched) {
        return new WaitCall(name, Optional.of(new Descriptor(8, kind, path, local, peer, pid, false, 77, watched)), false);
    }

    private static String text(Descriptor.Kind kind, String path, String local, String peer, int pid, Descriptor.Watched watched) {
        return call("read", kind, path, local, peer, pid, watched).text();
    }

    @Test
    void whatADescriptorIsOpenForIsSaid() {
        Descriptor.Watched none = Descriptor.Watched.NONE;
        assertThat(text(Descriptor.Kind.FILE, "/tmp/a", "", "", 0, none)).isEqualTo("read of /tmp/a (descriptor 8)");
        assertThat(text(Descriptor.Kind.PIPE, "", "", "", 0, none)).isEqualTo("read of pipe (descriptor 8)");
        assertThat(text(Descriptor.Kind.PIPE, "/run/p", "", "", 0, none)).isEqualTo("read of pipe /run/p (descriptor 8)");
        assertThat(text(Descriptor.Kind.TCP, "", "[::1]:80", "[::1]:4711", 0, none)).isEqualTo("read of TCP to [::1]:4711 (descriptor 8)");
        assertThat(text(Descriptor.Kind.TCP, "", "[::1]:80", "", 0, none)).isEqualTo("read of TCP at [::1]:80 (descriptor 8)");
        assertThat(text(Descriptor.Kind.UNIX, "", "/run/db", "", 812, none)).isEqualTo("read of Unix socket at /run/db (descriptor 8, to process 812)");
        assertThat(text(Descriptor.Kind.OTHER, "[io_uring]", "", "", 0, none)).isEqualTo("read of [io_uring] (descriptor 8)");
        assertThat(text(Descriptor.Kind.OTHER, "", "", "", 0, none)).isEqualTo("read of descriptor 8");
        assertThat(text(Descriptor.Kind.EPOLL, "", "", "", 0, new Descriptor.Watched(3, 0, 1, 0, 2, true)))
                .isEqualTo("read of 3 sockets, 1 eventfd, 2 others and more (epoll, descriptor 8)");
        assertThat(text(Descriptor.Kind.EPOLL, "", "", "", 0, none)).isEqualTo("read of epoll (descriptor 8)");
        assertThat(new WaitCall("poll", Optional.empty(), false).text()).isEqualTo("poll");
        assertThat(WaitCall.NONE.text()).isEmpty();
    }

    @Test
    void systemCallsAreToldWithTheirDescriptors() {
        WaitCall one = call("recvfrom", Descriptor.Kind.TCP, "", "127.0.0.1:80", "127.0.0.1:4711", 0, Descriptor.Watched.NONE);
        Waits waits = new Waits(List.of(in(one, 10), in(one, 5), in(new WaitCall("read", Optional.empty(), true), 4),
                in(new WaitCall("poll", Optional.empty(), false), 3)));
        assertThat(waits.sentences(ALL)).containsExactly("network, woken by a wake-up that was not seen: 22 ns in 4 waits; system calls:"
                + " recvfrom of TCP to 127.0.0.1:4711 (descriptor 8): 15 ns in 2 waits,"
                + " read of descriptors that were too many to be told apart: 4 ns in 1 wait");
    }

    /** Such as the connections that a server takes one after the other. */
    @Test
    void ofSeveralDescriptorsWithOneNameItIsSaidHowMany() {
        Waits waits = new Waits(IntStream.range(0, 300).mapToObj(inode -> in(new WaitCall("read", Optional.of(new Descriptor(4,
                Descriptor.Kind.UNIX, "", "", "", 0, false, inode / 2, Descriptor.Watched.NONE)), false), 2)).toList());
        assertThat(waits.sentences(ALL)).singleElement().asString()
                .endsWith("; system calls: read of Unix socket (descriptor 4, 150 different ones): 600 ns in 300 waits");
    }

    @Test
    void whatIsNoDescriptorIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Descriptor(-1, Descriptor.Kind.PIPE, "", "", "", 0, false, 0, Descriptor.Watched.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new Descriptor(1, Descriptor.Kind.PIPE, "", "", "", -1, false, 0, Descriptor.Watched.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new Descriptor.Watched(0, 0, -1, 0, 0, false));
        assertThatIllegalArgumentException().isThrownBy(() -> new WaitCall("", Optional.empty(), true));
    }

    @Test
    void ofCallsWithoutATimeItIsSaidThatTheyWaitedAsWell() {
        Waits waits = new Waits(List.of(of(7, "", 10), in(WaitPlace.UNKNOWN, 8)));
        assertThat(waits.sentences(cause -> cause == Metric.LOCK ? 9 : 8)).containsExactly(
                "lock, woken by thread 7 (w): 10 ns in 1 wait; calls without a time waited as well",
                "network, woken by a wake-up that was not seen: 8 ns in 1 wait");
    }

    @Test
    void namesThatTheKernelDoesNotShowAreToldOnce() {
        WaitPlace hidden = WaitPlace.of(WaitPlace.Kind.HIDDEN);
        assertThat(new Waits(List.of(in(hidden, 10), in(hidden, 5))).sentences(ALL)).containsExactly(
                "network, woken by a wake-up that was not seen: 15 ns in 2 waits",
                "the kernel does not show the names of its functions to the agent's user, so where in it they waited was not told");
    }

    /** So it is of several hosts together, of which one shows them. */
    @Test
    void ofWhomTheNamesAreHiddenIsToldWhereOtherPlacesAreKnown() {
        String some = "the kernel does not show the names of its functions to the agent's user, so where in it some of them waited was not told";
        Waits hidden = new Waits(List.of(in(WaitPlace.of(WaitPlace.Kind.HIDDEN), 10)));
        assertThat(hidden.plus(new Waits(List.of(in(stack(0, "pipe_read"), 5)))).sentences(ALL)).containsExactly(
                "network, woken by a wake-up that was not seen: 15 ns in 2 waits; in pipe_read: 5 ns in 1 wait", some);
        assertThat(hidden.plus(new Waits(List.of(in(WaitPlace.of(WaitPlace.Kind.OTHERS), 5)))).sentences(ALL)).endsWith(some);
        assertThat(hidden.plus(new Waits(List.of(in(WaitPlace.UNKNOWN, 5)))).sentences(ALL)).doesNotContain(some);
    }

    /** What compilers add to a name begins behind its first character. */
    @Test
    void aNameThatBeginsWithAFullStopKeepsIt() {
        assertThat(stack(0, ".pipe_read.isra.0").text()).isEqualTo(".pipe_read");
        assertThat(stack(0, "pipe_read.part.0.cold").text()).isEqualTo("pipe_read");
        assertThat(stack(0, ".").text()).isEqualTo(".");
    }

    private static Wait held(int tid, String function, long nanos, String... program) {
        return new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, 3, 7, "w"), 4096, "a", nanos, 1, WaitPlace.UNKNOWN, WaitCall.NONE,
                tid == 0 ? Optional.empty() : Optional.of(new LockHolder(tid, 7, "h", function)),
                new ProgramPlace(List.of(program), program.length > 0, false));
    }

    @Test
    void whoHeldALockIsToldAndWhereInTheProgramItWaited() {
        Waits waits = new Waits(List.of(held(4, "flush", 30, "__lll_lock_wait", "pthread_mutex_lock", "find"), held(4, "flush", 5), held(5, "", 3),
                held(0, "", 2, "", "libc.so.6+0x10")));
        assertThat(waits.sentences(ALL)).containsExactly("lock, woken by thread 3 (w) of process 7: 40 ns in 4 waits; locks: a: 40 ns in 4 waits;"
                + " held by thread 4 (h) of process 7, in flush: 35 ns in 2 waits, thread 5 (h) of process 7: 3 ns in 1 wait; in the program at"
                + " pthread_mutex_lock ← find: 30 ns in 1 wait, code of no file ← libc.so.6+0x10: 2 ns in 1 wait");
    }

    /** Who woke it is told where nobody knows who held it, and is no holder. */
    @Test
    void aVerdictNamesTheHolderBeforeTheWaker() {
        assertThat(new Waits(List.of(held(4, "flush", 30), held(0, "", 1))).inVerdict(Metric.LOCK, 31))
                .isEqualTo(", for a, behind thread 4 (h) of process 7, in flush");
        assertThat(new Waits(List.of(held(4, "", 30), held(5, "", 10))).inVerdict(Metric.LOCK, 40)).isEqualTo(", for a, mostly behind thread 4 (h) of process 7");
        assertThat(new Waits(List.of(held(4, "", 10), held(0, "", 30))).inVerdict(Metric.LOCK, 40)).isEqualTo(", for a, woken by thread 3 (w) of process 7");
    }

    @Test
    void aPlaceInTheProgramIsShort() {
        assertThat(new ProgramPlace(List.of("__wait", "lock", "b", "c", "d", "e"), true, false).text()).isEqualTo("lock ← b ← c ← d ← …");
        assertThat(new ProgramPlace(List.of("__wait", "lock", "b", "c", "d"), true, false).text()).isEqualTo("lock ← b ← c ← d");
        assertThat(new ProgramPlace(List.of("_a"), false, false).text()).isEqualTo("_a");
        assertThat(new ProgramPlace(List.of(), false, true).text()).isEqualTo("places that were too many to be told apart");
        assertThat(ProgramPlace.UNKNOWN.text()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new ProgramPlace(List.of(), true, false));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProgramPlace(List.of("a"), true, true));
        assertThatIllegalArgumentException().isThrownBy(() -> new LockHolder(0, 7, "", ""));
    }

    @Test
    void whatIsBeyondThreeIsToldTogether() {
        Waits waits = new Waits(IntStream.range(1, 6).mapToObj(tid -> of(tid, "", 10L * tid)).toList());
        assertThat(waits.sentences(ALL).getFirst()).endsWith("thread 3 (w) of process 7: 30 ns in 1 wait, 2 more: 30 ns in 2 waits");
    }

    @Test
    void threadsOfTwoHostsAreNotTheSame() {
        Waits one = new Waits(List.of(of(7, "", 10)));
        assertThat(one.plus(one).all()).hasSize(2);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Wait(Metric.WALL, Waker.of(Waker.Kind.UNKNOWN), 0, "", 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0, "", -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), -1, "", 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> stack(1, "read"));
        assertThatIllegalArgumentException().isThrownBy(() -> stack(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new WaitPlace(WaitPlace.Kind.HIDDEN, List.of("read"), 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Waker(Waker.Kind.THREAD, -1, 1, ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new Waker(Waker.Kind.INTERRUPT, 1, 1, ""));
    }
}
