// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.nio.file.Path;

import org.kview.cli.console.Console;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;

import picocli.CommandLine.Parameters;

/** The session that a command reads. */
public final class SessionParameter {
    @Parameters(paramLabel = "SESSION.kview", description = "A session's folder, or a zip of one.")
    private Path session;

    /** Opens it, and says what is wrong with it. */
    public SessionReader open(Console console) throws SessionException {
        return open(session, "", console);
    }

    /** Likewise, and says nothing. */
    SessionReader openSilently() throws SessionException {
        return SessionReader.open(session);
    }

    /** As it was given. */
    Path path() {
        return session;
    }

    /** @param before what stands before each problem */
    public static SessionReader open(Path session, String before, Console console) throws SessionException {
        SessionReader reader = SessionReader.open(session);
        reader.snapshot().problems().forEach(problem -> console.say(before + problem));
        return reader;
    }
}
