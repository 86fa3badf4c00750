// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.Attachment;
import org.kview.targets.values.KernelViews.AttachmentKind;
import org.kview.targets.values.KernelViews.Counts;
import org.kview.targets.values.KernelViews.Followers;
import org.kview.targets.values.KernelViews.Pages;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.KernelViews.View;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The kernel views of a host, for people and for programs.
 *
 * @param target its name
 * @param sites  by the set's number, where they were asked for
 * @param all    also sites that have counted nothing
 * @param countedNanos for how long they counted; empty where they have since they were made
 */
record ViewsReport(String target, KernelViews views, Map<Long, SetSites> sites, boolean all, OptionalLong countedNanos) {
    private static final String LINE = "  %-12s %-30s %9s %10s %14s %10s %10s %10s%n";

    /** A sentence if there were more than the agent told. */
    Optional<String> leftOut() {
        return views.items() >= views.totalItems() ? Optional.empty() : Optional.of(LatencyFormat.count(views.items()) + " of "
                + LatencyFormat.count(views.totalItems()) + " views, sets and attachments are shown");
    }

    String text() {
        if (views.views().isEmpty()) {
            return "There is no kernel view on " + target + ".\n";
        }
        StringBuilder text = new StringBuilder();
        for (View view : views.views()) {
            text.append(text.isEmpty() ? "" : "\n").append(heading(view)).append('\n');
            text.append(String.format(Locale.ROOT, LINE, "", "", "Sites", "Processes", "Hits", "Missed", "Rejected", "Memory"));
            view.attachments().forEach(attachment -> text.append(line(attachment)));
            for (SiteSet set : view.sets()) {
                text.append(line(set));
                Optional.ofNullable(sites.get(set.id())).ifPresent(s -> text.append(SitesText.text(s, all)));
            }
        }
        countedNanos.ifPresent(nanos -> text.append("Counted for ").append(LatencyFormat.nanos(nanos)).append(".\n"));
        return text.toString();
    }

    private static String heading(View view) {
        return TerminalText.printable("View " + view.id() + (view.name().isEmpty() ? "" : " \"" + view.name() + "\"") + (view.closed() ? ", closed," : "")
                + " of " + view.owner().command() + (view.owner().pid().isPresent() ? " (process " + view.owner().pid().getAsLong() + ", "
                        : " (which has ended, ") + view.owner().user() + "), " + LatencyFormat.nanos(view.ageNanos()) + " old, "
                + ByteFormat.bytes(view.memoryBytes()) + pages(view.pages()));
    }

    private static String pages(Pages pages) {
        return !pages.isKnown() ? "" : ": " + LatencyFormat.count(pages.text()) + " pages of text"
                + (pages.sharedText() > 0 ? " (" + LatencyFormat.count(pages.sharedText()) + " shared)" : "") + ", "
                + LatencyFormat.count(pages.tables()) + " of page tables";
    }

    private static String line(Attachment attachment) {
        String line = String.format(Locale.ROOT, LINE, id(attachment.kind()), who(attachment), "",
                LatencyFormat.count(attachment.processes()), "", "", "", ByteFormat.bytes(attachment.memoryBytes()));
        return attachment.attachNanos() == 0 ? line : line + "      " + attached(attachment) + "\n";
    }

