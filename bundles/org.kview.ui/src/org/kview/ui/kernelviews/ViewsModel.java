// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.Attachment;
import org.kview.targets.values.KernelViews.Counts;
import org.kview.targets.values.KernelViews.Followers;
import org.kview.targets.values.KernelViews.Pages;
import org.kview.targets.values.KernelViews.SiteKind;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.KernelViews.View;
import org.kview.ui.widgets.Sorting;

/** Which kernel views a target has, and how often their sites were reached between the last two readings. Knows no widgets. */
final class ViewsModel {
    private Map<Long, Counts> before = Map.of();
    private Optional<KernelViews> latest = Optional.empty();
    private Sorting<ViewRow, ViewColumn> sorting = new Sorting<>(ViewColumn.AGE, true);

    /** Forgets everything: the next reading is of another target, or of the same one after a pause. */
    void clear() {
        before = Map.of();
        latest = Optional.empty();
    }

    void update(KernelViews next) {
        Map<Long, Counts> counts = new HashMap<>();
        latest.ifPresent(views -> views.views().forEach(view -> view.sets().forEach(
                set -> set.counts().ifPresent(c -> counts.put(set.id(), c)))));
        before = counts;
        latest = Optional.of(next);
    }

    void sortBy(ViewColumn column) {
        sorting = sorting.clicked(column);
    }

    Sorting<ViewRow, ViewColumn> sorting() {
        return sorting;
    }

    /** The last reading. */
    Optional<KernelViews> latest() {
        return latest;
    }

    /** The numbers of the sets that a line stands for: of a view all of its sets, of a set itself, of others none. */
    List<Long> sets(long id) {
        return latest.stream().flatMap(views -> views.views().stream()).flatMap(view -> view.sets().stream()
                .filter(set -> view.id() == id || set.id() == id)).map(SiteSet::id).toList();
    }

    /** The view that a line is, or is of. */
    Optional<View> viewOf(long id) {
        return latest.stream().flatMap(views -> views.views().stream()).filter(view -> view.id() == id
                || view.sets().stream().anyMatch(set -> set.id() == id)
                || view.attachments().stream().anyMatch(attachment -> attachment.id() == id)).findFirst();
    }

    /** The views, with what is in them. */
    List<ViewRow> rows() {
        return sorted(latest.map(views -> views.views().stream().map(this::row).toList()).orElse(List.of()));
    }

    private List<ViewRow> sorted(List<ViewRow> rows) {
        return rows.stream().map(row -> row.with(sorted(row.children()))).sorted(sorting.order()).toList();
    }

    private ViewRow row(View view) {
        List<ViewRow> children = new ArrayList<>(view.attachments().stream().map(ViewsModel::row).toList());
        List<ViewRow> sets = view.sets().stream().map(this::row).toList();
        children.addAll(sets);
        ViewRow.Figures figures = new ViewRow.Figures(OptionalLong.of(view.sites()), OptionalLong.of(view.processes()),
                sum(view, Counts::hits), rate(sets), sum(view, Counts::unseen), sum(view, c -> c.rejected().total()));
        return new ViewRow(view.id(), view.name().isEmpty() ? "view " + view.id() : view.name(), figures, view.memoryBytes(),
                view.pages(), view.pages().addedNanos(), view.ageNanos(), owner(view), note(view), children);
    }

    private static String note(View view) {
        List<String> notes = new ArrayList<>();
        if (view.owner().thisAgent()) {
            notes.add("Made here: it goes with the connection.");
        }
        if (view.closed()) {
            notes.add("Closed: it goes with its last set and attachment.");
        }
        if (view.pages().sharedText() > 0) {
            notes.add("Of its pages of text other views use " + LatencyFormat.count(view.pages().sharedText()) + " as well.");
        }
        if (view.pages().closedNanos() > 0) {
            notes.add("Closing its last set took " + LatencyFormat.nanos(view.pages().closedNanos()) + ".");
        }
        return String.join(" ", notes);
    }

    private static String owner(View view) {
        return view.owner().command() + (view.owner().pid().isPresent() ? " " + view.owner().pid().getAsLong() : ", ended")
                + " (" + view.owner().user() + ")";
    }

