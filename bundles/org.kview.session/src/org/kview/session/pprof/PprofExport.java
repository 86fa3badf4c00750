// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;

import org.kview.ctf.CtfException;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.Nesting;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.files.NewFile;
import org.kview.session.pprof.Stacks.Owner;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.report.SessionText;

/**
 * The calls of a session that was recorded with events, as a profile that pprof reads: one sample for each thread name and
 * stack of measured functions. It holds the sums of the calls' own times, which do not include the calls within them. The
 * trace is read once, and only the stacks are kept in memory. To be used by one thread; the session must stay open.
 */
public final class PprofExport {
    /** A stack takes some 300 bytes; most programs have some thousand of them. */
    private static final int MOST_STACKS = 200_000;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int PROGRESS_CALLS = 1 << 17;
    private static final List<String> EXPLAINED = List.of(
            "Nothing is sampled: each stack's calls are counted, and its times are those of these calls without the measured"
                    + " functions that they call.",
            "Of a stack, only functions that were measured are there.",
            "wall = on_cpu + the other times, which are those off the CPU, by cause.");

    private final SessionReader session;
    private final Path path;
    private final boolean tids;
    private final int mostStacks;
    private final List<HostEvents> hosts;
    private final ProfileFindings findings;
    private long read;

    private PprofExport(SessionReader session, Path path, boolean tids, int mostStacks) throws SessionException {
        this.session = session;
        this.path = path;
        this.tids = tids;
        this.mostStacks = mostStacks;
        if (!session.hasEvents()) {
            throw new SessionException(path + " was recorded without events, which a profile is made of: record again with"
                    + " --events");
        }
        hosts = session.events();
        findings = new ProfileFindings(session.snapshot());
    }

    /**
     * The profile of a session.
     *
     * @param path the session's, for sentences
     * @param tids whether threads of one name are told apart
     * @throws SessionException if it was recorded without events, or its trace is none that this version can read
     */
    public static PprofExport of(SessionReader session, Path path, boolean tids) throws SessionException {
        return of(session, path, tids, MOST_STACKS);
    }

    /** @param mostStacks how many stacks are told apart, at least */
    static PprofExport of(SessionReader session, Path path, boolean tids, int mostStacks) throws SessionException {
        return new PprofExport(session, path, tids, mostStacks);
    }

    /**
     * Writes the profile, once, compressed by gzip.
     *
     * @param file     a new one
     * @param progress hears now and then how many calls were read
     * @throws SessionException if the trace can't be read any further, if no call can be told, or if the file is there already or
     *                          can't be written; then no file is made
     */
    public void write(Path file, LongConsumer progress) throws SessionException {
        NewFile.check(file);
        StackFrames frames = new StackFrames(hosts.stream().map(HostEvents::figures).toList());
        Stacks stacks = new Stacks(frames.folded(), mostStacks);
        for (int host = 0; host < hosts.size(); host++) {
            read(host, frames, stacks, progress);
        }
        if (stacks.roots().isEmpty()) {
            throw new SessionException("The events of " + path + " tell of no call whose time could be in a profile"
                    + (findings.sentences().isEmpty() ? "" : ": " + String.join(" ", findings.sentences())));
        }
        try {
            NewFile.create(file, temporary -> {
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE), BUFFER_BYTES)) {
                    write(new ProfileFile(out, frames, names()), stacks);
                }
            });
        } catch (IOException e) {
            throw SessionException.of("The profile can't be exported to " + file, e);
        }
    }

    /** Sentences for what is missing or odd, most serious first; the profile's comments say the same. To be asked for afterwards. */
    public List<String> findings() {
        return findings.sentences();
    }

    private void write(ProfileFile file, Stacks stacks) throws IOException {
        file.begin(session.snapshot().info());
        file.samples(stacks);
        findings.written(stacks, file);
        SessionText text = new SessionText(session.snapshot());
        List<String> comments = new ArrayList<>(List.of(SafeText.line(text.title()), SafeText.line(text.recorded())));
        comments.addAll(EXPLAINED);
        findings.sentences().forEach(sentence -> comments.add(SafeText.line(sentence)));
        file.end(comments);
    }

    /** The hosts' names, where there are several. */
    private List<String> names() {
        return hosts.size() < 2 ? List.of() : hosts.stream().map(host -> SafeText.line(host.target())).toList();
    }

    private void read(int host, StackFrames frames, Stacks stacks, LongConsumer progress) throws SessionException {
        HostEvents events = hosts.get(host);
        long leftOut = 0;
        try (CallCursor cursor = new CallCursor(events.trace(), events.whole())) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                if (++read % PROGRESS_CALLS == 0) {
                    progress.accept(read);
                }
                if (cursor.nesting().isEmpty()) {
                    leftOut++;
                    continue;
                }
                Nesting nesting = cursor.nesting().get();
                List<Integer> functions = new ArrayList<>(nesting.enclosing().size() + 1);
                nesting.enclosing().forEach(function -> functions.add(frames.of(host, function)));
                functions.add(frames.of(host, call.get().function()));
                stacks.add(new Owner(host, call.get().thread(), tids ? call.get().tid() : -1), functions, nesting);
            }
            String where = hosts.size() < 2 ? "" : SafeText.line(events.target()) + ": ";
            findings.read(where, events, cursor.findings(), leftOut);
            findings.marked(where, events);
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        }
    }
}
