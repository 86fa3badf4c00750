// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The kernel views of a host, whoever made them. Numbers of views, sets and attachments are the module's own: no two are the
 * same.
 *
 * @param views      as they were made
 * @param totalItems views, sets and attachments that there are, also those that are not in here
 * @param readNanos  when they were read, by the host's CLOCK_MONOTONIC
 * @param module     since it was loaded
 */
public record KernelViews(List<View> views, long totalItems, long readNanos, Module module) {
    public KernelViews {
        views = List.copyOf(views);
    }

    /** How many views, sets and attachments are in here. */
    public long items() {
        return views.stream().mapToLong(view -> 1L + view.sets().size() + view.attachments().size()).sum();
    }

    /** Of numbers that another program tells: their sum may be larger than any. */
    public static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /**
     * The module as a whole.
     *
     * @param textCopies  pages of 4 KiB or 2 MiB that are copied in all views, each once
     * @param rejected    calls at a site that were no process's own
     * @param left        calls at a site by a process that was just coming or leaving, or is in another view
     * @param detachNanos how long the last detach took by which a process left a view; 0 if there was none
     */
    public record Module(long textCopies, Rejected rejected, long left, long detachNanos) {
    }

    /**
     * Calls that are not among the hits, because they were not the process's own.
     *
     * @param inInterrupts  while the process ran
     * @param nested        by an eBPF program, or by what it called
     * @param byKernel      by a kernel thread on the process's memory
     */
    public record Rejected(long inInterrupts, long nested, long byKernel) {
        public long total() {
            return plus(plus(inInterrupts, nested), byKernel);
        }
    }

    /**
     * A view.
     *
     * @param name        may be empty
     * @param closed      whether it goes once its sets and attachments have
     * @param memoryBytes in all: private text and page tables, and its sets
     * @param processes   address spaces in it
     */
    public record View(long id, String name, boolean closed, Owner owner, long ageNanos, long memoryBytes, long processes, Pages pages,
            List<SiteSet> sets, List<Attachment> attachments) {
        public View {
            sets = List.copyOf(sets);
            attachments = List.copyOf(attachments);
        }

        public long sites() {
            return sets.stream().mapToLong(SiteSet::sites).sum();
        }
    }

    /**
     * Who made a view.
     *
     * @param thisAgent whether it was made through the agent that tells it: through no other can it be changed
     * @param pid       of the process that made it; empty where that has ended
     */
    public record Owner(boolean thisAgent, OptionalLong pid, String user, String command) {
    }

    /**
     * What a view's text takes, and how long its last changes took. All of it is 0 where the module is older than that.
     *
     * @param text        copies of the kernel's text, in pages of 4 KiB; not those for processes that are in several views
     * @param sharedText  of these, what other views use as well
     * @param tables      page tables
     * @param addedNanos  how long adding the last set took
     * @param closedNanos how long closing the last set took
     */
    public record Pages(long text, long sharedText, long tables, long addedNanos, long closedNanos) {
        public static final Pages UNKNOWN = new Pages(0, 0, 0, 0, 0);

        /** A view has page tables from its beginning. */
        public boolean isKnown() {
            return tables > 0;
        }
    }

    /** What is hooked. */
    public enum SiteKind {
        ENTRY, RETURN, TRACEPOINT, EVENT, UNKNOWN
    }

    /**
     * A set of sites.
     *
     * @param filter     whether it is in the kernel's own text, which every process runs
     * @param active     whether it counts
     * @param counts     empty where they can't be read
     * @param countsNote one sentence then; else empty
     */
    public record SiteSet(long id, String name, SiteKind kind, boolean filter, boolean active, long sites, long memoryBytes,
            long ageNanos, Optional<Counts> counts, String countsNote) {
    }

    /**
     * Sums over a set's sites, since it was made.
     *
     * @param readNanos when, by the host's CLOCK_MONOTONIC
     * @param sitesHit  how many sites were reached at all
     * @param places    in the kernel's text that are changed for them
     * @param missed    calls among the hits whose return was not watched
     * @param lostReturns, lostRecords of the hits, those for which no eBPF program ran
     */
    public record Counts(long readNanos, long hits, long sitesHit, long places, long missed, long lostReturns, long lostRecords,
            Rejected rejected) {
        /** Hits for which no eBPF program ran where one was to. */
        public long unseen() {
            return plus(plus(missed, lostReturns), lostRecords);
        }
    }

    /** Who runs in a view. */
    public enum AttachmentKind {
        PROCESS, CGROUP, QUEUE, UNKNOWN
    }

    /**
     * An attachment.
     *
     * @param pid       of the process, or of the queue's thread; empty where that has ended
     * @param command   of that process
     * @param cgroupId  of a cgroup: its directory's inode number
     * @param processes address spaces that are in the view by it, followers too
     * @param attachNanos how long attaching took; 0 where the module does not tell it
     */
    public record Attachment(long id, String name, AttachmentKind kind, OptionalLong pid, String command, long cgroupId,
            long processes, long memoryBytes, long ageNanos, long attachNanos, Followers followers) {
    }

    /**
     * Who comes into a view by an attachment later on. Nobody where the module does not tell it.
     *
     * @param byFork     whether a child does
     * @param byExec     whether a process stays that executes another program
     * @param joined     address spaces that came, so far
     * @param failed     that should have come and could not
     * @param left       of a cgroup: that were moved out of it
     * @param elsewhere  of a cgroup: processes that another attachment of the view has
     */
    public record Followers(boolean byFork, boolean byExec, long joined, long failed, long left, long elsewhere) {
        public static final Followers NONE = new Followers(false, false, 0, 0, 0, 0);
    }

    /**
     * What a change of a view has made.
     *
     * @param id   of the view, the set or the attachment; 0: nothing new
     * @param note which sites were left out, and why, as a sentence; empty: none
     * @param switchedNanos by that host's monotonic clock, when its sets were switched; 0: they were not, or an older agent does not tell
     */
    public record Made(long id, String note, long switchedNanos) {
    }
}
