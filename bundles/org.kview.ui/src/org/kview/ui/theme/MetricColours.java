// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.IEclipsePreferences.IPreferenceChangeListener;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.resource.StringConverter;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Control;
import org.kview.model.Metric;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;

/** The colours of metrics in the workbench's views: the standard ones, but those that the preferences say. Reports keep the standard. */
public final class MetricColours {
    private static final String PREFIX = "colour.";

    /** By ordinal, as they are read: views ask for them while they draw. */
    private static volatile int[] chosen = read();

    static {
        // Before any view's own listener, which then finds the new ones.
        preferences().addPreferenceChangeListener(event -> {
            if (event.getKey().startsWith(PREFIX)) {
                chosen = read();
            }
        });
    }

    private MetricColours() {
    }

    private static IEclipsePreferences preferences() {
        return InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
    }

    /** The preference of this metric's colour: "red,green,blue". */
    public static String key(Metric metric) {
        return PREFIX + metric.id();
    }

    private static int[] read() {
        return Stream.of(Metric.values()).mapToInt(metric -> read(preferences().get(key(metric), ""), metric.rgb())).toArray();
    }

    /** The colour that a preference says, or the other where it says none. */
    static int read(String text, int other) {
        try {
            RGB colour = StringConverter.asRGB(text);
            return colour.red << 16 | colour.green << 8 | colour.blue;
        } catch (IllegalArgumentException _) {
            return other;
        }
    }

    /** As 0xRRGGBB. */
    public static int rgb(Metric metric) {
        return chosen[metric.ordinal()];
    }

    public static RGB of(Metric metric) {
        return rgb(rgb(metric));
    }

    /** The colour that reports have. */
    public static RGB standard(Metric metric) {
        return rgb(metric.rgb());
    }

    private static RGB rgb(int colour) {
        return new RGB(colour >> 16 & 0xff, colour >> 8 & 0xff, colour & 0xff);
    }

    /** Draws anew whenever others are chosen, once for all that are chosen together, for as long as the control is there. */
    public static void follow(Control control, Runnable draw) {
        AtomicBoolean due = new AtomicBoolean();
        IPreferenceChangeListener listener = event -> {
            if (event.getKey().startsWith(PREFIX) && !due.getAndSet(true)) {
                UiThread.later(control.getDisplay(), () -> {
                    due.set(false);
                    if (!control.isDisposed()) {
                        draw.run();
                    }
                });
            }
        };
        preferences().addPreferenceChangeListener(listener);
        control.addDisposeListener(_ -> preferences().removePreferenceChangeListener(listener));
    }
}
