// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.MergedHosts;
import org.kview.targets.values.LinkState;
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
        long begin = System.nanoTime();
        service.set(live(0));
        runQueue();
        for (int i = 1; i <= 100; i++) {
            service.set(live(i));
        }
        assertThat(queue).hasSize(1);
        int passed = (int) Duration.ofNanos(System.nanoTime() - begin).toMillis() + 1;
        assertThat(delays).last().satisfies(millis -> assertThat(millis).isBetween(250 - passed, 250));
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
    void ofARecordingAsideOnlyTheLinkIsTold() {
        SessionState other = new SessionState.Opened(Path.of("/tmp/other.kview"),
                Figures.snapshot(List.of(), new Losses(0, 0, 0, 0, 0), List.of()));
        service.setRecording(live(0));
        service.lookAside();
        service.set(other);
        runQueue();
        service.add(told::add);
        service.setRecording(live(1));
        runQueue();
        assertThat(told).isEmpty();
        service.setRecording(new SessionState.Recording(SESSION, live(1).snapshot().orElseThrow(), LinkState.LOST));
        runQueue();
        assertThat(told).containsExactly(other);
        assertThat(service.isAside()).isTrue();
        service.setRecording(live(2));
        service.lookBack();
        runQueue();
        assertThat(told).last().isEqualTo(live(2));
        assertThat(service.endRecording(new SessionState.None())).isFalse();
    }

    @Test
    void whatIsShownAsideStaysWhenTheRecordingEnds() {
        service.setRecording(live(0));
        service.lookAside();
        service.set(new SessionState.Failed("x"));
        assertThat(service.endRecording(new SessionState.None())).isTrue();
        service.lookAside();
        assertThat(service.isAside()).as("no recording runs").isFalse();
        assertThat(service.state()).isEqualTo(new SessionState.Failed("x"));
    }

    /** Its listeners would take a recording that has ended for one that runs. */
    @Test
    void whatIsShownWhenTheRecordingEndsIsToldAtOnce() {
        service.setRecording(live(0));
        runQueue();
        service.add(told::add);
        service.endRecording(new SessionState.Failed("x"));
        runQueue();
        assertThat(told).containsExactly(new SessionState.Failed("x"));
        assertThat(service.recording()).isEmpty();
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

    @Test
    void oneOfSeveralHostsIsShownAlone() {
        LatencySnapshot one = onHost("web-1", 1);
        LatencySnapshot other = onHost("web-2", 2);
        service.set(new SessionState.Opened(SESSION, MergedHosts.of(List.of(one, other))));
        assertThat(service.hosts()).containsExactly("web-1", "web-2");
        assertThat(service.state().snapshot().orElseThrow().losses().eventsDropped()).isEqualTo(3);
        service.showHost(Optional.of("web-2"));
        assertThat(service.state()).isEqualTo(new SessionState.Opened(SESSION, other));
        service.showHost(Optional.empty());
        assertThat(service.state().snapshot().orElseThrow().hosts()).hasSize(2);

        service.showHost(Optional.of("web-1"));
        service.set(live(0));
        assertThat(service.host()).as("another session has other hosts").isEmpty();
        assertThat(service.state()).isEqualTo(live(0));
    }

    private static LatencySnapshot onHost(String target, long lost) {
        return Figures.onHost(target, Figures.snapshot(List.of(), new Losses(lost, 0, 0, 0, 0), List.of()));
    }

    @Test
    void whatIsMadeOfASessionGoesBesideIt() {
        assertThat(new SessionState.Opened(Path.of("/a/b.kview"), Figures.snapshot(Figures.SHOP)).folder()).contains(Path.of("/a"));
        assertThat(new SessionState.None().folder()).isEmpty();
    }
}
