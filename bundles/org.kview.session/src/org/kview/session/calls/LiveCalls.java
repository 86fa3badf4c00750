// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.kview.calls.StoreBuilder;
import org.kview.calls.StoreException;
import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.LiveEnd;
import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.format.SessionFiles;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.store.CallStores;

/** The single calls of a session while it is recorded, some seconds behind. What is stored of them is thrown away in the end. */
public final class LiveCalls {
    private LiveCalls() {
    }

    /** Whether a session has a trace by now, which costs less to ask than to read the session. */
    public static boolean hasTrace(Path folder) {
        return Files.exists(folder.resolve(SessionFiles.TRACE).resolve(SessionFiles.METADATA));
    }

    /**
     * Whether there are calls to follow: the session is of one host, recorded with events, of which it is known by now.
     *
     * @param session as it was read while it was recorded
     */
    public static boolean canFollow(SessionReader session) {
        return session.snapshot().hosts().isEmpty() && session.hasEvents();
    }

    /**
     * Follows a recording until that is no longer wanted.
     *
     * @param folder  the session's
     * @param wanted  asked several times a second
     * @param growing hears of the calls up to some moment, as {@link SessionCallStore#of} tells of them
     * @throws SessionException if they can't be stored, or the trace can't be read
     */
    public static void follow(SessionReader session, Path folder, CallStores stores, BooleanSupplier wanted,
            Consumer<SessionCallStore> growing) throws SessionException {
        LiveEnd end = new LiveEnd();
        LatencySnapshot figures = session.snapshot();
        Path file = stores.scratch();
        try {
            HostEvents events = new HostEvents(figures.info().target(), EventTrace.live(folder.resolve(SessionFiles.TRACE), end), figures, true, "");
            GrowingSession.Maker maker = store -> new StoredSession(session, SessionCallStore.parts(session, folder, List.of(events), store),
                    Optional.of(new StoredSession.Unfinished(1, true, end.late())));
            try (GrowingSession growth = new GrowingSession(maker, growing)) {
                StoreBuilder.show(events.trace(), true, file, _ -> wanted.getAsBoolean() && stores.hasRoom(), growth.host(List.of()));
            }
        } catch (CancellationException e) {
            // Nobody wants more, or there is no room for it.
            return;
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        } catch (StoreException e) {
            throw new SessionException("No store can be made of these calls: " + e.getMessage(), e);
        } catch (IOException e) {
            throw SessionException.of("The calls of " + folder + " can't be shown while it is recorded", e);
        } finally {
            FileTree.deleteEmpty(file);
        }
    }
}
