// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

/** Ids of what this bundle contributes, as in its {@code plugin.xml}. */
public final class KviewUi {
    public static final String BUNDLE_ID = "org.kview.ui";

    public static final String PERSPECTIVE_LATENCY = "org.kview.ui.perspective.latency";

    public static final String PREFERENCES = "org.kview.ui.preferences";
    public static final String PREFERENCES_COLOURS = "org.kview.ui.preferences.colours";

    public static final String VIEW_FUNCTIONS = "org.kview.ui.view.functions";
    public static final String VIEW_DISTRIBUTION = "org.kview.ui.view.distribution";
    public static final String VIEW_LATENCY = "org.kview.ui.view.latency";
    public static final String VIEW_CALLS = "org.kview.ui.view.calls";
    public static final String VIEW_TIMELINE = "org.kview.ui.view.timeline";
    public static final String VIEW_WHY = "org.kview.ui.view.why";
    public static final String VIEW_NOTES = "org.kview.ui.view.notes";
    public static final String VIEW_SESSIONS = "org.kview.ui.view.sessions";
    public static final String VIEW_CAUSES = "org.kview.ui.view.causes";
    public static final String VIEW_WAITS = "org.kview.ui.view.waits";
    public static final String VIEW_COST = "org.kview.ui.view.cost";
    public static final String VIEW_COMPARE = "org.kview.ui.view.compare";

    public static final String VIEW_TARGETS = "org.kview.ui.view.targets";
    public static final String VIEW_PROCESSES = "org.kview.ui.view.processes";
    public static final String VIEW_KERNEL_VIEWS = "org.kview.ui.view.kernelViews";
    public static final String VIEW_FLOW = "org.kview.ui.view.flow";

    /** Trace Compass's histogram of events over time. */
    public static final String VIEW_TRACE_HISTOGRAM = "org.eclipse.linuxtools.tmf.ui.views.histogram";

    public static final String COMMAND_RECORD = "org.kview.ui.command.record";
    public static final String COMMAND_STOP = "org.kview.ui.command.stop";
    public static final String COMMAND_OPEN = "org.kview.ui.command.open";
    public static final String COMMAND_OPEN_TRACE = "org.kview.ui.command.openTrace";
    /** A parameter of that command: the folder. Without it, a dialog asks. */
    public static final String PARAMETER_FOLDER = "folder";
    public static final String COMMAND_OPEN_SAMPLE = "org.kview.ui.command.openSample";
    public static final String COMMAND_CONNECT = "org.kview.ui.command.connect";
    public static final String COMMAND_CLOSE = "org.kview.ui.command.close";
    public static final String COMMAND_BOOKMARK = "org.kview.ui.command.bookmark";
    public static final String COMMAND_COMPARE = "org.kview.ui.command.compare";
    public static final String COMMAND_RECORD_AGAIN = "org.kview.ui.command.recordAgain";
    public static final String COMMAND_COMPARE_PREVIOUS = "org.kview.ui.command.comparePrevious";
    public static final String COMMAND_HELP = "org.kview.ui.command.help";
    /** A parameter of the help command: the heading of what is to be shown. Without it, the active view is explained. */
    public static final String PARAMETER_SECTION = "section";
    public static final String COMMAND_EXPORT_HTML = "org.kview.ui.command.exportHtml";

    private KviewUi() {
    }
}
