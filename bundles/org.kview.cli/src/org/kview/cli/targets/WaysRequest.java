// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.kview.cli.console.Console;
import org.kview.cli.console.Signals;
import org.kview.model.ComparedWays;
import org.kview.recording.WaysComparison;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/** Compares ways to record, until a signal ends it. */
final class WaysRequest {
    private WaysRequest() {
    }

    /** @return empty if a signal ended it, which it does also while the host is silent */
    static Optional<ComparedWays> of(Agent agent, String host, Set<ComparedWays.Kind> kinds, Console console)
            throws TargetException, InterruptedException {
        Thread self = Thread.currentThread();
        AtomicBoolean ended = new AtomicBoolean();
        try (Signals _ = new Signals(() -> {
            ended.set(true);
            self.interrupt();
        })) {
            return WaysComparison.run(agent, host, kinds, (kind, done, trials) -> {
                console.progress("measuring what ways to record cost: " + kind.label() + ", " + (done + 1) + " of " + trials + " ...");
                return !ended.get();
            });
        } catch (InterruptedException e) {
            if (!ended.get()) {
                throw e;
            }
            return Optional.empty();
        } finally {
            if (ended.get()) {
                // The agent is still to be told that it is over.
                Thread.interrupted();
            }
        }
    }
}
