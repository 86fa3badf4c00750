// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.CallFates;
import org.kview.model.FailedCalls;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.LostCalls;
import org.kview.model.Metric;
import org.kview.model.Wait;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionState;

class WaitsViewTest {
    private static final Waker WORKER = new Waker(Waker.Kind.THREAD, 4712, 4711, "worker");

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    private static LatencySnapshot shop(Wait... waits) {
        LatencySnapshot figures = Figures.snapshot(Figures.SHOP.subList(0, 1));
        FunctionLatency basket = figures.functions().getFirst();
        CallFates fates = new CallFates(LostCalls.NONE, 0, 0, 0, 0, 0, 0, Optional.empty(), CallFates.Limits.UNKNOWN, false, 0,
                FailedCalls.NONE, new Waits(List.of(waits)));
        return new LatencySnapshot(figures.info(), List.of(new FunctionLatency(basket.function(), basket.calls(), 0, 0, Optional.of(fates),
                basket.distributions())), figures.losses(), figures.overhead(), List.of());
    }

    private static LatencySnapshot shop() {
        return shop(new Wait(Metric.BLOCK_IO, Waker.of(Waker.Kind.INTERRUPT), 0, "", 100_000, 50),
                new Wait(Metric.LOCK, WORKER, 0x4040, "cache_lock", 300_000_000, 20),
                new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0x7f00, "[heap]", 99_900_000, 3));
    }

    /** What the lines show. */
    private static List<List<String>> lines(WaitsView view) {
        return Ui.get(() -> {
            Table table = view.table();
            List<List<String>> lines = new ArrayList<>();
            for (int i = 0; i < table.getItemCount(); i++) {
                int line = i;
                lines.add(Arrays.stream(WaitColumn.values()).map(column -> table.getItem(line).getText(column.ordinal())).toList());
            }
            return lines;
        });
    }

    private static void click(WaitsView view, WaitColumn column) {
        Ui.run(() -> view.table().getColumn(column.ordinal()).notifyListeners(SWT.Selection, new Event()));
    }

    @Test
    void whatCallsWaitedForTheLongestIsOnTop() {
        WaitsView view = Ui.view(WaitsView.ID, WaitsView.class);
        Ui.show(shop());
        assertThat(Ui.get(view::message)).isEmpty();
        assertThat(lines(view)).containsExactly(
                List.of("lock", "75 %", "300 ms", "cache_lock", "thread 4712 (worker) of process 4711", "20", "15.0 ms"),
                List.of("lock", "25 %", "99.9 ms", "0x7f00 in [heap]", "a wake-up that was not seen", "3", "33.3 ms"),
                List.of("block I/O", "<1 %", "100 µs", "", "an interrupt or timer", "50", "2.00 µs"));
        click(view, WaitColumn.WAITS);
        assertThat(lines(view)).extracting(line -> line.get(WaitColumn.WAITS.ordinal())).containsExactly("50", "20", "3");
        click(view, WaitColumn.WAITS);
        assertThat(lines(view)).extracting(line -> line.get(WaitColumn.WAITS.ordinal())).containsExactly("3", "20", "50");
    }

    @Test
    void whatIsCopiedAreItsNumbers() {
        WaitsView view = Ui.view(WaitsView.ID, WaitsView.class);
        Ui.show(shop());
        assertThat(Ui.get(view::csv).split("\r\n")).contains("function,cause,lock_address,lock,waker,tid,pid,name,count,total_ns",
                "price_basket,lock,0x4040,cache_lock,thread,4712,4711,worker,20,300000000",
                "price_basket,block_io,,,interrupt,,,,50,100000").hasSize(4);
    }

    @Test
    void whereThereAreNoneTheViewSaysWhatToDo() {
        WaitsView view = Ui.view(WaitsView.ID, WaitsView.class);
        Ui.set(new SessionState.None());
        assertThat(Ui.get(view::message)).hasValueSatisfying(text -> assertThat(text).contains("Open a session"));
        Ui.show(shop(new Wait[0]));
        assertThat(Ui.get(view::message)).hasValueSatisfying(text -> assertThat(text).contains("No waits of price_basket", "--waits"));
        Ui.show(shop());
        assertThat(Ui.get(view::message)).isEmpty();
        assertThat(lines(view)).hasSize(3);
    }

    /** A program can choose its threads' names. */
    @Test
    void aNameIsOneLine() {
        WaitsView view = Ui.view(WaitsView.ID, WaitsView.class);
        Ui.show(shop(new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, 7, 7, "a\nb\u001b[31m"), 0, "", 5, 1)));
        assertThat(lines(view).getFirst().get(WaitColumn.WAKER.ordinal())).doesNotContain("\n", "\u001b").contains("thread 7");
    }
}
