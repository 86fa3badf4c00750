// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.JsonForm;
import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.Target;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the kernel views of a host. */
@Command(name = "views", sortOptions = false,
        header = "Lists the kernel views of a host: whose they are, who runs in them, what they counted.",
        customSynopsis = "kview views [--target TARGET] [--json]",
        description = {"", "Whoever made them; nothing is changed. Needs the kview module on that host, and root there.", ""},
        footer = {"", "Examples:", "  kview views --target root@web-3", "  kview views --json | jq '.views[].sets[].hits'"})
public final class ViewsCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private TargetOption target;
    @Mixin
    private JsonForm form;

    public ViewsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Target host = target.target(console);
        console.progress(TargetOption.starting(host.name()));
        try (Agent agent = host.connect()) {
            ViewsReport report = new ViewsReport(host.name(), KernelViewList.of(agent));
            form.give(console, report::json, report::text);
            report.leftOut().ifPresent(console::say);
            return ExitCode.DONE;
        }
    }
}
