// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error.Code;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListSitesReply;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.ToAgent.BodyCase;

class KernelViewListTest {
    private static TargetException refusal(Code code, String message) throws Exception {
        try (Agent agent = Agent.connect(new FakeAgent().refuse(BodyCase.LIST_VIEWS, code, message).start())) {
            var thrown = new TargetException[1];
            assertThatThrownBy(() -> KernelViewList.of(agent)).isInstanceOfSatisfying(TargetException.class, e -> thrown[0] = e);
            return thrown[0];
        }
    }

    @Test
    void theViewsOfAHostAreListed() throws Exception {
        FakeAgent fake = new FakeAgent().on(BodyCase.LIST_VIEWS, _ -> FromAgent.newBuilder().setListViews(
                ListViewsReply.newBuilder().setTotalItems(1).addViews(KernelView.newBuilder().setId(7))));
        try (Agent agent = Agent.connect(fake.start())) {
            assertThat(KernelViewList.of(agent).views()).singleElement().satisfies(view -> assertThat(view.id()).isEqualTo(7));
        }
    }

    @Test
    void theSitesOfASetAreTold() throws Exception {
        FakeAgent fake = new FakeAgent().on(BodyCase.LIST_SITES, request -> FromAgent.newBuilder().setListSites(
                ListSitesReply.newBuilder().setSites(request.getListSites().getSetId() == 7 && request.getListSites().getNames() ? 1 : 0)
                        .addNames("vfs_read")));
        try (Agent agent = Agent.connect(fake.start())) {
            assertThat(KernelViewList.sites(agent, 7, true).names()).containsExactly("vfs_read");
        }
    }

    @Test
    void anAgentThatIsTooOldIsNamed() throws Exception {
        TargetException refusal = refusal(Code.BAD_REQUEST, "This agent does not know the request.");
        assertThat(refusal.kind()).isEqualTo(TargetException.Kind.UNSUPPORTED);
        assertThat(refusal).hasMessageContaining("too old").hasMessageContaining("fake").hasMessageContaining("install the agent");
    }

    @Test
    void whatIsMissingIsSaidAsTheAgentSaysIt() throws Exception {
        TargetException refusal = refusal(Code.UNSUPPORTED, "The kview module is not loaded: 'modprobe kview' loads it.");
        assertThat(refusal.kind()).isEqualTo(TargetException.Kind.UNSUPPORTED);
        assertThat(refusal).hasMessage("The kview module is not loaded: 'modprobe kview' loads it.");
    }
}
