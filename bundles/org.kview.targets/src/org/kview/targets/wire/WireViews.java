// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.SiteSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.targets.values.ViewMember;
import org.kview.wire.proto.ChangeViewRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListSitesReply;
import org.kview.wire.proto.ListSitesRequest;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.ListViewsRequest;
import org.kview.wire.proto.SiteCounts;
import org.kview.wire.proto.SiteFigures;
import org.kview.wire.proto.SiteKind;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ViewAttachment;
import org.kview.wire.proto.ViewSet;

/** Converts between messages and the kernel views of a host. */
public final class WireViews {
    private WireViews() {
    }

    public static ToAgent.Builder request() {
        return ToAgent.newBuilder().setListViews(ListViewsRequest.getDefaultInstance());
    }

    public static KernelViews views(FromAgent reply) throws TargetException {
        WireValues.expect(reply, FromAgent.BodyCase.LIST_VIEWS);
        try {
            return views(reply.getListViews());
        } catch (IllegalArgumentException e) {
            throw new TargetException(Kind.FAILED, "The agent's list of kernel views can't be right: " + e.getMessage()
                    + "; install the agent that came with this workbench");
        }
    }

    public static ToAgent.Builder sitesRequest(long set, boolean names) {
        return ToAgent.newBuilder().setListSites(ListSitesRequest.newBuilder().setSetId(set).setNames(names));
    }

    public static KernelSites sites(FromAgent message) throws TargetException {
        WireValues.expect(message, FromAgent.BodyCase.LIST_SITES);
        ListSitesReply reply = message.getListSites();
        try {
            return new KernelSites(natural(reply.getReadNs()), reply.getSites(), reply.getNamesList(), reply.getNamesNote(),
                    reply.getFiguresList().stream().map(WireViews::figures).toList());
        } catch (IllegalArgumentException e) {
            throw new TargetException(Kind.FAILED, "The agent's list of a set's sites can't be right: " + e.getMessage()
                    + "; install the agent that came with this workbench");
        }
    }

    public static ToAgent.Builder makeRequest(String name) {
        return ToAgent.newBuilder().setChangeView(ChangeViewRequest.newBuilder().setMake(name));
    }

    /** @param sites of one kind */
    public static ToAgent.Builder addRequest(long view, List<SiteSpec> sites) {
        ChangeViewRequest.Sites.Builder added = ChangeViewRequest.Sites.newBuilder().setKind(switch (sites.getFirst().kind()) {
            case ENTRY -> SiteKind.SITE_ENTRY;
            case RETURN -> SiteKind.SITE_RETURN;
            case TRACEPOINT -> SiteKind.SITE_TRACEPOINT;
            case EVENT -> SiteKind.SITE_EVENT;
            case UNKNOWN -> SiteKind.SITE_KIND_UNSPECIFIED;
        });
        sites.forEach(site -> added.addNames(site.name()));
        return change(view, change -> change.setAddSites(added));
    }

    public static ToAgent.Builder attachRequest(long view, ViewMember member) {
        return change(view, change -> {
            switch (member) {
                case ViewMember.Process p -> change.setAttachProcess(ChangeViewRequest.JoiningProcess.newBuilder().setPid((int) p.pid())
                        .setStartTimeNs(p.startNanos()).setForks(p.forks()).setExecs(p.execs()));
                case ViewMember.Cgroup c -> change.setAttachCgroup(c.path());
                case ViewMember.Queue q -> change.setAttachQueue(ChangeViewRequest.Queue.newBuilder().setDevice(q.device()).setQueue(q.queue()));
            }
        });
    }

    public static ToAgent.Builder countRequest(long view, boolean on) {
        return change(view, change -> change.setCount(on));
    }

    public static ToAgent.Builder closeRequest(long view, long part) {
        return change(view, change -> change.setClose(part));
    }

    private static ToAgent.Builder change(long view, Consumer<ChangeViewRequest.Builder> what) {
        ChangeViewRequest.Builder change = ChangeViewRequest.newBuilder().setViewId(view);
        what.accept(change);
        return ToAgent.newBuilder().setChangeView(change);
    }

    public static KernelViews.Made made(FromAgent reply) throws TargetException {
        WireValues.expect(reply, FromAgent.BodyCase.CHANGE_VIEW);
        return new KernelViews.Made(reply.getChangeView().getId(), reply.getChangeView().getNote(),
                natural(reply.getChangeView().getSwitchedNs()));
    }

