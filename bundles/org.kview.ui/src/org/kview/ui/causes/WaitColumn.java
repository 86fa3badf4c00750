// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.Comparator;
import java.util.OptionalDouble;

import org.kview.model.LatencyFormat;
import org.kview.ui.widgets.Column;

/** The columns of the list of waits. */
enum WaitColumn implements Column<WaitRow> {
    CAUSE(Form.words("Cause", 84, row -> row.waited().cause().label())),
    SHARE(Form.<WaitRow>number("Of waits", 68, row -> LatencyFormat.percent(row.share()), Comparator.comparingLong(row -> row.waited().nanos()))
            .tip("Of the time of all waits that are told of this function")),
    TIME(Form.<WaitRow>time("Time", 70, row -> OptionalDouble.of(row.waited().nanos()), "")
            .tip("From when the threads left their CPUs until they were woken, of all threads together")),
    LOCK(Form.words("Lock", 110, WaitRow::lock).tip("What lies where the thread waited; of locks alone, where that is known")),
    HOLDER(Form.words("Held by", 200, WaitRow::holder).tip("The thread that held the lock as the waits began, and the measured function that it was in; of kinds of"
            + " locks that tell it")),
    PROGRAM(Form.words("In the program", 200, WaitRow::program).tip("The functions that had called each other, the innermost first, up to the outermost measured"
            + " one; the copy as CSV has all of them")),
    CALL(Form.words("System call", 210, WaitRow::call).tip("In which the threads waited, and the file, pipe or socket that its descriptor was open for")),
    PLACE(Form.words("In the kernel", 130, WaitRow::place).tip("The function of the kernel in which the threads waited, where that is known; the copy as"
            + " CSV has the whole stack")),
    WAKER(Form.words("Woken by", 230, WaitRow::waker).tip("Who ended the waits: rarely the one that held something from their beginning on")),
    WAITS(Form.<WaitRow>number("Waits", 66, row -> LatencyFormat.count(row.waited().count()), Comparator.comparingLong(row -> row.waited().count()))
            .tip("How many; a call may wait several times")),
    MEAN(Form.<WaitRow>time("Mean", 72, row -> OptionalDouble.of(row.meanNanos()), "")
            .tip("Of one wait"));

    private final Form<WaitRow> form;

    WaitColumn(Form<WaitRow> form) {
        this.form = form;
    }

    @Override
    public Form<WaitRow> form() {
        return form;
    }
}
