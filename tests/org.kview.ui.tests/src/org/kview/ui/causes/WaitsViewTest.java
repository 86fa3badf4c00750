// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.CallFates;
import org.kview.model.Descriptor;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.LockHolder;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.ProgramPlace;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.functions.FunctionsPose;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Actions;

class WaitsViewTest {
    private static final Waker WORKER = new Waker(Waker.Kind.THREAD, 4712, 4711, "worker");

    private static final WaitPlace SYNC = new WaitPlace(WaitPlace.Kind.STACK, List.of("io_schedule", "ext4_sync_file"), 1);

    private static final WaitCall FSYNC = call(Descriptor.Kind.FILE, "/var/lib/shop/wal", Descriptor.Watched.NONE);

    private static WaitCall call(Descriptor.Kind kind, String path, Descriptor.Watched watched) {
        return new WaitCall("fsync", Optional.of(new Descriptor(9, kind, path, "", "", 0, false, 77, watched)), false);
    }

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    /** Whether its waits are told, and these. */
    private static FunctionLatency function(int id, Waits.Told told, Wait... waits) {
        FunctionLatency made = Figures.function(id, Figures.SHOP.get(id));
        ProbedFunction f = made.function();
        return new FunctionLatency(new ProbedFunction(f.id(), f.name(), f.point(), f.mechanism(), f.measured(), f.ends(),
                f.cost(), f.inlinedPlaces(), told), made.calls(), 0, 0,
                Optional.of(CallFates.NONE.with(new Waits(List.of(waits)))), made.distributions());
    }

    private static LatencySnapshot session(FunctionLatency... functions) {
        LatencySnapshot figures = Figures.snapshot(List.of());
        return new LatencySnapshot(figures.info(), List.of(functions), figures.losses(), figures.overhead(), List.of());
    }

    private static LatencySnapshot shop(Wait... waits) {
        return session(function(0, Waits.Told.YES, waits));
    }

