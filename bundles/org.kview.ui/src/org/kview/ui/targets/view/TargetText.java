// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.LatencyFormat;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetConnection.Origin;
import org.kview.targets.registry.TargetStatus;
import org.kview.targets.values.HostInfo;
import org.kview.ui.text.Sentence;

/** Texts about targets. */
final class TargetText {
    private TargetText() {
    }

    /** A line of the details. */
    record Line(Kind kind, String text) {
        /** How it looks. */
        enum Kind {
            HEADING, PLAIN, GOOD, BAD, FAINT
        }
    }

    static String name(TargetConnection connection) {
        return connection.origin() == Origin.LOCAL ? "This machine" : connection.name();
    }

    /** "connected · 0.3 ms · 6.18.5"; empty where nothing is to be said. */
    static String state(TargetStatus status) {
        List<String> parts = new ArrayList<>();
        switch (status.state()) {
            case IDLE -> {
                // The usual state needs no text.
            }
            case CONNECTING -> parts.add("connecting…");
            case CONNECTED -> {
                parts.add("connected");
                status.roundTrip().ifPresent(time -> parts.add(latency(time)));
                status.host().ifPresent(host -> parts.add(host.kernel().replaceFirst("[-+].*", "")));
            }
            case LOST -> parts.add("lost");
            case RECONNECTING -> parts.add("lost, reconnecting…");
            case FAILED -> parts.add("failed");
        }
        return String.join(" · ", parts);
    }

    /** Round trips say little below 0.01 ms, and are never above some seconds. */
    static String latency(Duration roundTrip) {
        return LatencyFormat.nanos(roundTrip.toNanos());
    }

    /** Everything that is known of a target. */
    static List<Line> details(TargetConnection connection) {
        TargetStatus status = connection.status();
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(Line.Kind.HEADING, name(connection)));
        lines.add(new Line(Line.Kind.FAINT, origin(connection)));
        if (!status.sentence().isEmpty()) {
            lines.add(new Line(Line.Kind.BAD, Sentence.of(status.sentence())));
        }
        boolean up = status.state().isUp();
        for (String recording : status.recordings()) {
            lines.add(new Line(Line.Kind.PLAIN, "Recording " + recording + (up ? "" : ", over a link of its own")));
        }
        Optional<HostInfo> host = status.host();
        if (host.isEmpty()) {
            lines.add(new Line(Line.Kind.PLAIN, status.state() == TargetStatus.State.CONNECTING ? "Connecting…"
                    : "Connect to see what it can do, and its processes."));
            return lines;
        }
        lines.add(new Line(Line.Kind.PLAIN, (up ? "Connected" : "Not connected; when it was:")
                + (up && status.roundTrip().isPresent() ? ", " + latency(status.roundTrip().get()) + " there and back" : "")));
        describe(host.get(), lines);
        return lines;
    }

    private static void describe(HostInfo host, List<Line> lines) {
        lines.add(new Line(Line.Kind.PLAIN, host.hostname() + ", Linux " + host.kernel() + ", " + host.machine() + ", "
                + org.kview.ui.text.Counts.format(host.cpus(), "CPU", "CPUs")));
        lines.add(new Line(Line.Kind.PLAIN, "Agent " + host.agentVersion() + (host.uid() == 0 ? ", as root"
                : ", as user " + host.uid())));
        lines.add(host.canRecord() ? new Line(Line.Kind.GOOD, "Functions can be recorded.")
                : new Line(Line.Kind.BAD, "Functions can't be recorded: what is required and missing is marked."));
        lines.add(new Line(Line.Kind.HEADING, "What it can do"));
        for (HostInfo.Capability capability : host.capabilities()) {
            Line.Kind kind = capability.available() ? Line.Kind.GOOD
                    : capability.required() ? Line.Kind.BAD : Line.Kind.FAINT;
            String mark = capability.available() ? "✓ " : capability.required() ? "✗ " : "– ";
            lines.add(new Line(kind, mark + capability.name() + ": " + capability.detail()));
        }
    }

    private static String origin(TargetConnection connection) {
        return switch (connection.origin()) {
            case LOCAL -> "Target " + LocalTarget.NAME;
            case SSH_CONFIG -> "Of your SSH configuration";
            case ADDED -> "Added by you";
        };
    }
}
