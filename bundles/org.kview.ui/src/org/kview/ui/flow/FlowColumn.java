// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.Comparator;
import java.util.OptionalLong;

import org.kview.model.LatencyFormat;
import org.kview.ui.widgets.Column;

/** The columns of a call's tree, whose lines stay in the order of time. */
enum FlowColumn implements Column<FlowRow> {
    FUNCTION(Form.<FlowRow>words("Function", 520, row -> row.line().text())
            .tip("What the kernel called, in order; a line in brackets is a wait, in the function in which the thread was")),
    WALL(time("Wall", row -> OptionalLong.of(row.line().wallNanos())).tip("With what it called")),
    ON_CPU(time("On CPU", row -> row.line().onCpuNanos()).tip("With what it called, without waits")),
    SELF(time("Self", row -> row.line().selfNanos()).tip("Neither waiting nor in what it called"));

    static final int TIME_WIDTH = 90;

    private final Form<FlowRow> form;

    FlowColumn(Form<FlowRow> form) {
        this.form = form;
    }

    @Override
    public Form<FlowRow> form() {
        return form;
    }

    private static Form<FlowRow> time(String title, java.util.function.Function<FlowRow, OptionalLong> nanos) {
        return Form.number(title, TIME_WIDTH, row -> text(nanos.apply(row)),
                Comparator.comparingLong(row -> nanos.apply(row).orElse(-1)));
    }

    private static String text(OptionalLong nanos) {
        return nanos.isEmpty() ? "" : LatencyFormat.nanos(nanos.getAsLong());
    }
}
