// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a user's SSH settings are.
 *
 * @param home        the user's home folder, {@code ~} in the configuration
 * @param user        the local user's name
 * @param configFiles read in this order; those that don't exist are skipped. A single file must exist: it was named
 *                    instead of the usual ones
 * @param variables   the process's environment
 */
public record SshEnvironment(Path home, String user, List<ConfigFile> configFiles, Map<String, String> variables) {
    /** Names a configuration file to be read instead of the usual ones, as {@code ssh -F} does. */
    public static final String CONFIG_VARIABLE = "KVIEW_SSH_CONFIG";

    /**
     * A configuration file.
     *
     * @param path     of the file
     * @param includes the folder that relative names in its {@code Include} lines start from
     * @param guarded  whether it is refused when others than the user and root could have written it
     */
    public record ConfigFile(Path path, Path includes, boolean guarded) {
        public ConfigFile {
            Objects.requireNonNull(path);
            Objects.requireNonNull(includes);
        }
    }

    public SshEnvironment {
        Objects.requireNonNull(home);
        Objects.requireNonNull(user);
        configFiles = List.copyOf(configFiles);
        variables = Map.copyOf(variables);
    }

    /**
     * The arguments by which ssh reads the same files; none for the usual files.
     *
     * @return empty where no arguments can do that
     */
    Optional<List<String>> sshArguments() {
        if (configFiles.equals(usual(Path.of(System.getProperty("user.home"))))) {
            return Optional.of(List.of());
        }
        ConfigFile only = configFiles.size() == 1 ? configFiles.getFirst() : null;
        return only == null || only.guarded() || !Files.exists(only.path()) ? Optional.empty()
                : Optional.of(List.of("-F", only.path().toString()));
    }

    /**
     * Checks a file that was named instead of the usual ones: without it, its restrictions would not apply.
     *
     * @throws SshConfigException if it does not exist, or is not a regular file but a directory or a pipe
     */
    void requireNamed() throws SshConfigException {
        if (configFiles.size() == 1 && !Files.isRegularFile(configFiles.getFirst().path())) {
            throw new SshConfigException("The SSH configuration " + configFiles.getFirst().path() + ", which "
                    + CONFIG_VARIABLE + " names, is no file that can be read; correct that variable, or unset it");
        }
    }

    private static List<ConfigFile> usual(Path home) {
        Path folder = home.resolve(".ssh");
        return List.of(new ConfigFile(folder.resolve("config"), folder, true),
                new ConfigFile(Path.of("/etc/ssh/ssh_config"), Path.of("/etc/ssh"), false));
    }

    /** The environment of this process: {@code ~/.ssh/config}, then {@code /etc/ssh/ssh_config}. */
    public static SshEnvironment ofProcess() {
        Path home = Path.of(System.getProperty("user.home"));
        Path folder = home.resolve(".ssh");
        String other = System.getenv(CONFIG_VARIABLE);
        List<ConfigFile> files = other != null && !other.isEmpty()
                ? List.of(new ConfigFile(Path.of(other), folder, false))
                : usual(home);
        return new SshEnvironment(home, System.getProperty("user.name"), files, System.getenv());
    }
}
