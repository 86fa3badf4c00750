// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;

class ViewsReportTest {
    private static final KernelViews.Rejected NONE = new KernelViews.Rejected(0, 0, 0);
    private static final KernelViews.View VIEW = new KernelViews.View(3, "kview record", false,
            new KernelViews.Owner(false, OptionalLong.of(812), "root", "kview-agent"), 4_200_000_000L, 421_888, 1,
            new KernelViews.Pages(61, 8, 12, 0, 0), List.of(
                    new KernelViews.SiteSet(4, "", KernelViews.SiteKind.RETURN, false, true, 2, 12_288, 0, Optional.of(
                            new KernelViews.Counts(77, 1400, 2, 2, 1, 2, 0, new KernelViews.Rejected(3, 0, 0))), ""),
                    new KernelViews.SiteSet(5, "", KernelViews.SiteKind.ENTRY, true, false, 1, 0, 0, Optional.empty(),
                            "The agent may not look at process 812, which has it.")),
            List.of(new KernelViews.Attachment(6, "", KernelViews.AttachmentKind.PROCESS, OptionalLong.of(790), "dd", 0, 1, 512, 0, 2_500_000,
                    new KernelViews.Followers(true, true, 5, 1, 0, 0))));

    private static ViewsReport report(long total, KernelViews.View... views) {
        return new ViewsReport("root@web", new KernelViews(List.of(views), total, 78, new KernelViews.Module(9, NONE, 0, 1_700_000)), Map.of(), false,
                OptionalLong.empty());
    }

    @Test
    void tellsPeople() {
        assertThat(report(4, VIEW).text()).isEqualTo("""
                View 3 "kview record" of kview-agent (process 812, root), 4.20 s old, 412 KiB: 61 pages of text (8 shared), 12 of page tables
                                                                  Sites  Processes           Hits     Missed   Rejected     Memory
                  process      790 (dd)                                          1                                           512 B
                      attached in 2.50 ms; with children that it forks, and programs that it executes; 5 joined later; 1 could not join
                  return                                              2                     1,400          3          3     12 KiB
                  entry        filter, every process pays off         1                         –          –          –        0 B
                      The agent may not look at process 812, which has it.
                """);
        assertThat(report(0).text()).isEqualTo("There is no kernel view on root@web.\n");
    }

    /** kviewctl calls them "process 790" and "cgroup /sys/fs/cgroup/web". */
    @Test
    void whatHasANameIsCalledByIt() {
        KernelViews.Attachment web = new KernelViews.Attachment(7, "cgroup /sys/fs/cgroup/web", KernelViews.AttachmentKind.CGROUP,
                OptionalLong.empty(), "", 23, 0, 0, 0, 0, KernelViews.Followers.NONE);
        assertThat(report(2, new KernelViews.View(6, "web", false, new KernelViews.Owner(false, OptionalLong.empty(), "root", "kviewctl"),
                0, 0, 0, KernelViews.Pages.UNKNOWN, List.of(), List.of(web))).text()).contains("View 6 \"web\" of kviewctl (which has ended, root)", " cgroup /sys/fs/cgroup/web ")
                .doesNotContain("23");
    }

    @Test
    void tellsPrograms() {
        assertThat(report(4, VIEW).json()).contains("\"schema\" : \"kview-views/1\"", "\"hits\" : 1400", "\"interrupts\" : 3",
                "\"age_ns\" : 4200000000", "\"kind\" : \"process\"", "\"pid\" : 790", "\"attach_ns\" : 2500000",
                "\"follows_forks\" : true", "\"join_failed\" : 1", "\"shared_text\" : 8", "\"detach_ns\" : 1700000", "\"counts_note\" : \"The agent may not")
                .doesNotContain("cgroup_id");
    }

    private static KernelSites.Figures figures(int site, long hits, long missed, long nested) {
        return new KernelSites.Figures(site, hits, missed, 0, 0, new KernelViews.Rejected(0, nested, 0));
    }

