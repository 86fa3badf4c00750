// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.ssh.config.HostKeyOptions.Strictness;
import org.kview.ssh.config.HostSettings.Proxy;

/** Builds settings from the configuration's values; where there is none, from OpenSSH's defaults. */
final class SettingsBuilder {
    private static final Pattern TIME_PART = Pattern.compile("(\\d{1,9})([smhdwSMHDW]?)");

    private final SshEnvironment environment;
    private final ConfigValues values;
    private final String original;

    /** Makes the security options, whose values may contain tokens of the other settings. */
    interface Security {
        SecurityOptions of(Tokens tokens) throws SshConfigException;
    }

    SettingsBuilder(SshEnvironment environment, ConfigValues values, String original) {
        this.environment = environment;
        this.values = values;
        this.original = original;
    }

    HostSettings build(Security security) throws SshConfigException {
        String hostName = hostName();
        int port = number("port", HostSettings.DEFAULT_PORT, 1, 65535);
        String user = values.get("user").orElse(environment.user());
        Optional<String> alias = values.get("hostkeyalias").map(a -> a.toLowerCase(Locale.ROOT));
        String jump = values.proxy() instanceof Proxy.Jump j ? j.text() : "";
        Tokens tokens = new Tokens(environment, hostName, original, port, user, alias.orElse(original), jump);
        boolean identitiesGiven = !values.identityFiles().isEmpty();
        boolean batchMode = isSet("batchmode", false);
        LoginOptions login = new LoginOptions(
                paths(tokens, identitiesGiven ? values.identityFiles() : SshConfig.defaultIdentities()),
                isSet("identitiesonly", false), identitiesGiven, agentSocket(tokens), authentications(batchMode),
                number("numberofpasswordprompts", 3, 0, 1000), batchMode);
        HostKeyOptions hostKeys = new HostKeyOptions(
                paths(tokens, values.all("userknownhostsfile")
                        .orElse(List.of("~/.ssh/known_hosts", "~/.ssh/known_hosts2"))),
                paths(tokens, values.all("globalknownhostsfile")
                        .orElse(List.of("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"))),
                strictness(), alias, isSet("hashknownhosts", false));
        TimeLimits limits = new TimeLimits(time("connecttimeout").filter(t -> !t.isZero()), time("serveraliveinterval"),
                number("serveralivecountmax", 3, 0, Integer.MAX_VALUE));
        return new HostSettings(original, hostName, port, user, values.proxy(), hostKeys, login, limits, security.of(tokens));
    }

    private String hostName() throws SshConfigException {
        String text = values.get("hostname").orElse("%h");
        // In lower case, as names are in known_hosts; for an address that makes no difference.
        String name = new Tokens(environment, original, original, 0, "", "", "").expandPercents(text)
                .toLowerCase(Locale.ROOT);
        if (!SshNames.isHost(name)) {
            throw new SshConfigException("The SSH configuration's HostName for " + original
                    + " is no host name; correct it");
        }
        return name;
    }

    private static List<Path> paths(Tokens tokens, List<String> texts) throws SshConfigException {
        List<Path> paths = new ArrayList<>();
        for (String text : texts) {
            if (!text.equalsIgnoreCase("none")) {
                paths.add(tokens.path(text));
            }
        }
        return paths;
    }

    private Optional<Path> agentSocket(Tokens tokens) throws SshConfigException {
        String text = values.get("identityagent").orElse("SSH_AUTH_SOCK");
        if (text.equalsIgnoreCase("none")) {
            return Optional.empty();
        }
        String variable = text.equals("SSH_AUTH_SOCK") ? text
                : text.startsWith("$") && !text.startsWith("${") ? text.substring(1) : "";
        if (variable.isEmpty()) {
            return Optional.of(tokens.path(text));
        }
        return Optional.ofNullable(environment.variables().get(variable)).filter(v -> !v.isEmpty()).map(Path::of);
    }

    private Strictness strictness() throws SshConfigException {
        String text = values.get("stricthostkeychecking").orElse("ask").toLowerCase(Locale.ROOT);
        return switch (text) {
            case "ask" -> Strictness.ASK;
            case "yes", "true" -> Strictness.YES;
            case "accept-new" -> Strictness.ACCEPT_NEW;
            case "no", "false", "off" -> Strictness.NO;
            default -> throw wrong("StrictHostKeyChecking", text);
        };
    }

    private List<String> authentications(boolean batchMode) throws SshConfigException {
        List<String> methods = new ArrayList<>();
        String preferred = values.get("preferredauthentications").orElse("publickey,keyboard-interactive,password");
        boolean interactive = isSet("kbdinteractiveauthentication", isSet("challengeresponseauthentication", true));
        for (String method : preferred.split(",")) {
            boolean taken = switch (method.strip()) {
                case "publickey" -> !values.get("pubkeyauthentication").orElse("yes").matches("(?i)no|false");
                case "keyboard-interactive" -> interactive && !batchMode;
                case "password" -> isSet("passwordauthentication", true) && !batchMode;
                default -> false;
            };
            if (taken && !methods.contains(method.strip())) {
                methods.add(method.strip());
            }
        }
        return methods;
    }

    private boolean isSet(String keyword, boolean otherwise) throws SshConfigException {
        Optional<String> value = values.get(keyword);
        if (value.isEmpty()) {
            return otherwise;
        }
        return switch (value.get().toLowerCase(Locale.ROOT)) {
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw wrong(keyword, value.get());
        };
    }

    private int number(String keyword, int otherwise, int least, int most) throws SshConfigException {
        Optional<String> value = values.get(keyword);
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.get().matches("\\d{1,10}")) {
            long number = Long.parseLong(value.get());
            if (number >= least && number <= most) {
                return (int) number;
            }
        }
        throw wrong(keyword, value.get());
    }

    /** @return empty if not configured, or "none" */
    private Optional<Duration> time(String keyword) throws SshConfigException {
        Optional<String> value = values.get(keyword).filter(v -> !v.equalsIgnoreCase("none"));
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Matcher parts = TIME_PART.matcher(value.get());
        long seconds = 0;
        int end = 0;
        while (parts.lookingAt()) {
            seconds += Long.parseLong(parts.group(1)) * switch (parts.group(2).toLowerCase(Locale.ROOT)) {
                case "m" -> 60;
                case "h" -> 3600;
                case "d" -> 86400;
                case "w" -> 604800;
                default -> 1;
            };
            end = parts.end();
            parts.region(end, value.get().length());
        }
        if (end == 0 || end != value.get().length()) {
            throw wrong(keyword, value.get());
        }
        return Optional.of(Duration.ofSeconds(seconds));
    }

    private SshConfigException wrong(String keyword, String value) {
        return new SshConfigException("The SSH configuration's " + keyword + " for " + original
                + " can't be " + value + "; correct it");
    }
}