    private static LatencySnapshot shop() {
        return shop(new Wait(Metric.BLOCK_IO, Waker.of(Waker.Kind.INTERRUPT), 0, "", 100_000, 50, SYNC, FSYNC),
                new Wait(Metric.LOCK, WORKER, 0x4040, "cache_lock", 300_000_000, 20, WaitPlace.UNKNOWN, WaitCall.NONE,
                        Optional.of(new LockHolder(4713, 4711, "flusher", "flush")),
                        new ProgramPlace(List.of("__lll_lock_wait", "pthread_mutex_lock", "find"), true, false)),
                new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0x7f00, "[heap]", 99_900_000, 3));
    }

    private static void click(WaitsView view, WaitColumn column) {
        Ui.run(() -> view.table().getColumn(column.ordinal()).notifyListeners(SWT.Selection, new Event()));
    }

    @Test
    void whatCallsWaitedForTheLongestIsOnTop() {
        WaitsView view = WaitsPose.view();
        Ui.show(shop());
        assertThat(Ui.get(view::message)).isEmpty();
        assertThat(WaitsPose.texts(view)).containsExactly(
                List.of("lock", "75 %", "300 ms", "cache_lock", "thread 4713 (flusher) of process 4711, in flush", "pthread_mutex_lock ← find", "", "", "thread 4712 (worker) of process 4711", "20", "15.0 ms"),
                List.of("lock", "25 %", "99.9 ms", "0x7f00 in [heap]", "", "", "", "", "a wake-up that was not seen", "3", "33.3 ms"),
                List.of("block I/O", "<1 %", "100 µs", "", "", "", "fsync of /var/lib/shop/wal (descriptor 9)", "ext4_sync_file", "an interrupt or timer", "50", "2.00 µs"));
        click(view, WaitColumn.WAITS);
        assertThat(WaitsPose.texts(view)).extracting(line -> line.get(WaitColumn.WAITS.ordinal())).containsExactly("50", "20", "3");
        click(view, WaitColumn.WAITS);
        assertThat(WaitsPose.texts(view)).extracting(line -> line.get(WaitColumn.WAITS.ordinal())).containsExactly("3", "20", "50");
    }

    @Test
    void whatIsCopiedAreItsNumbers() {
        WaitsPose.view();
        Ui.show(shop());
        assertThat(WaitsPose.csv()).contains("function,cause,lock_address,lock,waker,tid,pid,name,count,total_ns,place,kernel_function,kernel_stack,"
                        + "system_call,descriptor,kind,path,local,peer,peer_pid,holder_tid,holder_pid,holder_name,holder_function,program_stack",
                "price_basket,lock,0x4040,cache_lock,thread,4712,4711,worker,20,300000000,,,,,,,,,,,4713,4711,flusher,flush,__lll_lock_wait;pthread_mutex_lock;find",
                "price_basket,block_io,,,interrupt,,,,50,100000,stack,ext4_sync_file,io_schedule;ext4_sync_file,fsync,9,file,/var/lib/shop/wal,,,,,,,,").hasSize(4);
    }

    /** While a recording runs the lines change their places. */
    @Test
    void theSelectedLinesAloneAreCopiedWhereverTheyGo() {
        WaitsView view = WaitsPose.view();
        Ui.show(shop());
        Ui.run(() -> view.table().select(2));
        assertThat(WaitsPose.csv()).containsExactly(WaitsPose.csv().getFirst(), "price_basket,block_io,,,interrupt,,,,50,100000,stack,ext4_sync_file,"
                + "io_schedule;ext4_sync_file,fsync,9,file,/var/lib/shop/wal,,,,,,,,");
        Ui.show(shop(new Wait(Metric.BLOCK_IO, Waker.of(Waker.Kind.INTERRUPT), 0, "", 400_000_000, 51, SYNC, FSYNC),
                new Wait(Metric.LOCK, WORKER, 0x4040, "cache_lock", 300_000_000, 20)));
        assertThat(Ui.get(() -> view.table().getSelectionIndices())).containsExactly(0);
        assertThat(WaitsPose.csv()).hasSize(2).contains("price_basket,block_io,,,interrupt,,,,51,400000000,stack,ext4_sync_file,"
                + "io_schedule;ext4_sync_file,fsync,9,file,/var/lib/shop/wal,,,,,,,,");
        Ui.show(session(function(1, Waits.Told.YES, new Wait(Metric.BLOCK_IO, Waker.of(Waker.Kind.INTERRUPT), 0, "", 7, 1),
                new Wait(Metric.SLEEP, Waker.of(Waker.Kind.INTERRUPT), 0, "", 5, 1))));
        assertThat(WaitsPose.csv()).as("all of another function").hasSize(3);
    }

    /** It watches more, or fewer, from one moment to the next. */
    @Test
    void anEpollStaysSelectedWhateverItWatches() {
        WaitsView view = WaitsPose.view();
        for (int watched : new int[] { 1, 2 }) {
            Ui.show(shop(new Wait(Metric.NETWORK, WORKER, 0, "", 400_000_000, 51, WaitPlace.UNKNOWN,
                    call(Descriptor.Kind.EPOLL, "", new Descriptor.Watched(watched, 0, 0, 0, 0, false)))));
            if (watched == 1) {
                Ui.run(() -> view.table().select(0));
            }
        }
        assertThat(Ui.get(() -> view.table().getSelectionIndices())).containsExactly(0);
        assertThat(WaitsPose.texts(view).getFirst()).contains("fsync of 2 sockets (epoll, descriptor 9)");
    }

    @Test
    void itsPictureHasTheColoursOfTheCauses() {
        WaitsView view = WaitsPose.view();
        Ui.show(shop());
        assertThat(Ui.colours(Ui.get(() -> Actions.picture(view.table().getParent())))).contains(Metric.LOCK.rgb(), Metric.BLOCK_IO.rgb());
        Ui.show(shop(new Wait(Metric.BLOCK_IO, Waker.of(Waker.Kind.INTERRUPT), 0, "", 100_000, 50)));
        assertThat(Ui.colours(Ui.get(() -> Actions.picture(view.table().getParent())))).contains(Metric.BLOCK_IO.rgb())
                .doesNotContain(Metric.LOCK.rgb());
    }

    @Test
    void whereThereAreNoneTheViewSaysWhyAndWhatToDo() {
        WaitsView view = WaitsPose.view();
        Ui.set(new SessionState.None());
        assertThat(WaitsPose.message()).hasValueSatisfying(text -> assertThat(text).contains("Open a session"));
        Ui.show(shop(new Wait[0]));
        assertThat(WaitsPose.message()).as("told, and none was seen").hasValueSatisfying(text -> assertThat(text)
                .contains("No call of price_basket was seen to wait").doesNotContain("--waits"));
        Ui.show(session(function(0, Waits.Told.NO), function(1, Waits.Told.NO)));
        assertThat(WaitsPose.message()).as("nobody asked").hasValueSatisfying(text -> assertThat(text)
                .contains("Nobody asked", "tick Waits", "--waits"));
        Ui.show(session(function(0, Waits.Told.NO), function(1, Waits.Told.YES)));
        FunctionsPose.select("price_basket");
        assertThat(WaitsPose.message()).as("asked, and can't be told of this one").hasValueSatisfying(text -> assertThat(text)
                .contains("Waits of price_basket are not told", "measured by traps").doesNotContain("Nobody asked"));
        FunctionsPose.select("flush_cache");
        assertThat(WaitsPose.message()).hasValueSatisfying(text -> assertThat(text).contains("No call of flush_cache was seen to wait"));
        Ui.show(session(function(0, Waits.Told.UNKNOWN)));
        assertThat(WaitsPose.message()).as("an older session, or hosts that differ").hasValueSatisfying(text -> assertThat(text)
                .contains("No waits of price_basket are told", "or that of some of its hosts", "--waits"));
        Ui.show(shop());
        assertThat(WaitsPose.message()).isEmpty();
        assertThat(WaitsPose.texts(view)).hasSize(3);
    }

    /** A program can choose its threads' names. */
    @Test
    void aNameIsOneLine() {
        WaitsView view = WaitsPose.view();
        Ui.show(shop(new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, 7, 7, "a\nb\u001b[31m"), 0, "", 5, 1)));
        assertThat(WaitsPose.texts(view).getFirst().get(WaitColumn.WAKER.ordinal())).doesNotContain("\n", "\u001b").contains("thread 7");
    }
}
