// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The configuration of OpenSSH's client, read anew each time: through {@code ssh -G} or, where there is no ssh, from
 * the files themselves. In the latter case {@code CanonicalizeHostname} is not supported, and options that restrict
 * whom to trust with what are refused.
 */
public final class SshConfig {
    private static final int MAX_INCLUDE_DEPTH = 16;
    /** Options that only ssh evaluates: they restrict whom to trust with what, or change where a host is. */
    private static final List<String> REFUSED = List.of("revokedhostkeys", "hostkeyalgorithms", "casignaturealgorithms",
            "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes", "ciphers", "macs", "kexalgorithms", "requiredrsasize",
            "verifyhostkeydns", "knownhostscommand", "permitlocalcommand", "rekeylimit", "canonicalizehostname",
            "proxyusefdpass", "checkhostip", "bindaddress", "bindinterface", "addressfamily", "tag");

    private final SshEnvironment environment;

    public SshConfig(SshEnvironment environment) {
        this.environment = Objects.requireNonNull(environment);
    }

    /**
     * The settings for a destination. May run commands: those of {@code Match exec}.
     *
     * @throws SshConfigException if a file has an error, named with its line
     */
    public HostSettings resolve(SshDestination destination) throws SshConfigException, InterruptedException {
        environment.requireNamed();
        Optional<OpenSsh> ssh = OpenSsh.of(environment);
        if (ssh.isEmpty()) {
            return resolveAlone(destination);
        }
        OpenSshValues found = new OpenSshValues(ssh.get().resolve(destination), ssh.get().defaults());
        return new SettingsBuilder(environment, found.values(), destination.host()).build(found::security);
    }

    /** As {@link #resolve}, without ssh. */
    HostSettings resolveAlone(SshDestination destination) throws SshConfigException, InterruptedException {
        environment.requireNamed();
        Reading reading = new Reading(destination);
        reading.readAll();
        if (reading.finalPassWanted) {
            reading.startFinalPass();
            reading.readAll();
        }
        for (String keyword : REFUSED) {
            if (reading.values.get(keyword).isPresent()) {
                throw new SshConfigException("The SSH configuration has " + keyword + " for " + destination.host()
                        + ", which only OpenSSH's own client can resolve; install it (ssh), or take that option out for"
                        + " this host");
            }
        }
        return new SettingsBuilder(environment, reading.values, destination.host()).build(_ -> SecurityOptions.USUAL);
    }

    /** The host names that stand in the configuration's {@code Host} lines, without patterns. */
    public Set<String> hosts() throws SshConfigException {
        environment.requireNamed();
        Set<String> names = new TreeSet<>();
        for (SshEnvironment.ConfigFile file : environment.configFiles()) {
            collectHosts(file, file.path(), 0, names);
        }
        return names;
    }

    private void collectHosts(SshEnvironment.ConfigFile origin, Path path, int depth, Set<String> names)
            throws SshConfigException {
        for (ConfigLine line : ConfigFiles.read(path, origin.guarded())) {
            if (line.keyword().equals("host")) {
                line.arguments().stream().filter(name -> !name.matches(".*[*?!].*")).forEach(names::add);
            } else if (line.keyword().equals("include") && depth < MAX_INCLUDE_DEPTH) {
                for (String pattern : line.arguments()) {
                    for (Path included : ConfigFiles.matching(includePath(origin, pattern))) {
                        collectHosts(origin, included, depth + 1, names);
                    }
                }
            }
        }
    }

    private Path includePath(SshEnvironment.ConfigFile origin, String pattern) {
        return pattern.startsWith("~/") ? environment.home().resolve(pattern.substring(2))
                : origin.includes().resolve(pattern);
    }

    /** One resolution: the values found while the files are read from top to bottom. */
    private final class Reading implements MatchLine.Subject {
        private final ConfigValues values = new ConfigValues();
        private final SshDestination destination;
        private String host;
        private boolean finalPass;
        private boolean finalPassWanted;

        Reading(SshDestination destination) {
            this.destination = destination;
            this.host = destination.host();
            destination.user().ifPresent(user -> values.preset("user", user));
            destination.port().ifPresent(port -> values.preset("port", Integer.toString(port)));
        }

        void readAll() throws SshConfigException, InterruptedException {
            for (SshEnvironment.ConfigFile file : environment.configFiles()) {
                read(file, file.path(), 0, true);
            }
        }

        void startFinalPass() throws SshConfigException {
            host = hostName().toLowerCase(Locale.ROOT);
            values.replace("hostname", host);
            finalPass = true;
        }

        private void read(SshEnvironment.ConfigFile origin, Path path, int depth, boolean enclosing)
                throws SshConfigException, InterruptedException {
            if (depth > MAX_INCLUDE_DEPTH) {
                throw new SshConfigException("The SSH configuration " + path
                        + " is included by itself or too deeply; take an Include out");
            }
            boolean active = enclosing;
            for (ConfigLine line : ConfigFiles.read(path, origin.guarded())) {
                switch (line.keyword()) {
                    case "host" -> active = enclosing && SshPattern.matchesList(line.arguments(), host);
                    case "match" -> active = enclosing && new MatchLine(line, this, environment).holds();
                    case "include" -> {
                        line.argument();
                        for (String pattern : line.arguments()) {
                            for (Path included : ConfigFiles.matching(includePath(origin, pattern))) {
                                read(origin, included, depth + 1, active);
                            }
                        }
                    }
                    default -> {
                        if (active) {
                            values.set(line);
                        }
                    }
                }
            }
        }

        @Override
        public String hostName() throws SshConfigException {
            Optional<String> replaced = values.get("hostname");
            return replaced.isEmpty() || finalPass ? replaced.orElse(host)
                    : replaced.get().replace("%%", "\0").replace("%h", host).replace('\0', '%');
        }

        @Override
        public String original() {
            return destination.host();
        }

        @Override
        public String remoteUser() {
            return values.get("user").orElse(environment.user());
        }

        @Override
        public boolean isFinalPass() {
            return finalPass;
        }

        @Override
        public void wantFinalPass() {
            finalPassWanted = true;
        }

        @Override
        public Tokens tokens() throws SshConfigException {
            return new Tokens(environment, hostName(), original(),
                    Integer.parseInt(values.get("port").filter(p -> p.matches("\\d{1,5}")).orElse("22")), remoteUser(),
                    values.get("hostkeyalias").orElse(original()), "");
        }
    }

    /** The environment of the user whose configuration this is. */
    public SshEnvironment environment() {
        return environment;
    }

    /**
     * A proxy command with its tokens replaced, to be run by a shell.
     *
     * @param settings as {@link #resolve} returned them
     */
    public String proxyCommand(HostSettings settings, HostSettings.Proxy.Command command) throws SshConfigException {
        return new Tokens(environment, settings.hostName(), settings.original(), settings.port(), settings.user(),
                settings.hostKeys().alias().orElse(settings.original()), "").expandPercents(command.text());
    }

    static List<String> defaultIdentities() {
        return List.of("~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ed25519");
    }
}
