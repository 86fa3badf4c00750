// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import java.util.Arrays;

import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.IEclipsePreferences.IPreferenceChangeListener;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.widgets.Control;
import org.kview.model.LatencyFormat;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;

/** Times in the columns of tables, in the unit that the preferences say: in one unit, a column can be compared at a glance. */
public final class TableTimes {
    /** The preference. */
    public static final String KEY = "tables.times";

    private static final double TENTH_OF_A_MICRO = 100;

    /** In which unit they are. */
    public enum Unit {
        FITTING("The unit that fits each time", "", ""),
        MICROS("µs, with a tenth", "µs", "999,999,999.9"),
        NANOS("ns", "ns", "999,999,999,999");

        private final String label;
        private final String sign;
        private final String longest;

        Unit(String label, String sign, String longest) {
            this.label = label;
            this.sign = sign;
            this.longest = longest;
        }

        public String label() {
            return label;
        }

        /** Behind the title of a column of times; the cells have it themselves where each has another. */
        public String head(String title) {
            return sign.isEmpty() ? title : title + " " + sign;
        }

        /** A quarter of an hour: what a column of times has room for. Empty where any column has. */
        public String longest() {
            return longest;
        }
    }

    private TableTimes() {
    }

    private static IEclipsePreferences preferences() {
        return InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
    }

    /** The unit that is chosen now. */
    public static Unit unit() {
        String chosen = preferences().get(KEY, Unit.FITTING.name());
        return Arrays.stream(Unit.values()).filter(unit -> unit.name().equals(chosen)).findFirst().orElse(Unit.FITTING);
    }

    /** A cell: "1.93 ms", or "1,931.2" or "1,931,204" below a head with the unit. */
    public static String text(double nanos) {
        return text(nanos, unit());
    }

    static String text(double nanos, Unit unit) {
        return switch (unit) {
            case FITTING -> LatencyFormat.nanos(nanos);
            case NANOS -> LatencyFormat.count(Math.round(nanos));
            case MICROS -> {
                long tenths = Math.round(nanos / TENTH_OF_A_MICRO);
                yield tenths == 0 && nanos > 0 ? "<0.1" : LatencyFormat.count(tenths / 10) + "." + tenths % 10;
            }
        };
    }

    /** Writes a table's cells anew whenever another unit is chosen, for as long as the table is there. */
    public static void follow(Control table, Runnable refill) {
        IPreferenceChangeListener listener = event -> {
            if (event.getKey().equals(KEY)) {
                UiThread.later(table.getDisplay(), () -> {
                    if (!table.isDisposed()) {
                        refill.run();
                    }
                });
            }
        };
        preferences().addPreferenceChangeListener(listener);
        table.addDisposeListener(_ -> preferences().removePreferenceChangeListener(listener));
    }
}
