// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.JsonForm;
import org.kview.cli.console.Signals;
import org.kview.recording.ProcessLookup;
import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.OwnKernelViews;
import org.kview.targets.Target;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.View;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.SiteSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.ViewMember;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Counts how often somebody comes to places in the kernel, in a view of his own. */
@Command(name = "count", sortOptions = false,
        header = "Counts how often a process, a cgroup or a queue comes to places in the kernel.",
        customSynopsis = {"kview count [--target TARGET] --site SITE...",
                "            (--pid N | --process NAME | --cgroup PATH | --queue DEVICE:N)",
                "            [--follow] [--duration TIME] [--all] [--json]"},
        description = {"", "In a kernel view that is made for it and goes with the end: others pay nothing. Needs the kview module on"
                + " that host, and root there. Ctrl-C ends it, and what was counted is told.", ""},
        footer = {"", "Examples:", "  kview count --target root@web-3 --pid 4711 --site vfs_read --site return:vfs_write",
                "  kview count --target root@web-3 --cgroup /sys/fs/cgroup/system.slice --site tracepoint:syscalls:sys_enter_openat",
                "  kview count --target root@web-3 --queue eth0:3 --site tcp_v4_rcv --duration 1m"})
public final class CountCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @Option(names = "--site", paramLabel = "SITE", required = true, description = "Where to count: vfs_read, the entry of that function;"
            + " return:vfs_read, its returns; tracepoint:sys_enter, a tracepoint;"
            + " tracepoint:sched:sched_switch, a trace event. May be repeated.")
    private List<String> sites;
    @ArgGroup(multiplicity = "1")
    private Who who;
    @Option(names = "--follow", description = "Also the children that the process forks, and what it executes.")
    private boolean follow;
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class, description = "For how long: 10s if not given.")
    private Duration duration = Duration.ofSeconds(10);
    @Option(names = "--all", description = "Tells all sites, also those that have counted nothing.")
    private boolean all;
    @Mixin
    private JsonForm form;

    private static final class Who {
        @Option(names = "--pid", paramLabel = "N", description = "A process that runs.")
        private Integer pid;
        @Option(names = "--process", paramLabel = "NAME", description = "A process that runs, by the name of which there is one.")
        private String process;
        @Option(names = "--cgroup", paramLabel = "PATH", description = "Everybody in a cgroup and below it, by its directory.")
        private String cgroup;
        @Option(names = "--queue", paramLabel = "DEVICE:N", description = "The packets of one receive queue, which a thread has to poll.")
        private String queue;
    }

    public CountCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        List<SiteSpec> wanted = check();
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            ViewMember member = member(agent, host.name());
            long view = OwnKernelViews.make(agent, "kview count");
            // Nothing counts until everything is there: to let a process in may take longer than is to be counted.
            OwnKernelViews.count(agent, view, false);
            OwnKernelViews.add(agent, view, wanted).forEach(console::say);
            OwnKernelViews.attach(agent, view, member);
            ViewsReport report = count(agent, host.name(), view);
            OwnKernelViews.close(agent, view, view);
            form.give(console, report::json, report::text);
            return ExitCode.DONE;
        }
    }

    private List<SiteSpec> check() {
        if (duration.compareTo(LONGEST) > 0) {
            throw new ParameterException(spec.commandLine(), "--duration takes at most a day");
        }
        try {
            if (who.pid != null && who.pid <= 0) {
                throw new IllegalArgumentException("No process has the number " + who.pid);
            } else if (who.cgroup != null && !(ViewMember.parse(who.cgroup, false, false) instanceof ViewMember.Cgroup)) {
                throw new IllegalArgumentException("--cgroup takes the path of a directory");
            } else if (who.queue != null && !(ViewMember.parse(who.queue, false, false) instanceof ViewMember.Queue)) {
                throw new IllegalArgumentException("--queue takes a device and a number, such as eth0:3");
            }
            return sites.stream().map(SiteSpec::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private ViewMember member(Agent agent, String host) throws TargetException, InterruptedException {
        if (who.cgroup != null || who.queue != null) {
            return ViewMember.parse(who.cgroup != null ? who.cgroup : who.queue, false, false);
        }
        ProcessLookup lookup = new ProcessLookup(agent, host);
        ProcessInfo process = who.pid != null ? lookup.byNumber(who.pid) : lookup.byName(who.process);
        return new ViewMember.Process(process.pid(), process.startNanos(), follow, follow);
    }

    private ViewsReport count(Agent agent, String host, long view) throws TargetException, InterruptedException {
        Map<Long, SetSites> read = new LinkedHashMap<>();
        for (KernelViews.SiteSet set : theView(KernelViewList.of(agent), view).sets()) {
            read.put(set.id(), SetSites.of(agent, set.id()));
        }
        console.progress("counting for " + duration.toMillis() / 1000.0 + " s ...");
        CountDownLatch ended = new CountDownLatch(1);
        long begin = OwnKernelViews.count(agent, view, true);
        try (Signals _ = new Signals(ended::countDown)) {
            ended.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        }
        // Then nothing counts while it is read: all numbers are of one instant.
        long end = OwnKernelViews.count(agent, view, false);
        for (Map.Entry<Long, SetSites> set : read.entrySet()) {
            set.setValue(set.getValue().again(agent, set.getKey()).between(begin, end));
        }
        KernelViews listed = KernelViewList.of(agent);
        List<View> one = List.of(theView(listed, view));
        long items = new KernelViews(one, 0, listed.readNanos(), listed.module()).items();
        return new ViewsReport(host, new KernelViews(one, items, listed.readNanos(), listed.module()), read, all,
                begin > 0 ? OptionalLong.of(end - begin) : OptionalLong.empty());
    }

    private static View theView(KernelViews views, long view) throws TargetException {
        return views.views().stream().filter(v -> v.id() == view).findFirst().orElseThrow(() -> new TargetException(
                TargetException.Kind.FAILED, "The view that was made is not among those that the agent told: there are more than it tells at once"));
    }
}
