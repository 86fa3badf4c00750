/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.ui.Figures;

class SessionServiceTest {
    private static final Path SESSION = Path.of("/tmp/x.kview");

    private final List<Runnable> queue = new ArrayList<>();
    private final List<Integer> delays = new ArrayList<>();
    private final SessionService service = new SessionService((millis, work) -> {
        delays.add(millis);
        queue.add(work);
    });
    private final List<SessionState> told = new ArrayList<>();

    private void runQueue() {
        List<Runnable> due = new ArrayList<>(queue);
        queue.clear();
        due.forEach(Runnable::run);
    }

    private static SessionState live(long lost) {
        LatencySnapshot figures = Figures.snapshot(List.of(), new Losses(lost, 0, 0, 0, 0), List.of());
        return new SessionState.Recording(SESSION, figures);
    }

    @Test
    void liveFiguresAreToldAtMostFourTimesASecondAndTheLastAlways() {
        service.add(told::add);
        service.set(live(0));
        runQueue();
        for (int i = 1; i <= 100; i++) {
            service.set(live(i));
        }
        assertThat(queue).hasSize(1);
        assertThat(delays).last().satisfies(millis -> assertThat(millis).isBetween(100, 250));
        runQueue();
        assertThat(told).containsExactly(live(0), live(100));
    }

    @Test
    void everythingElseIsToldAtOnce() {
        service.add(told::add);
        service.set(live(0));
        runQueue();
        service.set(new SessionState.None());
        assertThat(delays).last().isEqualTo(0);
        runQueue();
        assertThat(told).last().isEqualTo(new SessionState.None());
    }

    @Test
    void whoWasRemovedHearsNothing() {
        SessionListener listener = told::add;
        service.add(listener);
        service.set(new SessionState.None());
        service.remove(listener);
        runQueue();
        assertThat(told).isEmpty();
    }
}
