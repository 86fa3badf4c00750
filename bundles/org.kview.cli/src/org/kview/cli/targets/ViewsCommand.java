// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.JsonForm;
import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.Target;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists the kernel views of a host. */
@Command(name = "views", sortOptions = false,
        header = "Lists the kernel views of a host: whose they are, who runs in them, what they counted.",
        customSynopsis = "kview views [--target TARGET] [--view N] [--sites [--duration TIME] [--all]] [--json]",
        description = {"", "Whoever made them; nothing is changed. Needs the kview module on that host, and root there.", ""},
        footer = {"", "Examples:", "  kview views --target root@web-3", "  kview views --json | jq '.views[].sets[].hits'",
                "  kview views --target root@web-3 --view 82 --sites --duration 5s      hits a second at each site"})
public final class ViewsCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private TargetOption target;
    @Option(names = "--view", paramLabel = "N", description = "Only the view of this number.")
    private Long view;
    @Option(names = "--sites", description = "Also tells what each site counted: of each set the first 20 that counted anything,"
            + " the most hits on top.")
    private boolean sites;
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class,
            description = "With --sites: looks twice, so far apart, and tells hits a second as well.")
    private Duration duration;
    @Option(names = "--all", description = "With --sites: all sites, also those that have counted nothing.")
    private boolean all;
    @Mixin
    private JsonForm form;
    @Spec
    private CommandSpec spec;

    public ViewsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (!sites && (duration != null || all)) {
            throw new ParameterException(spec.commandLine(), (all ? "--all" : "--duration") + " is about sites: say --sites, too");
        }
        if (duration != null && duration.compareTo(LONGEST) > 0) {
            throw new ParameterException(spec.commandLine(), "--duration takes at most an hour");
        }
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            KernelViews listed = chosen(KernelViewList.of(agent), host.name());
            ViewsReport report = new ViewsReport(host.name(), listed, sites ? sites(agent, listed) : Map.of(), all, OptionalLong.empty());
            form.give(console, report::json, report::text);
            report.leftOut().ifPresent(console::say);
            return ExitCode.DONE;
        }
    }

    private KernelViews chosen(KernelViews all, String host) throws TargetException {
        if (view == null) {
            return all;
        }
        List<KernelViews.View> one = all.views().stream().filter(v -> v.id() == view).toList();
        if (one.isEmpty()) {
            throw new TargetException(TargetException.Kind.FAILED, all.items() < all.totalItems()
                    ? "Kernel view " + view + " is not among those that the agent on " + host + " told: there are more than it tells at once"
                    : "There is no kernel view " + view + " on " + host + ": 'kview views' lists those that there are");
        }
        KernelViews chosen = new KernelViews(one, 0, all.readNanos(), all.module());
        return new KernelViews(one, chosen.items(), all.readNanos(), all.module());
    }

    private Map<Long, SetSites> sites(Agent agent, KernelViews listed) throws TargetException, InterruptedException {
        Map<Long, SetSites> read = new LinkedHashMap<>();
        for (KernelViews.View one : listed.views()) {
            for (KernelViews.SiteSet set : one.sets()) {
                read.put(set.id(), SetSites.of(agent, set.id()));
            }
        }
        if (duration != null && !read.isEmpty()) {
            console.progress("looking again in " + duration.toMillis() / 1000.0 + " s ...");
            Thread.sleep(duration);
            for (Map.Entry<Long, SetSites> set : read.entrySet()) {
                set.setValue(set.getValue().again(agent, set.getKey()));
            }
        }
        return read;
    }
}