    private static String attached(Attachment attachment) {
        Followers f = attachment.followers();
        List<String> parts = new ArrayList<>(List.of("attached in " + LatencyFormat.nanos(attachment.attachNanos())));
        if (f.byFork() || f.byExec()) {
            parts.add("with " + (f.byFork() ? "children that it forks" : "") + (f.byFork() && f.byExec() ? ", and " : "")
                    + (f.byExec() ? "programs that it executes" : ""));
        }
        add(parts, f.joined(), "joined later");
        add(parts, f.failed(), "could not join");
        add(parts, f.left(), "moved out");
        add(parts, f.elsewhere(), "in another attachment");
        return String.join("; ", parts);
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(LatencyFormat.count(count) + " " + what);
        }
    }

    private static String who(Attachment attachment) {
        String number = attachment.kind() == AttachmentKind.CGROUP ? Long.toString(attachment.cgroupId())
                : attachment.pid().isEmpty() ? "ended" : Long.toString(attachment.pid().getAsLong());
        return TerminalText.printable((attachment.name().isEmpty() ? number : attachment.name())
                + (attachment.command().isEmpty() ? "" : " (" + attachment.command() + ")"));
    }

    private static String line(SiteSet set) {
        String state = (set.name().isEmpty() ? "" : set.name() + " ") + (set.filter() ? "filter, every process pays" : "")
                + (set.active() ? "" : " off");
        Optional<Counts> counts = set.counts();
        String line = String.format(Locale.ROOT, LINE, id(set.kind()), TerminalText.printable(state.strip()), LatencyFormat.count(set.sites()), "",
                counts.map(c -> LatencyFormat.count(c.hits())).orElse("–"), counts.map(c -> LatencyFormat.count(c.unseen())).orElse("–"),
                counts.map(c -> LatencyFormat.count(c.rejected().total())).orElse("–"), ByteFormat.bytes(set.memoryBytes()));
        return set.countsNote().isEmpty() ? line : line + "      " + TerminalText.printable(set.countsNote()) + "\n";
    }

    String json() {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("schema", "kview-views/1").put("target", target).put("read_ns", views.readNanos())
                .put("total_items", views.totalItems()).put("shown_items", views.items());
        countedNanos.ifPresent(nanos -> root.put("duration_ns", nanos));
        ObjectNode module = root.putObject("module").put("text_copies", views.module().textCopies());
        SitesText.put(module.putObject("rejected"), views.module().rejected()).put("left", views.module().left());
        module.put("detach_ns", views.module().detachNanos());
        ArrayNode list = root.putArray("views");
        views.views().forEach(view -> put(list.addObject(), view));
        return root.toPrettyString();
    }

    private void put(ObjectNode node, View view) {
        node.put("id", view.id()).put("name", view.name()).put("closed", view.closed());
        ObjectNode owner = node.putObject("owner");
        view.owner().pid().ifPresent(pid -> owner.put("pid", pid));
        owner.put("user", view.owner().user()).put("command", view.owner().command());
        node.put("age_ns", view.ageNanos()).put("memory_bytes", view.memoryBytes()).put("processes", view.processes())
                .put("sites", view.sites());
        if (view.pages().isKnown()) {
            node.putObject("pages").put("text", view.pages().text()).put("shared_text", view.pages().sharedText())
                    .put("tables", view.pages().tables());
            node.put("set_added_ns", view.pages().addedNanos()).put("set_closed_ns", view.pages().closedNanos());
        }
        ArrayNode sets = node.putArray("sets");
        view.sets().forEach(set -> put(sets.addObject(), set));
        ArrayNode attachments = node.putArray("attachments");
        view.attachments().forEach(attachment -> put(attachments.addObject(), attachment));
    }

    private void put(ObjectNode node, SiteSet set) {
        node.put("id", set.id()).put("name", set.name()).put("kind", id(set.kind())).put("filter", set.filter())
                .put("active", set.active()).put("sites", set.sites()).put("memory_bytes", set.memoryBytes()).put("age_ns", set.ageNanos());
        set.counts().ifPresent(c -> {
            node.put("read_ns", c.readNanos()).put("hits", c.hits()).put("sites_hit", c.sitesHit()).put("places", c.places())
                    .put("missed", c.missed()).put("lost_returns", c.lostReturns()).put("lost_records", c.lostRecords());
            SitesText.put(node.putObject("rejected"), c.rejected());
        });
        if (!set.countsNote().isEmpty()) {
            node.put("counts_note", set.countsNote());
        }
        Optional.ofNullable(sites.get(set.id())).ifPresent(s -> SitesText.put(node, s, all));
    }

    private static void put(ObjectNode node, Attachment attachment) {
        node.put("id", attachment.id()).put("name", attachment.name()).put("kind", id(attachment.kind()));
        attachment.pid().ifPresent(pid -> node.put("pid", pid).put("command", attachment.command()));
        if (attachment.kind() == AttachmentKind.CGROUP) {
            node.put("cgroup_id", attachment.cgroupId());
        }
        node.put("processes", attachment.processes()).put("memory_bytes", attachment.memoryBytes()).put("age_ns", attachment.ageNanos());
        if (attachment.attachNanos() > 0) {
            Followers f = attachment.followers();
            node.put("attach_ns", attachment.attachNanos()).put("follows_forks", f.byFork()).put("follows_execs", f.byExec())
                    .put("joined", f.joined()).put("join_failed", f.failed()).put("left", f.left()).put("elsewhere", f.elsewhere());
        }
    }

    private static String id(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
