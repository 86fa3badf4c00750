// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LinkStatus;

/** Shows the recordings on several hosts to an observer as one. */
final class MergingObserver {
    private final RecordingObserver observer;
    /** The latest of each host; null before its first. */
    private final LatencySnapshot[] latest;
    private boolean started;

    MergingObserver(RecordingObserver observer, int hosts) {
        this.observer = observer;
        this.latest = new LatencySnapshot[hosts];
    }

    private synchronized void figures(int host, LatencySnapshot figures) {
        latest[host] = figures;
        List<LatencySnapshot> known = new ArrayList<>(Stream.of(latest).filter(Objects::nonNull).toList());
        if (known.size() < latest.length) {
            return; // Some hosts' first snapshots are still to come.
        }
        LatencySnapshot merged = MergedHosts.of(known);
        if (started) {
            observer.snapshot(merged);
        } else {
            started = true;
            observer.started(merged);
        }
    }

    RecordingObserver ofHost(int host) {
        return new RecordingObserver() {
            @Override
            public void step(Step step) {
                synchronized (MergingObserver.this) {
                    observer.step(step);
                }
            }

            @Override
            public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
                synchronized (MergingObserver.this) {
                    observer.found(functions, skipped, unmatched);
                }
            }

            @Override
            public void awaits(List<String> files) {
                synchronized (MergingObserver.this) {
                    observer.awaits(files);
                }
            }

            @Override
            public void tried(Optional<CostForecast> forecast, String failure) {
                synchronized (MergingObserver.this) {
                    observer.tried(forecast, failure);
                }
            }

            @Override
            public void chosen(SurveyChoice choice) {
                synchronized (MergingObserver.this) {
                    observer.chosen(choice);
                }
            }

            @Override
            public void started(LatencySnapshot empty) {
                figures(host, empty);
            }

            @Override
            public void snapshot(LatencySnapshot figures) {
                figures(host, figures);
            }

            @Override
            public void link(LinkStatus status) {
                synchronized (MergingObserver.this) {
                    observer.link(status);
                }
            }

            @Override
            public void output(boolean errorStream, byte[] bytes) {
                synchronized (MergingObserver.this) {
                    observer.output(errorStream, bytes);
                }
            }
        };
    }
}
