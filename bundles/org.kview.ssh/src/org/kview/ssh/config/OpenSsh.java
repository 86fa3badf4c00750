// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.kview.model.SafeText;

/** Asks the user's own ssh what its configuration means, by {@code ssh -G}. Connects to nothing. */
final class OpenSsh {
    private static final int MAX_BYTES = 1 << 20;
    /** What each ssh program prints without any configuration. */
    private static final Map<Path, Map<String, List<String>>> DEFAULTS = new ConcurrentHashMap<>();

    private final Path program;
    private final SshEnvironment environment;

    private OpenSsh(Path program, SshEnvironment environment) {
        this.program = program;
        this.environment = environment;
    }

    /** @return empty where there is no ssh, or it would read other files */
    static Optional<OpenSsh> of(SshEnvironment environment) {
        if (environment.sshArguments().isEmpty()) {
            return Optional.empty();
        }
        String path = environment.variables().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        for (String folder : path.split(":")) {
            Path program = Path.of(folder).resolve("ssh");
            if (folder.startsWith("/") && Files.isRegularFile(program) && Files.isExecutable(program)) {
                return Optional.of(new OpenSsh(program, environment));
            }
        }
        return Optional.empty();
    }

    /**
     * The values of all options, configured or not, by the option's name in lower case. May run commands, as ssh
     * does: those of {@code Match exec}.
     *
     * @throws SshConfigException with ssh's own words if it refuses the configuration, or the names
     */
    Map<String, List<String>> resolve(SshDestination destination) throws SshConfigException, InterruptedException {
        List<String> arguments = new ArrayList<>(environment.sshArguments().orElseThrow());
        destination.port().ifPresent(port -> arguments.addAll(List.of("-p", Integer.toString(port))));
        destination.user().ifPresent(user -> arguments.addAll(List.of("-l", user)));
        return ask(arguments, destination.host());
    }

    /** What {@link #resolve} gives where nothing is configured. */
    Map<String, List<String>> defaults() throws SshConfigException, InterruptedException {
        Map<String, List<String>> known = DEFAULTS.get(program);
        if (known == null) {
            known = ask(List.of("-F", "none"), "localhost");
            DEFAULTS.put(program, known);
        }
        return known;
    }

    private Map<String, List<String>> ask(List<String> arguments, String host)
            throws SshConfigException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-T", "-G"));
        command.addAll(arguments);
        command.addAll(List.of("--", host));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        builder.environment().putAll(environment.variables());
        try {
            Process process = builder.start();
            try {
                byte[][] errors = { {} };
                Thread reader = Thread.ofVirtual().start(() -> errors[0] = read(process.getErrorStream()));
                byte[] output = read(process.getInputStream());
                reader.join();
                if (process.waitFor() != 0) {
                    throw refused(host, new String(errors[0], StandardCharsets.UTF_8));
                }
                return values(new String(output, StandardCharsets.UTF_8));
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new SshConfigException("The SSH configuration can't be resolved, for " + program
                    + " could not be started (" + e.getMessage() + "); see that 'ssh -G " + host + "' works");
        }
    }

    /** Reads to the end, so that the writer never waits, but keeps a limited part only. */
    private static byte[] read(InputStream in) {
        try (in) {
            byte[] kept = in.readNBytes(MAX_BYTES);
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return kept;
        } catch (IOException e) {
            return new byte[0]; // killed: its exit status says so
        }
    }

    private static SshConfigException refused(String host, String errors) {
        String why = errors.lines().filter(line -> !line.isBlank()).limit(3).collect(Collectors.joining("; "));
        return new SshConfigException("OpenSSH refuses the SSH configuration for " + host + " ("
                + (why.isEmpty() ? "without saying why" : SafeText.line(why, 500)) + "); correct it, and see that 'ssh -G " + host + "' works");
    }

    private static Map<String, List<String>> values(String output) {
        Map<String, List<String>> values = new HashMap<>();
        output.lines().forEach(line -> {
            String[] words = line.split(" ", 2);
            values.computeIfAbsent(words[0], _ -> new ArrayList<>()).add(words.length > 1 ? words[1] : "");
        });
        return values;
    }
}
