// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** Whose interpreter is the same may be any program; and options of the interpreter make no other. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {
        "python3 a.py,                                 python3 b.py,                                false",
        "/usr/bin/python3 /srv/1/a.py --port 1,        python3 -W ignore -u /srv/2/a.py,             true",
        "python3.11 -m shop.web,                       python3.11 -m shop.jobs,                     false",
        "python3 -c import a,                          python3 -c import b,                         false",
        "java -Xmx1g -cp a.jar:b.jar org.shop.Main,    java -Xmx2g -classpath c.jar org.shop.Main,   true",
        "java -cp all.jar org.shop.Main,               java -cp all.jar org.shop.Jobs,              false",
        "java -jar /opt/shop.jar --port 80,            java -XX:+UseZGC -jar /srv/shop.jar,          true",
        "java -jar shop.jar,                           java -jar bank.jar,                          false",
        "node --require ./a.js server.js,              node server.js,                               true",
        "node server.js,                               node jobs.js,                                false",
        "sh -c ./a,                                    sh -c ./b,                                   false",
        "python3,                                      python3 -i,                                   true",
        "javac -cp a.jar A.java,                       javac B.java,                                 true"})
    void ofAnInterpreterItIsTheSameProgramThatItRuns(String before, String own, boolean same) {
        SessionSummary earlier = session("earlier", "local", before, "2026-11-19T14:00:00Z", false, "f");
        assertThat(EarlierSession.before(session("own", "local", own, "2026-11-20T14:00:00Z", false, "f"), List.of(earlier)).isPresent())
                .isEqualTo(same);
    }

    @Test
    void whatIsLookedForIsNamed() {
        assertThat(EarlierSession.program(OWN.info().orElseThrow())).isEqualTo("shop");
        assertThat(EarlierSession.program(session("own", "local", "/usr/bin/python3 -u /srv/a.py 7", "2026-11-20T14:00:00Z", false, "f")
                .info().orElseThrow())).isEqualTo("python3 a.py");
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
