// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Platform;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails the test in which an error comes into the workspace's log, or the next one where it comes late; what comes after the
 * last class fails none. JUnit finds it by META-INF/services, so it watches all tests of this bundle.
 */
public final class NoErrorIsLogged implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    /** What comes there rightly, by a part of its text. */
    private static final List<Known> KNOWN = List.of(
            new Known("127.0.0.1 does not answer on port 1", "TargetsViewTest connects to a host that is not there"),
            new Known("/no/such/program can't be started", "StartedProgramTest starts a program that is not there"),
            new Known("exists already: choose another name", "SessionsViewTest renames a session to the name of another"),
            new Known("The probes were refused.", "LookAsideTest has an agent that refuses them"),
            new Known("This is only a test.", "LatestJobTest asks what fails"),
            new Known("IJobChangeListener timeout detected", "a listener took 3 s, which the load of the machine alone can make of it"));
    /** Trace Compass reads a trace in the background, and logs what is missing where a session is closed meanwhile. */
    private static final String TRACE_COMPASS = "org.eclipse.tracecompass.";
    private static final String OURS = "org.kview.";
    private static final List<String> LOGGED = new CopyOnWriteArrayList<>();

    private static boolean listening;

    private record Known(String text, String why) {
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        listen();
    }

    private static synchronized void listen() {
        if (!listening) {
            listening = true;
            Platform.addLogListener((status, _) -> {
                if (status.getSeverity() == IStatus.ERROR && !isKnown(status)) {
                    LOGGED.add(text(status));
                }
            });
        }
    }

    private static boolean isKnown(IStatus status) {
        return KNOWN.stream().anyMatch(known -> text(status).contains(known.text()))
                || status.getPlugin().startsWith(TRACE_COMPASS) && !isOurs(status.getException());
    }

    /** Whether our code had a part in it. */
    private static boolean isOurs(Throwable thrown) {
        return thrown != null && (Arrays.stream(thrown.getStackTrace()).anyMatch(frame -> frame.getClassName().startsWith(OURS))
                || isOurs(thrown.getCause()));
    }

    private static String text(IStatus status) {
        return status.getPlugin() + ": " + status.getMessage() + (status.getException() == null ? "" : " (" + status.getException() + ")");
    }

    /** What came since the last time, but for what is known. */
    static List<String> take() {
        List<String> all = new ArrayList<>(LOGGED);
        LOGGED.removeAll(all);
        return all;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        check();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        check();
    }

    private static void check() {
        List<String> errors = take();
        if (!errors.isEmpty()) {
            throw new AssertionError("Errors in the workspace's log: " + String.join("; ", errors));
        }
    }
}
