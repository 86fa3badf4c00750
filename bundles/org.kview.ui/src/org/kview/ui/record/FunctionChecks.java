// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SafeText;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.TableRows;

/** Functions with boxes to tick. Those that can't be probed stand there greyed, with the reason. */
final class FunctionChecks {
    private static final List<Heading> HEADINGS = List.of(Heading.text("Function", 290), Heading.number("Size", 80),
            Heading.number("Cost per call", 112), Heading.text("How it is probed", 420), Heading.number("Share", 70),
            Heading.number("Probes", 70), Heading.text("Where its time goes", 260));
    /** What a survey says stands in front. */
    private static final int[] ORDER = {0, 4, 5, 6, 1, 2, 3};
    private static final int FIRST_OF_SURVEY = 4;

    private final Table table;
    private final TableRows<Line> lines;
    private final FunctionChoice choice;
    private final Runnable changed;
    private List<FunctionInfo> functions = List.of();
    private Optional<Suggestions> suggestions = Optional.empty();

    /** A function, whether its box is ticked, and what a survey says of it. */
    private record Line(FunctionInfo function, boolean ticked, Optional<Suggestions.Suggestion> suggestion) {
    }

    FunctionChecks(Composite parent, FunctionChoice choice, Runnable changed) {
        this.choice = choice;
        this.changed = changed;
        table = new Table(parent, SWT.BORDER | SWT.VIRTUAL | SWT.CHECK | SWT.MULTI | SWT.FULL_SELECTION);
        lines = new TableRows<>(table, this::fill).searchedBy(line -> line.function().name());
        Heading.show(table, HEADINGS);
        table.setColumnOrder(ORDER);
        table.getColumn(FIRST_OF_SURVEY).setToolTipText("Of the time of all threads, with what it called");
        table.getColumn(FIRST_OF_SURVEY + 1).setToolTipText("What its probes take of the process's CPU time, by a trial of a second");
        showColumns();
        table.addListener(SWT.Selection, event -> {
            if (event.detail == SWT.CHECK) {
                ticked(event);
            }
        });
    }

    Table control() {
        return table;
    }

    /** Shows what a survey says of the functions, or nothing of that. */
    void suggest(Optional<Suggestions> latest) {
        suggestions = latest;
        showColumns();
        showLines();
    }

    private void showColumns() {
        for (int i = FIRST_OF_SURVEY; i < HEADINGS.size(); i++) {
            table.getColumn(i).setWidth(suggestions.isPresent() ? HEADINGS.get(i).width() : 0);
            table.getColumn(i).setResizable(suggestions.isPresent());
        }
    }

    void show(List<FunctionInfo> next) {
        functions = List.copyOf(next);
        showLines();
    }

    private void showLines() {
        lines.show(functions.stream().map(function -> new Line(function, choice.contains(function),
                suggestions.flatMap(latest -> latest.of(function)))).toList());
    }

    private void fill(TableItem item, Line line) {
        FunctionInfo function = line.function();
        item.setChecked(line.ticked());
        String size = function.point().sizeBytes() == 0 ? "" : LatencyFormat.count(function.point().sizeBytes()) + " B";
        String cost = function.probeable() && function.price().nanos() > 0
                ? "+" + LatencyFormat.nanos(function.price().nanos()) : "";
        Optional<Suggestions.Suggestion> said = line.suggestion();
        item.setText(SafeText.cells(new String[] {function.name(), size, cost, note(function, said),
            said.map(Suggestions.Suggestion::share).orElse(""), said.map(Suggestions.Suggestion::cost).orElse(""),
            said.map(Suggestions.Suggestion::causes).orElse("")}));
        Palette palette = Palette.of(table);
        Color colour = !function.probeable() ? palette.faint() : FunctionChoice.isExpensive(function) ? palette.warning()
                : palette.text();
        item.setForeground(colour);
    }

    private static String note(FunctionInfo function, Optional<Suggestions.Suggestion> suggestion) {
        String why = suggestion.map(Suggestions.Suggestion::why).orElse("");
        return why.isEmpty() ? note(function) : "⚠ left out: " + why;
    }

    private static String note(FunctionInfo function) {
        if (!function.probeable()) {
            return "can't be probed: " + function.reason();
        }
        if (!(function.point() instanceof ProbePoint.UserFunction)) {
            return "in the kernel";
        }
        String exits = switch (function.ends().kind()) {
            case URETPROBE -> "entry and return address";
            case RETURN_SITES -> switch (function.ends().sites()) {
                case 0 -> "entry alone: it never returns";
                case 1 -> "entry and its one return";
                default -> "entry and each of its " + function.ends().sites() + " returns";
            };
            case UNKNOWN -> "entry";
        };
        boolean expensive = FunctionChoice.isExpensive(function);
        return (expensive ? "⚠ single-stepped, expensive: " : "") + exits
                + (function.ends().kind() == ExitKind.RETURN_SITES && function.ends().sites() > 0 ? ", safe with exceptions" : "");
    }

    private void ticked(Event event) {
        TableItem item = (TableItem) event.item;
        int index = table.indexOf(item);
        if (index >= 0 && index < functions.size()) {
            setChecked(index, item.getChecked());
        }
    }

    /** As a click on a line's box does. */
    void setChecked(int index, boolean checked) {
        FunctionInfo function = functions.get(index);
        choice.set(function, checked);
        showLines();
        table.getItem(index).setChecked(choice.contains(function));
        changed.run();
    }

    /** Ticks all that are shown and can be probed, or takes their ticks away. */
    void setAllChecked(boolean checked) {
        functions.forEach(function -> choice.set(function, checked));
        showLines();
        changed.run();
    }

    /** Whether some that are shown can be ticked. */
    boolean isAnyProbeable() {
        return functions.stream().anyMatch(FunctionInfo::probeable);
    }

    /** Whether all that are shown and can be ticked are. */
    boolean isAllChecked() {
        return isAnyProbeable() && functions.stream().filter(FunctionInfo::probeable).allMatch(choice::contains);
    }

    List<FunctionInfo> functions() {
        return functions;
    }
}