    /** Of all its sets; if one of them is not known, neither is the sum. */
    private static OptionalLong sum(View view, ToLongFunction<Counts> figure) {
        if (view.sets().stream().anyMatch(set -> set.counts().isEmpty())) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(view.sets().stream().mapToLong(set -> figure.applyAsLong(set.counts().orElseThrow()))
                .reduce(0, KernelViews::plus));
    }

    private static OptionalDouble rate(List<ViewRow> sets) {
        return sets.isEmpty() || sets.stream().anyMatch(set -> set.figures().hitRate().isEmpty()) ? OptionalDouble.empty()
                : OptionalDouble.of(sets.stream().mapToDouble(set -> set.figures().hitRate().getAsDouble()).sum());
    }

    private ViewRow row(SiteSet set) {
        String kind = kind(set.kind());
        List<String> notes = new ArrayList<>();
        if (!set.active()) {
            notes.add("Switched off: it counts nothing.");
        }
        if (set.filter()) {
            notes.add("A filter in the kernel's own text: every process passes it.");
        }
        if (!set.countsNote().isEmpty()) {
            notes.add(set.countsNote());
        }
        Optional<Counts> counts = set.counts();
        ViewRow.Figures figures = new ViewRow.Figures(OptionalLong.of(set.sites()), OptionalLong.empty(), number(counts, Counts::hits),
                rate(set), number(counts, Counts::unseen), number(counts, c -> c.rejected().total()));
        return new ViewRow(set.id(), set.name().isEmpty() ? kind : kind + " " + set.name(), figures, set.memoryBytes(), Pages.UNKNOWN, 0,
                set.ageNanos(), "", String.join(" ", notes), List.of());
    }

    /** Of several. */
    static String kind(SiteKind kind) {
        return switch (kind) {
            case ENTRY -> "entries";
            case RETURN -> "returns";
            case TRACEPOINT -> "tracepoints";
            case EVENT -> "trace events";
            case UNKNOWN -> "sites";
        };
    }

    private static OptionalLong number(Optional<Counts> counts, ToLongFunction<Counts> figure) {
        return counts.isEmpty() ? OptionalLong.empty() : OptionalLong.of(figure.applyAsLong(counts.get()));
    }

    private OptionalDouble rate(SiteSet set) {
        Optional<Counts> then = Optional.ofNullable(before.get(set.id()));
        return set.counts().flatMap(now -> then.filter(c -> now.readNanos() > c.readNanos() && now.hits() >= c.hits())
                .map(c -> OptionalDouble.of((now.hits() - c.hits()) * 1e9 / (now.readNanos() - c.readNanos()))))
                .orElse(OptionalDouble.empty());
    }

    private static ViewRow row(Attachment attachment) {
        String command = attachment.command().isEmpty() ? "" : " (" + attachment.command() + ")";
        String pid = attachment.pid().isEmpty() ? "that has ended" : Long.toString(attachment.pid().getAsLong());
        String who = switch (attachment.kind()) {
            case PROCESS -> "process " + pid;
            case CGROUP -> "cgroup " + attachment.cgroupId();
            case QUEUE -> "queue, thread " + pid;
            case UNKNOWN -> "attached";
        };
        ViewRow.Figures figures = new ViewRow.Figures(OptionalLong.empty(), OptionalLong.of(attachment.processes()), OptionalLong.empty(),
                OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty());
        return new ViewRow(attachment.id(), (attachment.name().isEmpty() ? who : attachment.name()) + command, figures,
                attachment.memoryBytes(), Pages.UNKNOWN, attachment.attachNanos(), attachment.ageNanos(), "", note(attachment.followers()), List.of());
    }

    /** Who comes by the attachment later on, and who came. */
    private static String note(Followers followers) {
        List<String> notes = new ArrayList<>();
        if (followers.byFork()) {
            notes.add("Children that it forks join.");
        }
        if (followers.byExec()) {
            notes.add("Who executes another program stays.");
        }
        add(notes, followers.joined(), " joined later.");
        add(notes, followers.failed(), " should have joined, and could not.");
        add(notes, followers.left(), " moved out.");
        add(notes, followers.elsewhere(), " in another attachment of the view.");
        return String.join(" ", notes);
    }

    private static void add(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(LatencyFormat.count(count) + what);
        }
    }
}
