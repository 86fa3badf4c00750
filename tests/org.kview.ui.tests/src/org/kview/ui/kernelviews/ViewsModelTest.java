// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.Attachment;
import org.kview.targets.values.KernelViews.AttachmentKind;
import org.kview.targets.values.KernelViews.Counts;
import org.kview.targets.values.KernelViews.Followers;
import org.kview.targets.values.KernelViews.Owner;
import org.kview.targets.values.KernelViews.Pages;
import org.kview.targets.values.KernelViews.Rejected;
import org.kview.targets.values.KernelViews.SiteKind;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.KernelViews.View;

class ViewsModelTest {
    private static final long SECOND = 1_000_000_000;

    private final ViewsModel model = new ViewsModel();

    private static SiteSet set(long id, SiteKind kind, Optional<Counts> counts) {
        return new SiteSet(id, "", kind, false, true, 2, 100, 5, counts, counts.isEmpty() ? "The agent may not look." : "");
    }

    private static Optional<Counts> counts(long seconds, long hits) {
        return Optional.of(new Counts(seconds * SECOND, hits, 1, 2, 1, 2, 3, new Rejected(4, 5, 6)));
    }

    private static View view(long id, String name, long ageNanos, SiteSet... sets) {
        return new View(id, name, false, new Owner(false, OptionalLong.of(12), "root", "kview-agent"), ageNanos, 4096, 1, Pages.UNKNOWN,
                List.of(sets), List.of(new Attachment(id + 100, "", AttachmentKind.PROCESS, OptionalLong.of(790), "dd", 0, 1, 64, 4, 0, Followers.NONE)));
    }

    private void read(View... views) {
        model.update(new KernelViews(List.of(views), 1, 0, new KernelViews.Module(0, new Rejected(0, 0, 0), 0, 0)));
    }

    private ViewRow row(long id) {
        return model.rows().stream().flatMap(row -> java.util.stream.Stream.concat(java.util.stream.Stream.of(row),
                row.children().stream())).filter(row -> row.id() == id).findFirst().orElseThrow();
    }

    @Test
    void hitsASecondAreOfTwoReadings() {
        read(view(1, "web", 9, set(2, SiteKind.ENTRY, counts(10, 100)), set(3, SiteKind.RETURN, counts(10, 40))));
        assertThat(row(2).figures().hitRate()).as("the first reading").isEmpty();
        assertThat(row(1).figures().hitRate()).isEmpty();
        read(view(1, "web", 9, set(2, SiteKind.ENTRY, counts(12, 1100)), set(3, SiteKind.RETURN, counts(12, 40))));
        assertThat(row(2).figures().hitRate()).hasValue(500);
        assertThat(row(3).figures().hitRate()).hasValue(0);
        assertThat(row(1).figures().hitRate()).hasValue(500);
        assertThat(row(1).figures().hits()).hasValue(1140);
        assertThat(row(1).figures().missed()).hasValue(12);
        assertThat(row(1).figures().rejected()).hasValue(30);
        model.clear();
        read(view(1, "web", 9, set(2, SiteKind.ENTRY, counts(13, 2000))));
        assertThat(row(2).figures().hitRate()).as("after a pause").isEmpty();
    }

    @Test
    void aSumOfWhatIsNotKnownIsNotShown() {
        read(view(1, "", 9, set(2, SiteKind.ENTRY, counts(10, 100)), set(3, SiteKind.RETURN, Optional.empty())));
        assertThat(row(1).figures().hits()).isEmpty();
        assertThat(row(1).name()).isEqualTo("view 1");
        assertThat(row(2).figures().hits()).hasValue(100);
        assertThat(row(3).figures().hits()).isEmpty();
        assertThat(row(3).note()).isEqualTo("The agent may not look.");
    }

    /** kviewctl calls them "process 790" and "cgroup /sys/fs/cgroup/web". */
    @Test
    void whatHasANameIsCalledByIt() {
        read(new View(1, "web", false, new Owner(false, OptionalLong.empty(), "root", "kviewctl"), 9, 0, 1, Pages.UNKNOWN, List.of(), List.of(
                new Attachment(2, "cgroup /sys/fs/cgroup/web", AttachmentKind.CGROUP, OptionalLong.empty(), "", 23, 0, 0, 4, 0, Followers.NONE),
                new Attachment(3, "process 790", AttachmentKind.PROCESS, OptionalLong.of(790), "dd", 0, 1, 64, 3, 0, Followers.NONE))));
        assertThat(model.rows().getFirst().children()).extracting(ViewRow::name)
                .containsExactly("cgroup /sys/fs/cgroup/web", "process 790 (dd)");
        assertThat(model.rows().getFirst().owner()).isEqualTo("kviewctl, ended (root)");
    }

    @Test
    void linesAreSortedWithinTheirView() {
        read(view(1, "web", 9, set(2, SiteKind.ENTRY, counts(1, 1)), set(3, SiteKind.RETURN, counts(1, 7))), view(4, "all", 99));
        assertThat(model.rows()).extracting(ViewRow::name).as("the oldest on top").containsExactly("all", "web");
        model.sortBy(ViewColumn.HITS);
        assertThat(model.rows()).extracting(ViewRow::name).containsExactly("web", "all");
        assertThat(model.rows().getFirst().children()).extracting(ViewRow::name).containsExactly("returns", "entries", "process 790 (dd)");
    }
}
