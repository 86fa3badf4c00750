// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelViews;

class ViewsReportTest {
    private static final KernelViews.Rejected NONE = new KernelViews.Rejected(0, 0, 0);
    private static final KernelViews.View VIEW = new KernelViews.View(3, "kview record", false, OptionalLong.of(812), "root",
            "kview-agent", 4_200_000_000L, 421_888, 1, List.of(
                    new KernelViews.SiteSet(4, "", KernelViews.SiteKind.RETURN, false, true, 2, 12_288, 0, Optional.of(
                            new KernelViews.Counts(77, 1400, 2, 2, 1, 2, 0, new KernelViews.Rejected(3, 0, 0))), ""),
                    new KernelViews.SiteSet(5, "", KernelViews.SiteKind.ENTRY, true, false, 1, 0, 0, Optional.empty(),
                            "The agent may not look at process 812, which has it.")),
            List.of(new KernelViews.Attachment(6, "", KernelViews.AttachmentKind.PROCESS, OptionalLong.of(790), "dd", 0, 1, 512, 0)));

    private static ViewsReport report(long total, KernelViews.View... views) {
        return new ViewsReport("root@web", new KernelViews(List.of(views), total, 78, new KernelViews.Module(9, NONE, 0)));
    }

    @Test
    void tellsPeople() {
        assertThat(report(4, VIEW).text()).isEqualTo("""
                View 3 "kview record" of kview-agent (process 812, root), 4.20 s old, 412 KiB
                                                                  Sites  Processes           Hits     Missed   Rejected     Memory
                  process      790 (dd)                                          1                                           512 B
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
                OptionalLong.empty(), "", 23, 0, 0, 0);
        assertThat(report(2, new KernelViews.View(6, "web", false, OptionalLong.empty(), "root", "kviewctl", 0, 0, 0, List.of(),
                List.of(web))).text()).contains("View 6 \"web\" of kviewctl (which has ended, root)", " cgroup /sys/fs/cgroup/web ")
                .doesNotContain("23");
    }

    @Test
    void tellsPrograms() {
        assertThat(report(4, VIEW).json()).contains("\"schema\" : \"kview-views/1\"", "\"hits\" : 1400", "\"interrupts\" : 3",
                "\"age_ns\" : 4200000000", "\"kind\" : \"process\"", "\"pid\" : 790", "\"counts_note\" : \"The agent may not")
                .doesNotContain("cgroup_id");
    }

    @Test
    void saysThatThereIsMore() {
        assertThat(report(4, VIEW).leftOut()).isEmpty();
        assertThat(report(12_000, VIEW).leftOut()).hasValue("4 of 12,000 views, sets and attachments are shown");
    }
}
