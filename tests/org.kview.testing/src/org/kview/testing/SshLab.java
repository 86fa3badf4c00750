// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.kview.ssh.SshPrompter;
import org.kview.ssh.SshTarget;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshDestination;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.values.TargetException;

/**
 * Real OpenSSH servers on loopback ports, with keys, known hosts and a client configuration of their
 * own. Nothing of the machine's own SSH is read or written. Several may be open at once, in one process
 * each after the other's port was taken and user made.
 */
public final class SshLab implements AutoCloseable {
    public static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    /** An option of a server that exchanges keys as it does unless it is configured. */
    public static final String USUAL_KEY_EXCHANGE = "# KexAlgorithms are the server's own\n";
    /** The others: keys that withstand quantum computers take the client most of the CPU time of a connection. */
    private static final String CHEAP_KEY_EXCHANGE = "KexAlgorithms -sntrup*,mlkem*\n";
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final int FIRST_PORT = 3_000;
    private static final int PORTS = 7_000;
    private static final int MOST_PORTS_TRIED = 100;
    private static final int MOST_DELETIONS = 3000;
    private static final Random RANDOM = new Random();
    /** Who looks for a free port or changes the machine's users. */
    private static final Object MACHINE = new Object();

    private final Path folder;
    private final List<Server> servers = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();

    public SshLab() throws Exception {
        assumeTrue(Files.isExecutable(SSHD), "openssh-server is installed");
        // Other users have to get through to their home folders below.
        folder = Files.createTempDirectory("kview-ssh");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (ROOT) {
            // What the server's own unit makes; without it no server starts as root.
            Files.createDirectories(Path.of("/run/sshd"));
        }
        makeKey("id", "ed25519", "");
        Files.copy(folder.resolve("id.pub"), folder.resolve("authorized_keys"));
        Files.writeString(config(), "");
        Files.writeString(knownHosts(), "");
        Files.createDirectories(home());
    }

    /** One server. */
    public final class Server implements AutoCloseable {
        private final int port;
        private final String name;
        private final Process process;

        private Server(String name, String options) throws Exception {
            this.name = name;
            if (!Files.exists(hostKey("ed25519"))) {
                makeKey(name + "_ed25519", "ed25519", "");
            }
            synchronized (MACHINE) {
                int tried = freePort();
                Optional<Process> started = start(tried, options);
                for (int i = 1; started.isEmpty(); i++) {
                    assertThat(i).as("ports that others took first: %s", Files.readString(log())).isLessThan(MOST_PORTS_TRIED);
                    tried = freePort();
                    started = start(tried, options);
                }
                port = tried;
                process = started.get();
            }
        }

        /** Not one that the system gives to whoever connects somewhere meanwhile. */
        private static int freePort() {
            while (true) {
                int port = FIRST_PORT + RANDOM.nextInt(PORTS);
                try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    return free.getLocalPort();
                } catch (IOException e) {
                    // Somebody else's.
                }
            }
        }

        /** Empty where another process has taken the port meanwhile. */
        private Optional<Process> start(int port, String options) throws Exception {
            Path file = folder.resolve(name + ".conf");
            Files.writeString(file, options + """

                    ListenAddress 127.0.0.1:%d
                    PidFile none
                    LogLevel DEBUG
                    StrictModes no
                    UsePAM no
                    PasswordAuthentication no
                    KbdInteractiveAuthentication no
                    PermitRootLogin yes
                    AuthorizedKeysFile %s
                    """.formatted(port, folder.resolve("authorized_keys"))
                    + (options.contains("HostKey ") ? "" : "HostKey " + hostKey("ed25519") + "\n")
                    + (options.contains("KexAlgorithms ") ? "" : CHEAP_KEY_EXCHANGE)
                    + (options.contains("SetEnv ") ? "" : "SetEnv HOME=" + home() + "\n")
                    + (options.contains("Subsystem ") ? "" : "Subsystem sftp /usr/lib/openssh/sftp-server\n"));
            Process started = new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", file.toString())
                    .redirectErrorStream(true).redirectOutput(log().toFile()).start();
            // Not by connecting: until it listens, that can reach oneself, whose port it then can't have.
            for (int i = 0; !Files.readString(log()).contains("Server listening on 127.0.0.1 port " + port); i++) {
                if (!started.isAlive() && Files.readString(log()).contains("Address already in use")) {
                    return Optional.empty();
                }
                assertThat(started.isAlive() && i < 5000).as(Files.readString(log())).isTrue();
                Thread.sleep(20);
            }
            return Optional.of(started);
        }

        public int port() {
            return port;
        }

        public String hostName() {
            return "[127.0.0.1]:" + port;
        }

        public Path log() {
            return folder.resolve(name + ".log");
        }

        public Path hostKey(String type) {
            return folder.resolve(name + "_" + type);
        }

        public Process process() {
            return process;
        }

        /** A line of known_hosts for this server. */
        public String knownHostsLine(String type) throws IOException {
            return hostName() + " " + Files.readString(folder.resolve(hostKey(type).getFileName() + ".pub"));
        }

