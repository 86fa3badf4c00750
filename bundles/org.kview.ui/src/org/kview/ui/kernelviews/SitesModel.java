// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelSites.Figures;
import org.kview.ui.text.NameFilter;
import org.kview.ui.widgets.Sorting;

/** The sites of the sets that are looked at, and how often each was reached between the last two readings. Knows no widgets. */
final class SitesModel {
    private Map<Long, KernelSites> before = Map.of();
    private List<ViewsReading.Sites> latest = List.of();
    private String filter = "";
    private Sorting<SiteRow, SiteColumn> sorting = new Sorting<>(SiteColumn.HITS, true);

    /** Forgets all figures: the next reading is of another target, or of the same one after a pause. */
    void clear() {
        before = Map.of();
        latest = List.of();
    }

    void update(List<ViewsReading.Sites> next) {
        Map<Long, KernelSites> then = new HashMap<>();
        latest.forEach(sites -> sites.now().ifPresent(now -> then.put(sites.set().id(), now)));
        before = then;
        latest = List.copyOf(next);
    }

    void filter(String text) {
        filter = text;
    }

    void sortBy(SiteColumn column) {
        sorting = sorting.clicked(column);
    }

    Sorting<SiteRow, SiteColumn> sorting() {
        return sorting;
    }

    List<SiteRow> rows() {
        NameFilter wanted = NameFilter.of(filter);
        List<SiteRow> rows = new ArrayList<>();
        for (ViewsReading.Sites sites : latest) {
            sites.now().ifPresent(now -> add(rows, sites, now, wanted));
        }
        rows.sort(sorting.order());
        return rows;
    }

    private void add(List<SiteRow> rows, ViewsReading.Sites sites, KernelSites now, NameFilter wanted) {
        KernelSites then = before.get(sites.set().id());
        double seconds = then == null ? 0 : (now.readNanos() - then.readNanos()) / 1e9;
        long[] hits = hits(then, now.count());
        Figures[] figures = new Figures[now.count()];
        now.figures().forEach(one -> figures[one.site()] = one);
        for (int i = 0; i < figures.length; i++) {
            String name = now.names().isEmpty() || now.names().get(i).isEmpty() ? "site " + i : now.names().get(i);
            if (wanted.test(name)) {
                Figures one = figures[i] == null ? Figures.none(i) : figures[i];
                rows.add(new SiteRow(sites.set().id(), sites.set().kind(), name, one, seconds > 0 && one.hits() >= hits[i]
                        ? OptionalDouble.of((one.hits() - hits[i]) / seconds) : OptionalDouble.empty()));
            }
        }
    }

    private static long[] hits(KernelSites sites, int count) {
        long[] hits = new long[count];
        if (sites != null) {
            sites.figures().stream().filter(one -> one.site() < count).forEach(one -> hits[one.site()] = one.hits());
        }
        return hits;
    }

    /** What is listed, and what can't be. */
    String summary() {
        List<String> parts = new ArrayList<>();
        long sites = latest.stream().mapToLong(s -> s.now().map(KernelSites::count).orElse(0)).sum();
        long counted = latest.stream().mapToLong(s -> s.now().map(now -> now.figures().size()).orElse(0)).sum();
        if (latest.stream().anyMatch(s -> s.now().isPresent())) {
            parts.add((sites == 1 ? "1 site, " : LatencyFormat.count(sites) + " sites, ") + LatencyFormat.count(counted)
                    + (counted == 1 ? " has" : " have") + " counted something.");
        }
        latest.stream().map(ViewsReading.Sites::note).filter(note -> !note.isEmpty()).distinct().forEach(parts::add);
        return String.join(" ", parts);
    }
}
