// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.kview.cli.console.Console;
import org.kview.cli.recording.RecordingSettings;
import org.kview.cli.recording.RecordingTeller;
import org.kview.model.LatencySnapshot;
import org.kview.recording.CostForecast;
import org.kview.recording.RecordingObserver;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LinkStatus;

/**
 * Prints messages about one of many recordings of the same program. What is the same for all of them is printed for the
 * first one only. What the program prints is no part of the result. It goes to standard error if it is asked for; otherwise
 * its end is kept.
 */
final class TurnTeller implements RecordingObserver {
    private static final int KEPT_BYTES = 2000;

    private final RecordingTeller teller;
    private final Console console;
    private final boolean first;
    private final boolean showOutput;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** @param first whether it is the first recording of its program */
    TurnTeller(Console console, RecordingSettings settings, boolean first, boolean showOutput) {
        this.console = console;
        this.first = first;
        this.showOutput = showOutput;
        teller = new RecordingTeller(console, settings.budget(), false);
    }

    @Override
    public void step(Step step) {
        teller.step(step);
    }

    @Override
    public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
        if (first) {
            teller.found(functions, skipped, unmatched);
        }
    }

    @Override
    public void awaits(List<String> files) {
        if (first) {
            teller.awaits(files);
        }
    }

    @Override
    public void tried(Optional<CostForecast> forecast, String failure) {
        teller.tried(forecast, failure);
    }

    @Override
    public void started(LatencySnapshot empty) {
        if (first) {
            teller.started(empty);
        }
    }

    @Override
    public void snapshot(LatencySnapshot figures) {
        teller.snapshot(figures);
    }

    @Override
    public void link(LinkStatus status) {
        teller.link(status);
    }

    @Override
    public synchronized void output(boolean errorStream, byte[] bytes) {
        if (showOutput) {
            console.pass(true, bytes);
            return;
        }
        printed.writeBytes(bytes);
        if (printed.size() > 2 * KEPT_BYTES) {
            byte[] end = end();
            printed.reset();
            printed.writeBytes(end);
        }
    }

    private byte[] end() {
        byte[] all = printed.toByteArray();
        return Arrays.copyOfRange(all, Math.max(0, all.length - KEPT_BYTES), all.length);
    }

    /** The last lines that the program printed and that were not shown. */
    synchronized List<String> lastLines(int most) {
        List<String> lines = new String(end(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).toList();
        return lines.subList(Math.max(0, lines.size() - most), lines.size());
    }
}
