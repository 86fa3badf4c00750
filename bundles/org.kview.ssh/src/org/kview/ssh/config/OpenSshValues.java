// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Turns the output of {@code ssh -G} into a configuration's values. */
final class OpenSshValues {
    private static final List<String> TAKEN = List.of("hostname", "port", "user", "hostkeyalias", "identitiesonly",
            "identityagent", "stricthostkeychecking", "hashknownhosts", "serveralivecountmax", "connecttimeout", "batchmode",
            "preferredauthentications", "pubkeyauthentication", "kbdinteractiveauthentication", "passwordauthentication",
            "numberofpasswordprompts");
    private static final List<String> FILES = List.of("userknownhostsfile", "globalknownhostsfile");
    /** Debian's ssh uses this interval in batch mode even where it was not configured. */
    private static final String DEBIANS_INTERVAL = "300";

    private final Map<String, List<String>> found;
    private final Map<String, List<String>> defaults;

    OpenSshValues(Map<String, List<String>> found, Map<String, List<String>> defaults) {
        this.found = found;
        this.defaults = defaults;
    }

    /** @throws SshConfigException if an option is set that decides who is trusted, and that is not supported here */
    ConfigValues values() throws SshConfigException {
        if (!one("knownhostscommand").orElse("none").equals("none")) {
            throw refused("KnownHostsCommand");
        }
        for (String option : List.of("ProxyUseFdpass", "CheckHostIP")) {
            if (one(option.toLowerCase(Locale.ROOT)).orElse("no").equals("yes")) {
                throw refused(option);
            }
        }
        for (String option : List.of("BindAddress", "BindInterface")) {
            if (one(option.toLowerCase(Locale.ROOT)).filter(v -> !v.isEmpty()).isPresent()) {
                throw refused(option);
            }
        }
        ConfigValues values = new ConfigValues();
        for (String keyword : TAKEN) {
            Optional<String> value = one(keyword).filter(v -> !v.isEmpty());
            // In the host name ssh has replaced the tokens already: it must not be expanded again.
            value.ifPresent(text -> values.preset(keyword, keyword.equals("hostname") ? text.replace("%", "%%") : text));
        }
        for (String keyword : FILES) {
            one(keyword).ifPresent(text -> values.preset(keyword, files(text)));
        }
        // A configured 0 and no configured value can't be told apart.
        one("serveraliveinterval").filter(v -> !v.equals("0")
                && !(v.equals(DEBIANS_INTERVAL) && one("batchmode").equals(Optional.of("yes"))))
                .ifPresent(v -> values.preset("serveraliveinterval", v));
        if (!found.getOrDefault("identityfile", List.of()).equals(defaults.get("identityfile"))) {
            found.getOrDefault("identityfile", List.of()).forEach(values::addIdentityFile);
        }
        one("proxyjump").ifPresent(text -> values.setProxy(HostSettings.Proxy.jump(text)));
        one("proxycommand").ifPresent(text -> values.setProxy(HostSettings.Proxy.command(text)));
        return values;
    }

    SecurityOptions security(Tokens tokens) throws SshConfigException {
        Optional<String> revoked = one("revokedhostkeys").filter(v -> !v.equalsIgnoreCase("none"));
        Optional<String> command = one("permitlocalcommand").filter("yes"::equals).flatMap(_ -> one("localcommand"))
                .filter(v -> !v.equalsIgnoreCase("none"));
        String rekey = one("rekeylimit").orElse("0 0").split(" ")[0];
        return new SecurityOptions(algorithms("ciphers"), algorithms("macs"), algorithms("kexalgorithms"),
                algorithms("hostkeyalgorithms"), algorithms("pubkeyacceptedalgorithms"),
                one("casignaturealgorithms").map(v -> List.of(v.split(",")))
                        .orElse(SecurityOptions.USUAL.caSignatureAlgorithms()),
                one("requiredrsasize").filter(v -> v.matches("\\d{1,6}")).map(Integer::parseInt)
                        .orElse(SecurityOptions.USUAL.leastRsaBits()),
                revoked.isEmpty() ? Optional.empty() : Optional.of(tokens.path(revoked.get())),
                command.isEmpty() ? Optional.empty() : Optional.of(tokens.expandPercents(command.get())),
                rekey.matches("[1-9]\\d{0,17}") ? OptionalLong.of(Long.parseLong(rekey)) : OptionalLong.empty(),
                addressFamily());
    }

    private AddressFamily addressFamily() throws SshConfigException {
        return switch (one("addressfamily").orElse("any")) {
            case "any" -> AddressFamily.ANY;
            case "inet" -> AddressFamily.INET;
            case "inet6" -> AddressFamily.INET6;
            default -> throw refused("AddressFamily");
        };
    }

    /** Only where they were configured; otherwise the values are ssh's own, and the SSH library's choice is used. */
    private Optional<List<String>> algorithms(String keyword) {
        return one(keyword).filter(v -> !List.of(v).equals(defaults.get(keyword))).map(v -> List.of(v.split(",")));
    }

    private Optional<String> one(String keyword) {
        return Optional.ofNullable(found.get(keyword)).map(List::getFirst);
    }

    /** ssh prints paths without quotes, separated by blanks: a word that can't begin a path continues the last one. */
    private static List<String> files(String text) {
        List<String> files = new ArrayList<>();
        for (String word : text.split(" ")) {
            if (files.isEmpty() || word.matches("[/~%$].*")) {
                files.add(word);
            } else {
                files.add(files.removeLast() + " " + word);
            }
        }
        return files;
    }

    private static SshConfigException refused(String option) {
        return new SshConfigException("The SSH configuration has " + option + " for this host, which Kview can't honour;"
                + " take it out for this host, as with 'Match host …' and another value, or connect another way");
    }
}
