// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.targets.values.LinkState;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionState;
import org.kview.ui.text.Counts;

/** The texts of the window's title and status line about a session. */
final class WindowText {
    static final String PRODUCT = "Kview Workbench";

    private static final DateTimeFormatter START = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    /** Of more the line tells the first ones. */
    private static final int MOST_PIDS = 5;

    private WindowText() {
    }

    static String title(SessionState state) {
        return switch (state) {
            case SessionState.Recording(Path session, var _, var _, var _) -> "Recording " + name(session) + " – " + PRODUCT;
            case SessionState.Opened(Path session, var _) -> name(session) + " – " + PRODUCT;
            default -> PRODUCT;
        };
    }

    private static String name(Path session) {
        return SessionController.name(session);
    }

    /** What, where, when, how long, how, and what was lost; empty where nothing is shown. */
    static String status(SessionState state) {
        return switch (state) {
            case SessionState.Recording(var _, var figures, var link, var share) -> status(figures, recording(link), share);
            default -> state.snapshot().map(figures -> status(figures, "", figures.overhead().process())).orElse("");
        };
    }

    /** What is going on now. If the link is lost, the recording goes on at the host. */
    private static String recording(LinkState link) {
        return switch (link) {
            case CONNECTED, RESUMED -> "recording, ";
            case STALLED -> "recording, no answer for a while, ";
            case LOST, RECONNECTING -> "link lost, recording goes on there, ";
            case GONE -> "link lost, ";
        };
    }

    /**
     * @param live  what goes on now; empty where the recording has ended
     * @param share of the latest interval where it goes on, as in the job's line; else of the recording
     */
    private static String status(LatencySnapshot figures, String live, ProcessShare share) {
        SessionInfo info = figures.info();
        return String.join("  ·  ", info.programName() + numbers(info) + " on " + info.host(),
                !live.isEmpty() ? live + seconds(info.duration())
                        : START.format(info.start().atZone(ZoneId.systemDefault())) + ", "
                                + seconds(info.duration()),
                "filter " + info.filter() + share(share), losses(figures));
    }

    /** Empty where none is known, as of several hosts. */
    private static String numbers(SessionInfo info) {
        return info.pids().isEmpty() ? "" : " (" + info.pidsText(MOST_PIDS) + ")";
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    /** What the probes take of the process, where the agent counts it. */
    private static String share(ProcessShare share) {
        return share.share().isEmpty() ? "" : String.format(Locale.ROOT,
                "  ·  probes %.1f %% of its CPU time", share.share().getAsDouble() * 100);
    }

    private static String losses(LatencySnapshot figures) {
        Losses losses = figures.losses();
        long calls = Math.max(losses.missedReturns() + losses.depthOverflows() + losses.untrackedThreads(),
                figures.functions().stream().mapToLong(f -> f.knownFates().lost().total()).sum());
        String events = Counts.format(losses.eventsDropped(), "event", "events") + " lost";
        return calls == 0 ? events : events + ", " + Counts.format(calls, "call", "calls") + " not timed";
    }
}
