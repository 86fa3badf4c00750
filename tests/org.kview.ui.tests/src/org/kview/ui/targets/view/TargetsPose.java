// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;
import org.kview.ssh.SshPrompter.UnknownHostKey;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetConnection.Origin;
import org.kview.targets.registry.TargetRegistry;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.processes.ProcessesView;
import org.kview.ui.ssh.DialogPrompter;
import org.kview.ui.targets.TargetService;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ToAgent.BodyCase;

/** A made-up fleet of hosts in every state: a picture must not show what runs on the machine that it was taken on. */
public final class TargetsPose {
    private final CountDownLatch patience = new CountDownLatch(1);
    private final TargetService service = Ui.get(TargetService::get);

    private interface Connecting {
        Agent connect() throws TargetException, InterruptedException;
    }

    private record Host(String name, Connecting how) implements Target {
        @Override
        public Agent connect() throws TargetException, InterruptedException {
            return how.connect();
        }
    }

    private static Agent shop(String hostname) throws TargetException, InterruptedException {
        FakeAgent fake = new FakeAgent();
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                .setAgentVersion("0.1.0").setHostname(hostname).setKernelRelease("6.12.48+deb13-amd64").setMachine("x86_64")
                .setCpus(16).addCapabilities(able("btf", "The kernel describes its types."))
                .addCapabilities(able("bpf", "User 0 may load eBPF programs."))
                .addCapabilities(able("uprobe_multi", "Many functions are probed by one request to the kernel."))
                .addCapabilities(able("steal_time", "Time taken by a hypervisor is told apart."))
                .addCapabilities(Capability.newBuilder().setName("kview").setDetail(
                        "The kview module is not loaded: processes are told apart in eBPF programs."))));
        long[] round = new long[1];
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(processes(++round[0])));
        return Agent.connect(fake.start());
    }

    private static Capability able(String name, String detail) {
        return Capability.newBuilder().setName(name).setAvailable(true).setRequired(true).setDetail(detail).build();
    }

    private static ListProcessesReply.Builder processes(long round) {
        String docker = "/system.slice/docker-" + "3f2a91c0be1247d6".repeat(4) + ".scope";
        ListProcessesReply.Builder reply = ListProcessesReply.newBuilder().setBeginNs(round * 2_000_000_000L);
        add(reply, round, 1, 0, "systemd", "root", 1, 0, "/init.scope", "/sbin/init");
        add(reply, round, 612, 1, "sshd", "root", 1, 0, "/system.slice/ssh.service", "sshd: /usr/sbin/sshd -D");
        add(reply, round, 700, 1, "dockerd", "root", 22, 1, "/system.slice/docker.service", "/usr/bin/dockerd -H fd://");
        add(reply, round, 902, 1, "containerd-shim", "root", 11, 0, docker.replace("docker-", "x-"), "/usr/bin/containerd-shim-runc-v2");
        add(reply, round, 930, 902, "checkout", "shop", 9, 148, docker, "/srv/shop/checkout --workers 8 --config /etc/shop/checkout.toml");
        add(reply, round, 961, 930, "checkout-render", "shop", 2, 37, docker, "/srv/shop/checkout-render --pipe 7");
        add(reply, round, 811, 1, "postgres", "postgres", 1, 2, "/system.slice/postgresql.service", "/usr/lib/postgresql/17/bin/postgres");
        add(reply, round, 1210, 811, "postgres", "postgres", 1, 21, "/system.slice/postgresql.service", "postgres: shop orders 10.0.0.3(51812) SELECT");
        add(reply, round, 1211, 811, "postgres", "postgres", 1, 9, "/system.slice/postgresql.service", "postgres: shop orders 10.0.0.3(51814) idle");
        add(reply, round, 840, 1, "redis-server", "redis", 5, 4, "/system.slice/redis.service", "redis-server 127.0.0.1:6379");
        add(reply, round, 870, 1, "nginx", "root", 1, 0, "/system.slice/nginx.service", "nginx: master process /usr/sbin/nginx");
        add(reply, round, 871, 870, "nginx", "www-data", 1, 12, "/system.slice/nginx.service", "nginx: worker process");
        return reply;
    }

    private static void add(ListProcessesReply.Builder reply, long round, int pid, int parent, String name, String user,
            int threads, int percent, String cgroup, String command) {
        reply.addProcesses(Process.newBuilder().setPid(pid).setParentPid(parent).setName(name).setUser(user)
                .setThreads(threads).setCpuTimeNs(percent * (4_000_000_000L + round * 20_000_000L)).setStartTimeNs(pid)
                .setCgroup(cgroup).addArguments(command).setExecutable("/srv/" + name));
    }

    /** Shows the fleet: one host connected, one failed, one that is being connected, one idle. */
    public TargetConnection fleet() throws Exception {
        service.registry().show(List.of(
                new TargetRegistry.Entry(new Host("local", () -> shop("ada")), Origin.LOCAL),
                new TargetRegistry.Entry(new Host("build-7", () -> {
                    patience.await();
                    throw new TargetException(TargetException.Kind.NOT_REACHED, "The picture is taken");
                }), Origin.SSH_CONFIG),
                new TargetRegistry.Entry(new Host("db-1", () -> {
                    throw new TargetException(TargetException.Kind.NOT_REACHED, "The host db-1 showed the ssh-ed25519 key"
                            + " SHA256:kR4nYt8Jp0wQvO2m7XbZs1cUeHfLd9aGiTnBxMyWq3E, but line 12 of /home/ada/.ssh/known_hosts has"
                            + " another one: somebody may be listening in, or the host was set up anew; ask who runs it,"
                            + " and only if the new key is right remove that line");
                }), Origin.SSH_CONFIG),
                new TargetRegistry.Entry(new Host("edge-2", () -> shop("edge-2")), Origin.SSH_CONFIG),
                new TargetRegistry.Entry(new Host("web-3", () -> shop("web-3")), Origin.SSH_CONFIG),
                new TargetRegistry.Entry(new Host("ada@10.0.0.8:2222", () -> shop("lab")), Origin.ADDED)));
        TargetConnection web = connection("web-3");
        service.connect(connection("build-7"));
        service.connect(connection("db-1")).join();
        service.connect(web).join();
        Ui.settle();
        return web;
    }

    private TargetConnection connection(String name) {
        return service.registry().find(name).orElseThrow();
    }

    /** Chooses a host in the Targets view. */
    public void choose(String name) {
        select(connection(name));
    }

    public static void select(TargetConnection... connections) {
        TargetsView view = Ui.view(KviewUi.VIEW_TARGETS, TargetsView.class);
        Ui.run(() -> view.select(connections));
    }

    public List<TargetConnection> several(String... names) {
        return Arrays.stream(names).map(this::connection).toList();
    }

    /** Shows its processes, twice asked for, so that there are CPU shares. */
    public void showProcesses(String name) throws InterruptedException {
        Ui.run(() -> ProcessesView.show(Ui.page(), connection(name)));
        Thread.sleep(4500);
    }

    /** Puts the view aside, and back what there is. */
    public void end() {
        Ui.run(() -> Ui.page().hideView(Ui.page().findViewReference(KviewUi.VIEW_PROCESSES)));
        patience.countDown();
        service.registry().close();
        service.reload();
    }

    private final DialogPrompter prompter = new DialogPrompter(Display.getDefault(), service.secrets(), () -> { }, _ -> { });

    /** Asks whether a host is to be trusted. @param warning may be empty */
    public Shell hostKey(String warning) throws InterruptedException {
        Thread.ofVirtual().start(() -> prompter.confirm(new UnknownHostKey("web-3", "ssh-ed25519",
                "SHA256:kR4nYt8Jp0wQvO2m7XbZs1cUeHfLd9aGiTnBxMyWq3E", warning, "/home/ada/.ssh/known_hosts")));
        return Dialogs.await("Unknown Host Key");
    }

    /** Asks for two things at once, after a wrong answer. */
    public Shell questions() throws InterruptedException {
        Thread.ofVirtual().start(() -> prompter.ask(new Question(new Purpose.Interactive("ada@web-3"),
                "ada@web-3 asks: Two factors are needed here", List.of(new Prompt("Password", true),
                        new Prompt("Verification code", false)), true)));
        return Dialogs.await("Log In to ada@web-3");
    }

    public void dismiss() {
        prompter.dismiss();
        Ui.settle();
    }
}
