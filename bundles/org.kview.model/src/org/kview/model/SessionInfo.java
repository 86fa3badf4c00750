// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What was recorded, where and when.
 *
 * @param measured   the host that was measured
 * @param scopes     who was measured; empty if it is not known, and for several hosts together
 * @param command    its command line
 * @param filtering  how other processes were kept out of it
 * @param start      on the host's real-time clock
 * @param duration   from start to the last figure
 * @param ending     how it ended
 * @param provenance what it was recorded with and on
 */
public record SessionInfo(Host measured, List<Scope> scopes, String command, Filtering filtering, Instant start, Duration duration,
        Ending ending, Provenance provenance) {

    public SessionInfo {
        scopes = List.copyOf(scopes);
    }

    /** A recording of which no more is known. */
    public static SessionInfo unknown(Instant start, Duration duration, State state, String stateNote) {
        String text = "unknown";
        return new SessionInfo(new Host(text, text, text, Optional.empty()), List.of(), text, new Filtering(text, ""), start, duration,
                new Ending(state, stateNote, Optional.empty()), Provenance.UNKNOWN);
    }

    /** As the user named the host. */
    public String target() {
        return measured.target();
    }

    /** The host's own name. */
    public String host() {
        return measured.name();
    }

    /** The release of the host's kernel. */
    public String kernel() {
        return measured.kernel();
    }

    /** How far the host's clock was from the workbench's; empty where it was not measured. */
    public Optional<ClockOffset> clockOffset() {
        return measured.clockOffset();
    }

    /** How other processes were filtered out: view, in or post. */
    public String filter() {
        return filtering.filter();
    }

    /** What the filter costs other processes. */
    public String filterNote() {
        return filtering.note();
    }

    public State state() {
        return ending.state();
    }

    /** Why it ended; may be empty. */
    public String stateNote() {
        return ending.note();
    }

    /** How the program ended that was started for the recording. */
    public Optional<ProgramEnd> program() {
        return ending.program();
    }

    /** The numbers of the traced processes, as far as the scopes name them. */
    public List<Long> pids() {
        return scopes.stream().map(Scope::pid).filter(pid -> pid != 0).toList();
    }

    /** The same as text, "4711, 4712"; empty where none is named. */
    public String pidsText() {
        return pidsText(Integer.MAX_VALUE);
    }

    /** Likewise of no more than so many, with an ellipsis for the others: "4711, …". */
    public String pidsText(int most) {
        return pids().stream().limit(most).map(pid -> Long.toString(pid)).collect(Collectors.joining(", "))
                + (pids().size() > most ? ", …" : "");
    }

    /** The cgroup that was recorded; empty if it was single processes. */
    public Optional<Scope.Cgroup> cgroup() {
        return scopes.size() == 1 && scopes.getFirst() instanceof Scope.Cgroup cgroup ? Optional.of(cgroup) : Optional.empty();
    }

    /** The processes that were recorded together; empty if it was single ones. */
    public Optional<Scope.Group> group() {
        return scopes.size() == 1 && scopes.getFirst() instanceof Scope.Group group ? Optional.of(group) : Optional.empty();
    }

    /** The traced program's name, without its folder and arguments: "checkout". */
    public String programName() {
        String path = command.strip().split("\\s", 2)[0];
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The number of the traced process; 0 if there is none, or more than one. */
    public long pid() {
        return scopes.size() == 1 ? scopes.getFirst().pid() : 0;
    }

    /**
     * A host on which something was recorded.
     *
     * @param target      as the user named it, "local" or [user@]host[:port]
     * @param name        its own
     * @param kernel      its kernel's release
     * @param clockOffset how far its clock was from the workbench's; empty where it was not measured
     */
    public record Host(String target, String name, String kernel, Optional<ClockOffset> clockOffset) {
    }

    /**
     * How other processes were kept out of a recording.
     *
     * @param filter view, in or post
     * @param note   what that costs them, one sentence; may be empty
     */
    public record Filtering(String filter, String note) {
    }

    /**
     * How a recording ended.
     *
     * @param note    one sentence if it failed, or ended because its probes cost too much; otherwise empty
     * @param program how a program that was started for the recording ended; empty if none was, or if it was still running
     *                when the recording ended
     */
    public record Ending(State state, String note, Optional<ProgramEnd> program) {
    }

    /** In which way a recording ended. */
    public enum State {
        /** Still going on, or its workbench died before it could say more. */
        RECORDING,
        /** Ended by the user or after the time asked for. */
        STOPPED,
        /** The traced process ended. */
        PROCESS_ENDED,
        /** Broken off; what was recorded up to then is kept. */
        FAILED
    }
}
