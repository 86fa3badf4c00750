// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListSitesReply;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.SiteCounts;
import org.kview.wire.proto.SiteFigures;
import org.kview.wire.proto.SiteKind;
import org.kview.wire.proto.ViewAttachment;
import org.kview.wire.proto.ViewSet;

class WireViewsTest {
    private static KernelViews views(UnaryOperator<SiteCounts.Builder> change) throws TargetException {
        SiteCounts.Builder counts = SiteCounts.newBuilder().setReadNs(77).setHits(1400).setSitesHit(2).setPlaces(3).setMissed(4)
                .setLostReturns(5).setLostRecords(6).setRejectedInterrupt(7).setRejectedNested(8).setRejectedKernel(9);
        return WireViews.views(FromAgent.newBuilder().setListViews(ListViewsReply.newBuilder().setTotalItems(4).setReadNs(76)
                .setTextCopies(11).setRejectedInterrupt(12).setRejectedNested(13).setRejectedKernel(14).setRejectedLeft(15).setDetachNs(16)
                .addViews(KernelView.newBuilder().setId(1).setName("web").setClosed(true).setOwnerPid(0xfffffff0).setOwnerUid(1000)
                        .setOwnerUser("ada").setOwnerCommand("kviewctl").setAgeNs(99).setMemoryBytes(4096).setProcesses(2)
                        .setTextPages(21).setSharedTextPages(22).setTablePages(23).setSetAddedNs(24).setSetClosedNs(25)
                        .addSets(ViewSet.newBuilder().setId(2).setKind(SiteKind.SITE_RETURN).setActive(true).setSites(2)
                                .setMemoryBytes(100).setCounts(change.apply(counts)))
                        .addSets(ViewSet.newBuilder().setId(3).setKindValue(99).setFilter(true).setSites(1)
                                .setCountsNote("Not there any more."))
                        .addAttachments(ViewAttachment.newBuilder().setId(4).setKind(ViewAttachment.Kind.CGROUP).setCgroupId(4711)
                                .setProcesses(2).setFollowsExecs(true).setAttachNs(31).setJoined(32).setJoinFailed(33).setLeft(34).setElsewhere(35)))).build());
    }

    @Test
    void viewsAreValues() throws Exception {
        KernelViews all = views(counts -> counts);
        assertThat(all.items()).isEqualTo(all.totalItems()).isEqualTo(4);
        assertThat(all.module()).isEqualTo(new KernelViews.Module(11, new KernelViews.Rejected(12, 13, 14), 15, 16));
        KernelViews.View view = all.views().getFirst();
        assertThat(view.owner().pid()).as("a number without a sign").hasValue(0xfffffff0L);
        assertThat(view.closed()).isTrue();
        assertThat(view.sites()).isEqualTo(3);
        KernelViews.SiteSet first = view.sets().getFirst();
        assertThat(first.kind()).isEqualTo(KernelViews.SiteKind.RETURN);
        assertThat(first.counts()).hasValue(new KernelViews.Counts(77, 1400, 2, 3, 4, 5, 6, new KernelViews.Rejected(7, 8, 9)));
        assertThat(first.counts().orElseThrow().unseen()).isEqualTo(15);
        assertThat(first.counts().orElseThrow().rejected().total()).isEqualTo(24);
        KernelViews.SiteSet second = view.sets().getLast();
        assertThat(second.counts()).isEmpty();
        assertThat(second.countsNote()).isEqualTo("Not there any more.");
        assertThat(second.kind()).as("of a newer agent").isEqualTo(KernelViews.SiteKind.UNKNOWN);
        assertThat(view.attachments()).containsExactly(new KernelViews.Attachment(4, "", KernelViews.AttachmentKind.CGROUP,
                OptionalLong.empty(), "", 4711, 2, 0, 0, 31, new KernelViews.Followers(false, true, 32, 33, 34, 35)));
        assertThat(view.pages()).isEqualTo(new KernelViews.Pages(21, 22, 23, 24, 25));
        assertThat(view.pages().isKnown()).isTrue();
    }

    @Test
    void sumsOfAnyNumbersAreNotNegative() throws Exception {
        KernelViews.Counts counts = views(c -> c.setMissed(Long.MAX_VALUE)).views().getFirst().sets().getFirst().counts().orElseThrow();
        assertThat(counts.unseen()).isEqualTo(Long.MAX_VALUE);
    }

    private static KernelSites sites(UnaryOperator<ListSitesReply.Builder> change) throws TargetException {
        return WireViews.sites(FromAgent.newBuilder().setListSites(change.apply(ListSitesReply.newBuilder().setReadNs(77).setSites(3)
                .addNames("vfs_read").addNames("").addNames("vfs_write")
                .addFigures(SiteFigures.newBuilder().setSite(0).setHits(9).setMissed(1).setLostReturns(2).setLostRecords(3)
                        .setRejectedInterrupt(4).setRejectedNested(5).setRejectedKernel(6))
                .addFigures(SiteFigures.newBuilder().setSite(2).setHits(8)))).build());
    }

    @Test
    void sitesAreValues() throws Exception {
        assertThat(sites(reply -> reply)).isEqualTo(new KernelSites(77, 3, List.of("vfs_read", "", "vfs_write"), "", List.of(
                new KernelSites.Figures(0, 9, 1, 2, 3, new KernelViews.Rejected(4, 5, 6)),
                new KernelSites.Figures(2, 8, 0, 0, 0, new KernelViews.Rejected(0, 0, 0)))));
        assertThat(sites(reply -> reply.clearNames().setNamesNote("Too long.")).names()).as("they need not be told").isEmpty();
    }

    @Test
    void sitesThatDoNotFitAreRefused() {
        List<UnaryOperator<ListSitesReply.Builder>> wrong = List.of(reply -> reply.addNames("a fourth"), reply -> reply.setSites(2),
                reply -> reply.clearNames().setSites(-1), reply -> reply.addFigures(SiteFigures.newBuilder().setSite(1)),
                reply -> reply.addFigures(SiteFigures.newBuilder().setSite(3)), reply -> reply.addFigures(SiteFigures.newBuilder().setSite(-1)));
        for (UnaryOperator<ListSitesReply.Builder> change : wrong) {
            assertThatThrownBy(() -> sites(change)).isInstanceOf(TargetException.class).hasMessageContaining("can't be right");
        }
    }

    @Test
    void figuresThatCannotBeRightAreRefused() {
        assertThatThrownBy(() -> views(counts -> counts.setHits(-1))).isInstanceOf(TargetException.class)
                .hasMessageContaining("can't be right").hasMessageContaining("18446744073709551615");
        assertThatThrownBy(() -> WireViews.views(FromAgent.getDefaultInstance())).isInstanceOf(TargetException.class);
    }
}
