// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.SiteCounts;
import org.kview.wire.proto.SiteKind;
import org.kview.wire.proto.ViewAttachment;
import org.kview.wire.proto.ViewSet;

class WireViewsTest {
    private static KernelViews views(UnaryOperator<SiteCounts.Builder> change) throws TargetException {
        SiteCounts.Builder counts = SiteCounts.newBuilder().setReadNs(77).setHits(1400).setSitesHit(2).setPlaces(3).setMissed(4)
                .setLostReturns(5).setLostRecords(6).setRejectedInterrupt(7).setRejectedNested(8).setRejectedKernel(9);
        return WireViews.views(FromAgent.newBuilder().setListViews(ListViewsReply.newBuilder().setTotalItems(4).setReadNs(76)
                .setTextCopies(11).setRejectedInterrupt(12).setRejectedNested(13).setRejectedKernel(14).setRejectedLeft(15)
                .addViews(KernelView.newBuilder().setId(1).setName("web").setClosed(true).setOwnerPid(0xfffffff0).setOwnerUid(1000)
                        .setOwnerUser("ada").setOwnerCommand("kviewctl").setAgeNs(99).setMemoryBytes(4096).setProcesses(2)
                        .addSets(ViewSet.newBuilder().setId(2).setKind(SiteKind.SITE_RETURN).setActive(true).setSites(2)
                                .setMemoryBytes(100).setCounts(change.apply(counts)))
                        .addSets(ViewSet.newBuilder().setId(3).setKindValue(99).setFilter(true).setSites(1)
                                .setCountsNote("Not there any more."))
                        .addAttachments(ViewAttachment.newBuilder().setId(4).setKind(ViewAttachment.Kind.CGROUP).setCgroupId(4711)
                                .setProcesses(2)))).build());
    }

    @Test
    void viewsAreValues() throws Exception {
        KernelViews all = views(counts -> counts);
        assertThat(all.items()).isEqualTo(all.totalItems()).isEqualTo(4);
        assertThat(all.module()).isEqualTo(new KernelViews.Module(11, new KernelViews.Rejected(12, 13, 14), 15));
        KernelViews.View view = all.views().getFirst();
        assertThat(view.ownerPid()).as("a number without a sign").hasValue(0xfffffff0L);
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
                OptionalLong.empty(), "", 4711, 2, 0, 0));
    }

    @Test
    void sumsOfAnyNumbersAreNotNegative() throws Exception {
        KernelViews.Counts counts = views(c -> c.setMissed(Long.MAX_VALUE)).views().getFirst().sets().getFirst().counts().orElseThrow();
        assertThat(counts.unseen()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void figuresThatCannotBeRightAreRefused() {
        assertThatThrownBy(() -> views(counts -> counts.setHits(-1))).isInstanceOf(TargetException.class)
                .hasMessageContaining("can't be right").hasMessageContaining("18446744073709551615");
        assertThatThrownBy(() -> WireViews.views(FromAgent.getDefaultInstance())).isInstanceOf(TargetException.class);
    }
}
