// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.SiteKind;
import org.kview.targets.values.SiteSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.values.ViewMember;
import org.kview.targets.wire.WireViews;
import org.kview.wire.proto.ToAgent;

/**
 * Kernel views that are made and changed through an agent: who is in them is counted. They end with the agent; others' views can't
 * be changed. All of these throw what {@link KernelViewList#of} does, and for views that are not the agent's, or that are gone.
 */
public final class OwnKernelViews {

    private OwnKernelViews() {
    }

    /** @return the number of a view without sites, and without anybody in it */
    public static long make(Agent agent, String name) throws TargetException, InterruptedException {
        return change(agent, WireViews.makeRequest(name)).id();
    }

    /**
     * Adds one set for each kind of these sites. Where one of them can't be added, or the thread is interrupted, none is there.
     *
     * @return sentences about those that are left out
     */
    public static List<String> add(Agent agent, long view, List<SiteSpec> sites) throws TargetException, InterruptedException {
        Map<SiteKind, List<SiteSpec>> kinds = sites.stream().distinct().collect(Collectors.groupingBy(SiteSpec::kind, TreeMap::new,
                Collectors.toList()));
        List<Long> sets = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        try {
            for (List<SiteSpec> ofKind : kinds.values()) {
                KernelViews.Made made = change(agent, WireViews.addRequest(view, ofKind));
                sets.add(made.id());
                if (!made.note().isEmpty()) {
                    notes.add(made.note());
                }
            }
        } catch (TargetException | InterruptedException e) {
            closeAll(agent, view, sets, e);
            throw e;
        }
        return notes;
    }

    /** What can't be closed either, as the target is not reached, is gone with the connection. */
    private static void closeAll(Agent agent, long view, List<Long> parts, Exception cause) {
        for (long part : parts) {
            try {
                close(agent, view, part);
            } catch (TargetException e) {
                cause.addSuppressed(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Returns once all threads of them run in the view; where one is within an execve that does not end, fails after half a minute. */
    public static void attach(Agent agent, long view, ViewMember member) throws TargetException, InterruptedException {
        change(agent, WireViews.attachRequest(view, member));
    }

    /**
     * Whether its sets count, those that are added later as well: all of them are switched at one instant.
     *
     * @return that instant, in ns by that host's monotonic clock; 0: an older agent does not tell it
     */
    public static long count(Agent agent, long view, boolean on) throws TargetException, InterruptedException {
        return change(agent, WireViews.countRequest(view, on)).switchedNanos();
    }

    /** @param part the number of a set, of an attachment, or of the view, which goes with all that it has */
    public static void close(Agent agent, long view, long part) throws TargetException, InterruptedException {
        change(agent, WireViews.closeRequest(view, part));
    }

    private static KernelViews.Made change(Agent agent, ToAgent.Builder request) throws TargetException, InterruptedException {
        try {
            return agent.connection.request(request, "change a kernel view", Agent.SLOW, WireViews::made);
        } catch (TargetException e) {
            if (e.kind() == Kind.BAD_REQUEST && e.getMessage().contains("does not know the request")) {
                throw KernelViewList.tooOld(agent);
            }
            throw e;
        }
    }
}
