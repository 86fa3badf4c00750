// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * An OpenSSH server on a loopback port, with keys, a client configuration and a home folder of its own. Nothing of the
 * machine's own SSH is read or written.
 */
record SshServer(Path folder, int port, Process process) implements AutoCloseable {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 10_000;
    private static final Random RANDOM = new Random();
    private static final Set<Integer> GIVEN = new HashSet<>();

    /** @param options lines of its configuration, before all others */
    static SshServer start(Path folder, String options) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SSHD), "openssh-server is installed");
        if (System.getProperty("user.name").equals("root")) {
            // What the server's own unit makes; without it no server starts as root.
            Files.createDirectories(Path.of("/run/sshd"));
        }
        for (String key : List.of("host", "id")) {
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.resolve(key).toString());
        }
        int port = freePort();
        Files.createDirectories(folder.resolve("home"));
        Files.writeString(folder.resolve("known_hosts"), "[127.0.0.1]:" + port + " " + Files.readString(folder.resolve("host.pub")));
        Files.writeString(folder.resolve("config"), """
                Host *
                  IdentityFile %1$s/id
                  IdentityAgent none
                  UserKnownHostsFile %1$s/known_hosts
                  GlobalKnownHostsFile none
                  ConnectTimeout 120
                """.formatted(folder));
        Files.writeString(folder.resolve("sshd.conf"), options + (options.contains("SetEnv") ? "" : "\nSetEnv HOME=" + folder + "/home") + """

                ListenAddress 127.0.0.1:%2$d
                HostKey %1$s/host
                AuthorizedKeysFile %1$s/id.pub
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin yes
                Subsystem sftp internal-sftp
                """.formatted(folder, port));
        return listen(folder, port);
    }

    /** Not one that the system gives to whoever connects somewhere meanwhile; each is given once, as servers start side by side. */
    private static synchronized int freePort() {
        while (true) {
            int port = FIRST_PORT + RANDOM.nextInt(PORTS);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(port)) {
                    return port;
                }
            } catch (IOException e) {
                // Somebody else's.
            }
        }
    }

    private static SshServer listen(Path folder, int port) throws IOException, InterruptedException {
        Path log = folder.resolve("sshd.log");
        Process process = new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", folder.resolve("sshd.conf").toString())
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        // Not by connecting: until it listens, that can reach oneself, whose port it then can't have.
        for (int i = 0; !Files.readString(log).contains("Server listening on 127.0.0.1 port " + port); i++) {
            assertThat(process.isAlive() && i < 5000).as(Files.readString(log)).isTrue();
            Thread.sleep(20);
        }
        return new SshServer(folder, port, process);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    String target() {
        return System.getProperty("user.name") + "@127.0.0.1:" + port;
    }

    /** Kview with this server's client configuration. */
    ProcessBuilder kview(Path workingDirectory, String... arguments) {
        ProcessBuilder builder = Kview.builder(workingDirectory, arguments);
        builder.environment().put("KVIEW_SSH_CONFIG", folder.resolve("config").toString());
        return builder;
    }

    Kview.Result run(Path workingDirectory, String... arguments) throws IOException, InterruptedException {
        try (Running running = Running.start(kview(workingDirectory, arguments))) {
            return running.await();
        }
    }

    /** Kills the server and the processes that serve its connections, but nothing that they started. */
    void kill() throws InterruptedException {
        List<ProcessHandle> connections = process.children().toList();
        // The listening one first: whoever lost a connection could have another one at once.
        process.destroyForcibly().waitFor();
        connections.forEach(ProcessHandle::destroyForcibly);
    }

    /** The agents that run for users of this server. */
    List<ProcessHandle> agents() {
        return ProcessHandle.allProcesses().filter(p -> p.info().command().orElse("").startsWith(folder + "/home/")).toList();
    }

    /** What the one agent that runs for a user of this server has attached. */
    Attached attached() throws IOException {
        assertThat(agents()).as("agents").hasSize(1);
        return Attached.by(agents().getFirst().pid());
    }

    /** The same server once more, after {@link #kill}. */
    SshServer again() throws IOException, InterruptedException {
        return listen(folder, port);
    }

    @Override
    public void close() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
