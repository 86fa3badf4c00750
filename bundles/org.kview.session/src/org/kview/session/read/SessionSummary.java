// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.kview.model.MergedHosts;
import org.kview.model.SessionInfo;
import org.kview.model.SessionNotes;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.HostsJson;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonReader;
import org.kview.session.format.SessionLock;

/**
 * What a list of sessions tells of one of them, read without its histograms and events.
 *
 * @param path      its folder or zip, as {@link SessionReader#open} takes it
 * @param zip       whether it is a zip
 * @param info      what was recorded; empty if that can't be read
 * @param functions the names of its functions, in the order of their ids
 * @param bytes     what it takes on disk
 * @param events    whether it has a trace
 * @param live      whether its recording goes on
 * @param notes     what was written about it; none if they can't be read
 * @param problems  one sentence each for what can't be read; empty if nothing was found. Histograms and
 *                  events are not looked at.
 */
public record SessionSummary(Path path, boolean zip, Optional<SessionInfo> info, List<String> functions, long bytes,
        boolean events, boolean live, SessionNotes notes, List<String> problems) {
    private static final String FOLDER_SUFFIX = ".kview";
    private static final String ZIP_SUFFIX = ".kview.zip";

    public SessionSummary {
        functions = List.copyOf(functions);
        problems = List.copyOf(problems);
    }

    /** How much of a session there is. */
    public enum State {
        /** Recorded to its end. */
        WHOLE,
        /** Being recorded. */
        RECORDING,
        /** Its recorder died; it opens with what was recorded up to then. */
        CUT_OFF,
        /** Does not open. */
        DAMAGED
    }

    public State state() {
        if (info.isEmpty()) {
            return State.DAMAGED;
        }
        if (info.get().state() != SessionInfo.State.RECORDING) {
            return State.WHOLE;
        }
        return live ? State.RECORDING : State.CUT_OFF;
    }

    /** The file's name without its ending. */
    public String name() {
        return name(path);
    }

    /** "checkout" for {@code …/checkout.kview} and {@code …/checkout.kview.zip}. */
    public static String name(Path session) {
        String file = String.valueOf(session.getFileName());
        String suffix = suffix(session);
        return file.length() > suffix.length() ? file.substring(0, file.length() - suffix.length()) : file;
    }

    /** {@code .kview}, {@code .kview.zip}, or nothing. */
    public static String suffix(Path session) {
        String file = String.valueOf(session.getFileName());
        return file.endsWith(ZIP_SUFFIX) ? ZIP_SUFFIX : file.endsWith(FOLDER_SUFFIX) ? FOLDER_SUFFIX : "";
    }

    /** Whether salvaging promises something; see {@code org.kview.session.repair}. */
    public boolean salvageable() {
        return !zip && (state() == State.CUT_OFF || state() == State.DAMAGED
                && Files.isRegularFile(path.resolve(SessionFiles.LATENCY_LOG)));
    }

    /** Reads what there is; of a damaged session, also what is wrong with it. Never fails. */
    public static SessionSummary read(Path session) {
        boolean zip = !Files.isDirectory(session);
        List<String> problems = new java.util.ArrayList<>();
        SessionNotes notes = notes(session, problems);
        long bytes = SessionCopy.sizeBytes(session);
        boolean live = !zip && SessionLock.isHeld(session);
        try {
            Allowance allowance = Allowance.usual();
            SessionDocument document = document(session, zip, "", allowance);
            Optional<List<HostsJson.Entry>> hosts = HostsJson.read(document);
            if (hosts.isPresent()) {
                return ofHosts(session, zip, hosts.get(), bytes, notes, problems, allowance);
            }
            Checkpoint checkpoint = SessionJsonReader.decode(document, allowance);
            problems.addAll(0, checkpoint.problems());
            return new SessionSummary(session, zip, Optional.of(checkpoint.info()),
                    checkpoint.functions().stream().map(f -> f.function().name()).toList(), bytes,
                    checkpoint.trace().isPresent(), live, notes, problems);
        } catch (SessionException e) {
            problems.addFirst(e.getMessage());
            return new SessionSummary(session, zip, Optional.empty(), List.of(), bytes, false, live, notes, problems);
        }
    }

    private static SessionSummary ofHosts(Path session, boolean zip, List<HostsJson.Entry> hosts, long bytes,
            SessionNotes notes, List<String> problems, Allowance allowance) throws SessionException {
        List<SessionInfo> infos = new java.util.ArrayList<>();
        Set<String> functions = new LinkedHashSet<>();
        boolean events = false;
        boolean live = false;
        SessionException first = null;
        for (HostsJson.Entry host : hosts) {
            try {
                Checkpoint part = SessionJsonReader.decode(
                        document(session, zip, host.folder() + "/", allowance), allowance);
                part.problems().forEach(p -> problems.add(host.target() + ": " + p));
                infos.add(part.info());
                part.functions().forEach(f -> functions.add(f.function().name()));
                events |= part.trace().isPresent();
                live |= !zip && SessionLock.isHeld(session.resolve(host.folder()));
            } catch (SessionException e) {
                first = first == null ? e : first;
                problems.add("The part of " + host.target() + " can't be read: " + e.getMessage() + ".");
            }
        }
        if (infos.isEmpty()) {
            throw first;
        }
        return new SessionSummary(session, zip, Optional.of(MergedHosts.info(infos)), List.copyOf(functions), bytes,
                events, live, notes, problems);
    }

    private static SessionNotes notes(Path session, List<String> problems) {
        try {
            return NotesFile.read(session).notes();
        } catch (SessionException e) {
            problems.add(e.getMessage());
            return SessionNotes.NONE;
        }
    }

    /** @param part a host's folder and "/", or nothing */
    private static SessionDocument document(Path session, boolean zip, String part, Allowance allowance)
            throws SessionException {
        String name = part + SessionFiles.SESSION_JSON;
        if (!zip) {
            if (!Files.exists(session.resolve(name))) {
                throw new SessionException(SessionFiles.SESSION_JSON
                        + " is missing: this is no session of Kview Workbench, or a damaged one");
            }
            return SessionDocument.read(session.resolve(name), allowance);
        }
        byte[] bytes = SessionZip.read(session, name, SessionDocument.MAX_BYTES, allowance).orElseThrow(() ->
                new SessionException(session + " holds no " + SessionFiles.SESSION_JSON));
        if (!allowance.take(Allowance.Of.TEXT, bytes.length)) {
            throw new SessionException(name + " in " + session + " is not read: the parts of this session are together"
                    + " larger than any session is");
        }
        return SessionDocument.parse(bytes);
    }
}
