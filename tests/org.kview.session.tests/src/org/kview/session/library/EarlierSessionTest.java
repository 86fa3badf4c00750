// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.SessionInfo;
import org.kview.model.SessionNotes;
import org.kview.session.read.SessionSummary;
import org.kview.testing.Recorded;

class EarlierSessionTest {
    private static SessionSummary session(String name, String target, String command, String start, boolean live, String... functions) {
        SessionInfo info = Recorded.info(target, "web-3", "6.18.0", 4711, command, "in", "", Instant.parse(start), Duration.ofSeconds(1),
                SessionInfo.State.STOPPED, "");
        return new SessionSummary(Path.of("/s", name), false, Optional.of(info), List.of(functions), 1, false, live, SessionNotes.NONE,
                List.of());
    }

    private static final SessionSummary OWN = session("own", "local", "/usr/bin/shop --port 80", "2026-11-20T14:00:00Z", false, "f", "g");

    @Test
    void itIsTheLastOneBeforeOfTheSameProgramOnTheSameTarget() {
        List<SessionSummary> all = List.of(OWN, session("older", "local", "/opt/shop", "2026-11-18T14:00:00Z", false, "f"),
                session("old", "local", "/opt/shop --port 81", "2026-11-19T14:00:00Z", false, "g", "h"),
                session("later", "local", "/opt/shop", "2026-11-21T14:00:00Z", false, "f"),
                session("elsewhere", "web", "/opt/shop", "2026-11-20T13:00:00Z", false, "f"),
                session("another", "local", "/opt/bank", "2026-11-20T13:00:00Z", false, "f"),
                session("others", "local", "/opt/shop", "2026-11-20T13:00:00Z", false, "other"),
                session("running", "local", "/opt/shop", "2026-11-20T13:00:00Z", true, "f"));
        assertThat(EarlierSession.before(OWN, all)).contains(Path.of("/s/old"));
        assertThat(EarlierSession.before(OWN, all.subList(3, all.size()))).isEmpty();
    }

    @Test
    void whatCantBeReadIsPassedOver() {
        SessionSummary damaged = new SessionSummary(Path.of("/s/damaged"), false, OWN.info(), List.of("f"), 1, false, false,
                SessionNotes.NONE, List.of("It is damaged."));
        SessionSummary unknown = new SessionSummary(Path.of("/s/unknown"), false, Optional.empty(), List.of("f"), 1, false, false,
                SessionNotes.NONE, List.of());
        assertThat(EarlierSession.before(OWN, List.of(damaged, unknown))).isEmpty();
        assertThat(EarlierSession.before(unknown, List.of(OWN))).isEmpty();
    }
}
