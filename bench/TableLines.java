// SPDX-License-Identifier: EPL-2.0
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.kview.ui.widgets.TableRows;

/** What a table of changing figures takes of the UI thread, plain and as the workbench's are. Run by bench/table-lines. */
final class TableLines {
    private static final int COLUMNS = 17;
    private static final int ROUNDS = 5;

    private TableLines() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        Display display = new Display();
        System.out.printf("%-10s %22s %22s %8s%n", "lines", "all filled", "those in sight", "ratio");
        for (int lines : new int[] {30, 300, 1000, 20_000}) {
            double plain = lines > 1000 ? Double.NaN : measure(display, lines, false);
            double rows = measure(display, lines, true);
            System.out.printf("%-10d %22s %19.1f ms %8s%n", lines, Double.isNaN(plain) ? "not measured"
                    : String.format("%.1f ms", plain), rows, Double.isNaN(plain) ? "" : String.format("%.1f", plain / rows));
        }
        display.dispose();
    }

    /** Median CPU time of the thread for a change of every text, until there is nothing left to do. */
    private static double measure(Display display, int count, boolean inSight) throws InterruptedException {
        Shell shell = new Shell(display);
        shell.setLayout(new FillLayout());
        shell.setSize(1400, 700);
        Table table = new Table(shell, SWT.MULTI | SWT.FULL_SELECTION | (inSight ? SWT.VIRTUAL : SWT.NONE));
        table.setHeaderVisible(true);
        for (int i = 0; i < COLUMNS; i++) {
            new TableColumn(table, i == 0 ? SWT.LEFT : SWT.RIGHT).setWidth(80);
        }
        table.addListener(SWT.PaintItem, _ -> { });
        Consumer<List<String[]>> show = inSight ? new TableRows<String[]>(table, TableItem::setText)::show
                : rows -> fill(table, rows);
        shell.open();
        double[] millis = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            String text = round + ".";
            List<String[]> rows = IntStream.range(0, count).mapToObj(i -> texts(text + i)).toList();
            settle(display);
            long before = cpuNanos();
            show.accept(rows);
            settle(display);
            if (round >= 0) {
                millis[round] = (cpuNanos() - before) / 1e6;
            }
        }
        shell.dispose();
        settle(display);
        Arrays.sort(millis);
        return millis[ROUNDS / 2];
    }

    private static void fill(Table table, List<String[]> rows) {
        table.setRedraw(false);
        for (int i = 0; i < rows.size(); i++) {
            (i < table.getItemCount() ? table.getItem(i) : new TableItem(table, SWT.NONE)).setText(rows.get(i));
        }
        table.setRedraw(true);
    }

    private static String[] texts(String text) {
        String[] texts = new String[COLUMNS];
        Arrays.setAll(texts, i -> text + "." + i);
        return texts;
    }

    /** GTK measures and paints when it has nothing else to do. */
    private static void settle(Display display) throws InterruptedException {
        for (int idle = 0; idle < 10; idle++) {
            while (display.readAndDispatch()) {
                idle = 0;
            }
            Thread.sleep(5);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
