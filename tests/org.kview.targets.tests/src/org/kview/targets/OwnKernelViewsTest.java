// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelViews.SiteKind;
import org.kview.targets.values.SiteSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.ViewMember;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.ChangeViewReply;
import org.kview.wire.proto.ChangeViewRequest;
import org.kview.wire.proto.Error.Code;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

class OwnKernelViewsTest {

    @Test
    void aViewIsMadeChangedAndClosed() throws Exception {
        FakeAgent fake = new FakeAgent().on(BodyCase.CHANGE_VIEW, request -> FromAgent.newBuilder().setChangeView(
                ChangeViewReply.newBuilder().setId(82).setNote(request.getChangeView().hasAddSites()
                        ? request.getChangeView().getAddSites().getNames(0) + " is left out." : "").setSwitchedNs(request.getChangeView().hasCount() ? 77 : 0)));
        try (Agent agent = Agent.connect(fake.start())) {
            assertThat(OwnKernelViews.make(agent, "web")).isEqualTo(82);
            List<SiteSpec> sites = Stream.of("kernel:vfs_read", "return:vfs_read", "vfs_write", "vfs_read",
                    "tracepoint:sys_enter", "tracepoint:sched:sched_switch").map(SiteSpec::parse).toList();
            assertThat(OwnKernelViews.add(agent, 82, sites)).as("one set for each kind").containsExactly("vfs_read is left out.",
                    "vfs_read is left out.", "sys_enter is left out.", "sched:sched_switch is left out.");
            OwnKernelViews.attach(agent, 82, ViewMember.parse("4711", true, false));
            OwnKernelViews.attach(agent, 82, new ViewMember.Process(4711, 99, false, true));
            OwnKernelViews.attach(agent, 82, ViewMember.parse(" /sys/fs/cgroup/web ", true, true));
            OwnKernelViews.attach(agent, 82, ViewMember.parse("eth0:3", true, true));
            assertThat(OwnKernelViews.count(agent, 82, false)).isEqualTo(77);
            OwnKernelViews.close(agent, 82, 83);
        }
        List<ChangeViewRequest> changes = fake.received().stream().filter(ToAgent::hasChangeView).map(ToAgent::getChangeView).toList();
        assertThat(changes.getFirst().getMake()).isEqualTo("web");
        assertThat(changes.subList(1, changes.size())).allMatch(change -> change.getViewId() == 82);
        assertThat(changes.get(1).getAddSites().getKind()).isEqualTo(org.kview.wire.proto.SiteKind.SITE_ENTRY);
        assertThat(changes.get(1).getAddSites().getNamesList()).containsExactly("vfs_read", "vfs_write");
        assertThat(changes).extracting(change -> change.getAddSites().getKind()).contains(org.kview.wire.proto.SiteKind.SITE_RETURN,
                org.kview.wire.proto.SiteKind.SITE_TRACEPOINT, org.kview.wire.proto.SiteKind.SITE_EVENT);
        assertThat(changes.get(5).getAttachProcess()).isEqualTo(ChangeViewRequest.JoiningProcess.newBuilder().setPid(4711).setForks(true).build());
        assertThat(changes.get(6).getAttachProcess()).isEqualTo(ChangeViewRequest.JoiningProcess.newBuilder().setPid(4711).setStartTimeNs(99)
                .setExecs(true).build());
        assertThat(changes.get(7).getAttachCgroup()).isEqualTo("/sys/fs/cgroup/web");
        assertThat(changes.get(8).getAttachQueue()).isEqualTo(ChangeViewRequest.Queue.newBuilder().setDevice("eth0").setQueue(3).build());
        assertThat(changes.get(9)).satisfies(change -> assertThat(change.hasCount() && !change.getCount()).isTrue());
        assertThat(changes.get(10).getClose()).isEqualTo(83);
    }

    @Test
    void sitesThatCanNotAllBeAddedLeaveNothing() throws Exception {
        AtomicLong sets = new AtomicLong(83);
        FakeAgent fake = new FakeAgent().on(BodyCase.CHANGE_VIEW, request -> request.getChangeView().getAddSites().getKind()
                == org.kview.wire.proto.SiteKind.SITE_EVENT ? FromAgent.newBuilder().setError(org.kview.wire.proto.Error.newBuilder()
                        .setCode(Code.NOT_PROBEABLE).setMessage("Nothing of that can be hooked."))
                        : FromAgent.newBuilder().setChangeView(ChangeViewReply.newBuilder().setId(sets.getAndIncrement())));
        List<SiteSpec> sites = Stream.of("vfs_read", "return:vfs_read", "tracepoint:no:such").map(SiteSpec::parse).toList();
        try (Agent agent = Agent.connect(fake.start())) {
            assertThatThrownBy(() -> OwnKernelViews.add(agent, 82, sites)).isInstanceOf(TargetException.class)
                    .hasMessage("Nothing of that can be hooked.");
        }
        List<ChangeViewRequest> changes = fake.received().stream().filter(ToAgent::hasChangeView).map(ToAgent::getChangeView).toList();
        assertThat(changes.stream().filter(ChangeViewRequest::hasClose).map(ChangeViewRequest::getClose)).containsExactly(83L, 84L);
    }

    @Test
    void whatIsRefusedIsSaidAsTheAgentSaysIt() throws Exception {
        for (Code code : List.of(Code.NO_PERMISSION, Code.BAD_REQUEST)) {
            try (Agent agent = Agent.connect(new FakeAgent().refuse(BodyCase.CHANGE_VIEW, code, "Only who made a view changes it.").start())) {
                assertThatThrownBy(() -> OwnKernelViews.count(agent, 7, true)).isInstanceOf(TargetException.class)
                        .hasMessage("Only who made a view changes it.");
            }
        }
        try (Agent agent = Agent.connect(new FakeAgent().refuse(BodyCase.CHANGE_VIEW, Code.BAD_REQUEST,
                "This agent does not know the request: use the agent that came with the client.").start())) {
            assertThatThrownBy(() -> OwnKernelViews.make(agent, "web")).isInstanceOf(TargetException.class).hasMessageContaining("too old");
        }
    }

    @Test
    void whatIsNoSiteAndNobodyIsRefused() {
        assertThat(SiteSpec.parse(" do_epoll_pwait.part.0 ")).isEqualTo(new SiteSpec(SiteKind.ENTRY, "do_epoll_pwait.part.0"));
        for (String site : List.of("", "libc.so:read", "two words", "return:", "tracepoint:a:b:c", "return:vfs_read;")) {
            assertThatThrownBy(() -> SiteSpec.parse(site)).as(site).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + site + "' is no site such as");
        }
        for (String who : List.of("", "0", "-1", "99999999999", "4294967295", "nginx", "eth0:", "eth0:x", "sys/fs/cgroup")) {
            assertThatThrownBy(() -> ViewMember.parse(who, false, false)).as(who).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + who + "' is neither");
        }
    }
}