    private static ViewsReport sites(SetSites of, boolean all) {
        return new ViewsReport("root@web", report(4, VIEW).views(), Map.of(4L, of), all, OptionalLong.empty());
    }

    @Test
    void tellsWhatEachSiteCounted() {
        List<String> names = List.of("vfs_read", "", "vfs_write");
        KernelSites now = new KernelSites(3_000_000_000L, 3, names, "", List.of(figures(0, 900, 0, 0), figures(2, 500, 3, 2)));
        KernelSites before = new KernelSites(1_000_000_000L, 3, names, "", List.of(figures(0, 890, 0, 0)));
        assertThat(sites(new SetSites(Optional.of(now), Optional.of(before), ""), false).text()).contains("""
                                Hits     Hits/s     Missed   Rejected  Site
                                 500        250          3          2  vfs_write (3 returns not watched, 2 by eBPF programs)
                                 900        5.0          0          0  vfs_read
                """);
        assertThat(sites(new SetSites(Optional.of(now), Optional.empty(), ""), true).text()).contains("""
                                Hits                Missed   Rejected  Site
                                 900                     0          0  vfs_read
                                 500                     3          2  vfs_write (3 returns not watched, 2 by eBPF programs)
                                   0                     0          0  site 1
                """);
        assertThat(sites(new SetSites(Optional.of(now), Optional.of(before), ""), false).json()).contains("\"hits_per_second\" : 250.0",
                "\"name\" : \"vfs_write\"", "\"figures_read_ns\" : 3000000000", "\"nested\" : 2").doesNotContain("site 1");
    }

    /** All that counted have counted for the same time, whenever each was read. */
    @Test
    void tellsForHowLongSitesCounted() {
        KernelSites before = new KernelSites(100, 1, List.of("vfs_read"), "", List.of());
        KernelSites now = new KernelSites(9_000_000_000L, 1, List.of("vfs_read"), "", List.of(figures(0, 200, 0, 0)));
        SetSites of = new SetSites(Optional.of(now), Optional.of(before), "").between(1_000_000_000L, 3_000_000_000L);
        ViewsReport counted = new ViewsReport("root@web", report(4, VIEW).views(), Map.of(4L, of), false, OptionalLong.of(2_000_000_000L));
        assertThat(counted.text()).contains(" 200        100 ").endsWith("\nCounted for 2.00 s.\n");
        assertThat(counted.json()).contains("\"duration_ns\" : 2000000000", "\"hits_per_second\" : 100.0");
        assertThat(report(4, VIEW).json()).doesNotContain("duration_ns");
    }

    @Test
    void saysWhySitesAreNotTold() {
        assertThat(sites(new SetSites(Optional.empty(), Optional.empty(), "There is no set 4 any more."), false).text())
                .contains("      There is no set 4 any more.\n");
        KernelSites nothing = new KernelSites(1, 2, List.of(), "The module does not tell.", List.of());
        assertThat(sites(new SetSites(Optional.of(nothing), Optional.empty(), nothing.namesNote()), false).text())
                .contains("      None of its sites has counted anything.\n      The module does not tell.\n");
    }

    /** Of all functions of the kernel most say nothing, and one can't read thousands of the others. */
    @Test
    void twentySitesAreTold() {
        KernelSites many = new KernelSites(1, 30, List.of(), "", IntStream.range(0, 30).mapToObj(i -> figures(i, 1 + i, 0, 0)).toList());
        SetSites of = new SetSites(Optional.of(many), Optional.empty(), "");
        assertThat(sites(of, false).text()).contains(" site 29\n", " site 10\n", "and 10 more that have counted something: --all")
                .doesNotContain(" site 9\n");
        assertThat(sites(of, true).text()).contains(" site 9\n").doesNotContain("--all");
    }

    @Test
    void saysThatThereIsMore() {
        assertThat(report(4, VIEW).leftOut()).isEmpty();
        assertThat(report(12_000, VIEW).leftOut()).hasValue("4 of 12,000 views, sets and attachments are shown");
    }
}
