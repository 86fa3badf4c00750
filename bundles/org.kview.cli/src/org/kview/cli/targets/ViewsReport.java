// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.Locale;
import java.util.Optional;

import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.Attachment;
import org.kview.targets.values.KernelViews.AttachmentKind;
import org.kview.targets.values.KernelViews.Counts;
import org.kview.targets.values.KernelViews.Rejected;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.KernelViews.View;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The kernel views of a host, for people and for programs.
 *
 * @param target its name
 */
record ViewsReport(String target, KernelViews views) {
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
            view.sets().forEach(set -> text.append(line(set)));
        }
        return text.toString();
    }

    private static String heading(View view) {
        return TerminalText.printable("View " + view.id() + (view.name().isEmpty() ? "" : " \"" + view.name() + "\"") + (view.closed() ? ", closed," : "")
                + " of " + view.ownerCommand() + (view.ownerPid().isPresent() ? " (process " + view.ownerPid().getAsLong() + ", "
                        : " (which has ended, ") + view.ownerUser() + "), " + LatencyFormat.nanos(view.ageNanos()) + " old, "
                + ByteFormat.bytes(view.memoryBytes()));
    }

    private static String line(Attachment attachment) {
        return String.format(Locale.ROOT, LINE, id(attachment.kind()), who(attachment), "",
                LatencyFormat.count(attachment.processes()), "", "", "", ByteFormat.bytes(attachment.memoryBytes()));
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
        ObjectNode module = root.putObject("module").put("text_copies", views.module().textCopies());
        put(module.putObject("rejected"), views.module().rejected()).put("left", views.module().left());
        ArrayNode list = root.putArray("views");
        views.views().forEach(view -> put(list.addObject(), view));
        return root.toPrettyString();
    }

    private static void put(ObjectNode node, View view) {
        node.put("id", view.id()).put("name", view.name()).put("closed", view.closed());
        ObjectNode owner = node.putObject("owner");
        view.ownerPid().ifPresent(pid -> owner.put("pid", pid));
        owner.put("user", view.ownerUser()).put("command", view.ownerCommand());
        node.put("age_ns", view.ageNanos()).put("memory_bytes", view.memoryBytes()).put("processes", view.processes())
                .put("sites", view.sites());
        ArrayNode sets = node.putArray("sets");
        view.sets().forEach(set -> put(sets.addObject(), set));
        ArrayNode attachments = node.putArray("attachments");
        view.attachments().forEach(attachment -> put(attachments.addObject(), attachment));
    }

    private static void put(ObjectNode node, SiteSet set) {
        node.put("id", set.id()).put("name", set.name()).put("kind", id(set.kind())).put("filter", set.filter())
                .put("active", set.active()).put("sites", set.sites()).put("memory_bytes", set.memoryBytes()).put("age_ns", set.ageNanos());
        set.counts().ifPresent(c -> {
            node.put("read_ns", c.readNanos()).put("hits", c.hits()).put("sites_hit", c.sitesHit()).put("places", c.places())
                    .put("missed", c.missed()).put("lost_returns", c.lostReturns()).put("lost_records", c.lostRecords());
            put(node.putObject("rejected"), c.rejected());
        });
        if (!set.countsNote().isEmpty()) {
            node.put("counts_note", set.countsNote());
        }
    }

    private static ObjectNode put(ObjectNode node, Rejected rejected) {
        return node.put("interrupts", rejected.inInterrupts()).put("nested", rejected.nested()).put("kernel", rejected.byKernel());
    }

    private static void put(ObjectNode node, Attachment attachment) {
        node.put("id", attachment.id()).put("name", attachment.name()).put("kind", id(attachment.kind()));
        attachment.pid().ifPresent(pid -> node.put("pid", pid).put("command", attachment.command()));
        if (attachment.kind() == AttachmentKind.CGROUP) {
            node.put("cgroup_id", attachment.cgroupId());
        }
        node.put("processes", attachment.processes()).put("memory_bytes", attachment.memoryBytes()).put("age_ns", attachment.ageNanos());
    }

    private static String id(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