        public Server trusted() throws IOException {
            Files.writeString(knownHosts(), knownHostsLine("ed25519"), java.nio.file.StandardOpenOption.APPEND);
            return this;
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    public Server server(String name, String options) throws Exception {
        Server server = new Server(name, options);
        servers.add(server);
        return server;
    }

    public Path folder() {
        return folder;
    }

    public Path config() {
        return folder.resolve("config");
    }

    public Path knownHosts() {
        return folder.resolve("known_hosts");
    }

    /** The home folder of whoever logs in as the user who runs the tests. */
    public Path home() {
        return folder.resolve("home");
    }

    public Path agents(Path home) {
        return home.resolve(".cache/kview-workbench/agents");
    }

    public Path makeKey(String name, String type, String passphrase, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("ssh-keygen", "-q", "-t", type, "-N", passphrase, "-C", name, "-f",
                folder.resolve(name).toString()));
        command.addAll(List.of(options));
        if (type.equals("rsa") && !command.contains("-b")) {
            // The usual 3072 take several times as long to find.
            command.addAll(List.of("-b", "2048"));
        }
        run(command);
        return folder.resolve(name);
    }

    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(command + ": " + output).isZero();
        return output;
    }

    public static String run(String... command) throws IOException, InterruptedException {
        return run(List.of(command));
    }

    /** Lets the holder of that key in, and nobody else any more. */
    public void authorize(Path key) throws IOException {
        Files.copy(key.resolveSibling(key.getFileName() + ".pub"), folder.resolve("authorized_keys"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    /** Sets the client's configuration; the key "id" is tried and no other unless it says otherwise. */
    public void configure(String text) throws IOException {
        Files.writeString(config(), text + """

                Host *
                  UserKnownHostsFile %s
                  GlobalKnownHostsFile none
                """.formatted(knownHosts()) + (text.contains("IdentityFile") ? "" : "  IdentityFile " + folder.resolve("id") + "\n")
                + (text.contains("IdentityAgent") ? "" : "  IdentityAgent none\n")
                // More than any server takes, however busy the machine is.
                + (text.contains("ConnectTimeout") ? "" : "  ConnectTimeout 120\n"));
    }

    public void variable(String name, String value) {
        variables.put(name, value);
    }

    public SshTarget target(String destination, Path agent, SshPrompter prompter) throws Exception {
        if (Files.readString(config()).isEmpty()) {
            configure("");
        }
        return new SshTarget(SshDestination.parse(destination), sshConfig(), agent, prompter);
    }

    /** What {@link #configure} wrote, as it is whenever it is asked. */
    public SshConfig sshConfig() {
        return new SshConfig(new SshEnvironment(folder, System.getProperty("user.name"),
                List.of(new SshEnvironment.ConfigFile(config(), folder, false)), variables));
    }

    public SshTarget target(Server server, Path agent, SshPrompter prompter) throws Exception {
        return target("127.0.0.1:" + server.port(), agent, prompter);
    }

    /** Makes a user with an empty home folder below {@link #folder()}; it is removed at the end. */
    public String addUser(String passwordHash) throws Exception {
        assumeTrue(ROOT, "users can be made");
        String name = "kviewt" + Long.toString(System.nanoTime() % 0xffffffffL, 36);
        users.add(name);
        synchronized (MACHINE) {
            run("useradd", "--no-log-init", "--create-home", "--home-dir", folder.resolve(name).toString(), "--shell", "/bin/bash",
                    "--password", passwordHash, name);
        }
        return name;
    }

    /** Adds lines to the rules of sudo; they are removed with the user. */
    public void sudoers(String user, String text) throws Exception {
        Path file = sudoersFile(user);
        Files.writeString(file, text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
        run("visudo", "-cf", file.toString());
    }

    private static Path sudoersFile(String user) {
        return Path.of("/etc/sudoers.d").resolve(user);
    }

    /** The failure of a connection that must not succeed. */
    public static TargetException failure(SshTarget target) throws InterruptedException {
        try (var agent = target.connect()) {
            throw new AssertionError("connected to " + agent.host());
        } catch (TargetException e) {
            return e;
        }
    }

    @Override
    public void close() throws Exception {
        servers.forEach(Server::close);
        for (Server server : servers) {
            server.process.waitFor();
        }
        for (String user : users) {
            Files.deleteIfExists(sudoersFile(user));
            synchronized (MACHINE) {
                new ProcessBuilder("userdel", "--force", user).redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            }
        }
        deleteFolder();
    }

    /** Agents that lost their server may end only now, and still change their files. */
    private void deleteFolder() throws InterruptedException {
        for (int i = 0; i < MOST_DELETIONS; i++) {
            try {
                deleteFiles();
                return;
            } catch (IOException | UncheckedIOException e) {
                assertThat(i).as("%s can't be removed: %s", folder, e).isLessThan(MOST_DELETIONS - 1);
                Thread.sleep(20);
            }
        }
    }

    private void deleteFiles() throws IOException {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