    private static KernelSites.Figures figures(SiteFigures f) {
        return new KernelSites.Figures(f.getSite(), natural(f.getHits()), natural(f.getMissed()), natural(f.getLostReturns()),
                natural(f.getLostRecords()), new KernelViews.Rejected(natural(f.getRejectedInterrupt()),
                        natural(f.getRejectedNested()), natural(f.getRejectedKernel())));
    }

    private static KernelViews views(ListViewsReply reply) {
        return new KernelViews(reply.getViewsList().stream().map(WireViews::view).toList(), unsigned(reply.getTotalItems()),
                natural(reply.getReadNs()), new KernelViews.Module(unsigned(reply.getTextCopies()),
                        new KernelViews.Rejected(natural(reply.getRejectedInterrupt()), natural(reply.getRejectedNested()),
                                natural(reply.getRejectedKernel())), natural(reply.getRejectedLeft()),
                        natural(reply.getDetachNs())));
    }

    private static KernelViews.View view(KernelView v) {
        return new KernelViews.View(natural(v.getId()), v.getName(), v.getClosed(),
                new KernelViews.Owner(v.getOwn(), pid(v.getOwnerPid()), v.getOwnerUser(), v.getOwnerCommand()), natural(v.getAgeNs()), natural(v.getMemoryBytes()), unsigned(v.getProcesses()),
                new KernelViews.Pages(unsigned(v.getTextPages()), unsigned(v.getSharedTextPages()), unsigned(v.getTablePages()),
                        natural(v.getSetAddedNs()), natural(v.getSetClosedNs())),
                v.getSetsList().stream().map(WireViews::set).toList(),
                v.getAttachmentsList().stream().map(WireViews::attachment).toList());
    }

    private static KernelViews.SiteSet set(ViewSet s) {
        KernelViews.SiteKind kind = switch (s.getKind()) {
            case SITE_ENTRY -> KernelViews.SiteKind.ENTRY;
            case SITE_RETURN -> KernelViews.SiteKind.RETURN;
            case SITE_TRACEPOINT -> KernelViews.SiteKind.TRACEPOINT;
            case SITE_EVENT -> KernelViews.SiteKind.EVENT;
            case SITE_KIND_UNSPECIFIED, UNRECOGNIZED -> KernelViews.SiteKind.UNKNOWN;
        };
        return new KernelViews.SiteSet(natural(s.getId()), s.getName(), kind, s.getFilter(), s.getActive(), unsigned(s.getSites()),
                natural(s.getMemoryBytes()), natural(s.getAgeNs()),
                s.hasCounts() ? Optional.of(counts(s.getCounts())) : Optional.empty(), s.getCountsNote());
    }

    private static KernelViews.Counts counts(SiteCounts c) {
        return new KernelViews.Counts(natural(c.getReadNs()), natural(c.getHits()), unsigned(c.getSitesHit()),
                unsigned(c.getPlaces()), natural(c.getMissed()), natural(c.getLostReturns()), natural(c.getLostRecords()),
                new KernelViews.Rejected(natural(c.getRejectedInterrupt()), natural(c.getRejectedNested()),
                        natural(c.getRejectedKernel())));
    }

    private static KernelViews.Attachment attachment(ViewAttachment a) {
        KernelViews.AttachmentKind kind = switch (a.getKind()) {
            case PROCESS -> KernelViews.AttachmentKind.PROCESS;
            case CGROUP -> KernelViews.AttachmentKind.CGROUP;
            case QUEUE -> KernelViews.AttachmentKind.QUEUE;
            case KIND_UNSPECIFIED, UNRECOGNIZED -> KernelViews.AttachmentKind.UNKNOWN;
        };
        return new KernelViews.Attachment(natural(a.getId()), a.getName(), kind, pid(a.getPid()), a.getCommand(),
                natural(a.getCgroupId()), unsigned(a.getProcesses()), natural(a.getMemoryBytes()), natural(a.getAgeNs()),
                natural(a.getAttachNs()), new KernelViews.Followers(a.getFollowsForks(), a.getFollowsExecs(), unsigned(a.getJoined()),
                        unsigned(a.getJoinFailed()), unsigned(a.getLeft()), unsigned(a.getElsewhere())));
    }

    private static OptionalLong pid(int pid) {
        return pid == 0 ? OptionalLong.empty() : OptionalLong.of(unsigned(pid));
    }

    private static long unsigned(int value) {
        return Integer.toUnsignedLong(value);
    }

    /** No host has counted so far. */
    private static long natural(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("it holds the number " + Long.toUnsignedString(value));
        }
        return value;
    }
}
