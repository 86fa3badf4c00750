// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kview.ssh.config.HostSettings.Proxy;

/** The same files, resolved by this program and by {@code ssh -G}. */
class OpenSshComparisonTest {
    private static final Path HOME = Path.of(System.getProperty("user.home"));

    @TempDir
    Path folder;
    private Path config;

    @BeforeEach
    void writeIncludes() throws IOException {
        config = folder.resolve("config");
        Files.createDirectories(folder.resolve("d"));
        Files.writeString(folder.resolve("d/10-one"), "User one\nHost inner\n  Port 1010\n");
        Files.writeString(folder.resolve("d/20-two"), "User two\nServerAliveInterval 20\nInclude " + folder + "/deeper\n");
        Files.writeString(folder.resolve("d/.hidden"), "HostName hidden\n");
        Files.writeString(folder.resolve("deeper"), "Host deep*\n  HostKeyAlias from-deeper\n");
    }

    static Stream<String> cases() {
        return Stream.of(
                "plain", "user@plain", "plain:2200 => ", "[::1]:2222 => ", "UPPER => HostName %h.Example.COM",
                "a => Host a b\n User x\nHost *\n User y\n Port 23",
                "b => Host a b\n User x\nHost *\n User y\n Port 23",
                "c => Host a b\n User x\nHost *\n User y\n Port 23",
                "me@a => Host a\n User x", "a:99 => Host a\n Port 23",
                "web7 => Host web? !web3\n User w", "web3 => Host web? !web3\n User w",
                "web10 => Host web? !web3\n User w", "x => Host !x *\n User w", "y => Host !x *\n User w",
                "a => Host = a\n User=x\n Port = 7", "a => HostName \"quoted.example\" # comment",
                "a =>   # comment\n\n\tUser\ttabbed  ", "a => HOSTNAME upper\nuser MixedCase",
                "a => HostName %h%%x\nUser u", "a => HostName=%h.example\nMatch host a.example\n User m",
                "a => HostName=%h.example\nMatch host a\n User m", "a => HostName b\nMatch originalhost a\n User m",
                "a => User first\nMatch user first\n Port 5", "joe@a => Match user joe\n Port 5",
                "a => Match user joe\n Port 5", "a => Match localuser root\n Port 5",
                "a => Match localuser !root,*\n Port 5", "a => Match !host b\n Port 5", "a => Match !host a\n Port 5",
                "a => Match host x,a,y user *\n Port 5", "a => Match all\n Port 5", "a => Match host b\n Port 5\nMatch all\n Port 6",
                "a => Match exec \"test %h = a\"\n Port 5", "a => Match exec \"test %n = b\"\n Port 5",
                "a => Match host b exec \"touch FOLDER/ran\"\n Port 5", "a => Match !exec false\n Port 5",
                "a => Match final\n Port 5", "A => HostName B.example\nMatch final host b.example\n Port 5",
                "A => Host a\n User low\nMatch final all\n Port 5", "a => Match !final host a\n Port 5",
                "a => Match canonical\n Port 5", "a => Match final all\n IdentityFile /f\nHost a\n IdentityFile /g",
                "a => IdentityFile ~/.ssh/one\nIdentityFile /two\nHost a\n IdentityFile ~/.ssh/one\n IdentityFile three",
                "a => IdentityFile \"/with blank/key\"\nIdentitiesOnly yes", "a => IdentityFile none",
                "a => IdentityFile ~/%h-%r-%p\nUser u\nPort 9", "a => IdentitiesOnly true",
                "a => ProxyJump j", "a => ProxyJump u@j:22,k,ssh://v@l:9", "a => ProxyJump none",
                "a => ProxyCommand nc -X 5 %h %p # not a comment\nProxyJump j", "a => ProxyJump j\nProxyCommand nc %h %p",
                "a => ProxyCommand none\nProxyJump j", "a => ProxyJump none\nProxyJump j",
                "j => Host * !j\n ProxyJump j", "a => Host * !j\n ProxyJump j",
                "a => UserKnownHostsFile /k1 /k2", "a => UserKnownHostsFile \"/k 1\" ~/k2\nUserKnownHostsFile /no",
                "a => UserKnownHostsFile none", "a => UserKnownHostsFile /dev/null\nGlobalKnownHostsFile /g1 /g2",
                "a => StrictHostKeyChecking yes", "a => StrictHostKeyChecking no", "a => StrictHostKeyChecking off",
                "a => StrictHostKeyChecking accept-new\nStrictHostKeyChecking no", "a => StrictHostKeyChecking ask",
                "a => HostKeyAlias Alias", "a => HostKeyAlias other\nHostKeyAlias no", "a => HashKnownHosts yes",
                "a => ServerAliveInterval 15\nServerAliveCountMax 2", "a => ServerAliveInterval 1m30s",
                "a => ServerAliveInterval 0", "a => ConnectTimeout 5", "a => ConnectTimeout 1m", "a => ConnectTimeout none",
                "a => BatchMode yes", "a => PasswordAuthentication no", "a => KbdInteractiveAuthentication no",
                "a => ChallengeResponseAuthentication no", "a => PubkeyAuthentication no",
                "a => PreferredAuthentications password,publickey", "a => NumberOfPasswordPrompts 1",
                "a => IdentityAgent none", "a => IdentityAgent /run/agent", "a => IdentityAgent ~/agent-%r\nUser u",
                "inner => Include FOLDER/d/*", "other => Include FOLDER/d/*", "deep1 => Include FOLDER/d/*",
                "deep1 => Host deep1\n Include FOLDER/d/20-two\n Port 3", "b => Host deep1\n Include FOLDER/d/20-two\n Port 3",
                "b => Host deep1\n Include FOLDER/d/20-two\nHost b\n Port 3", "a => Include FOLDER/none/* FOLDER/d/10*",
                "inner => Match host inner\n Include FOLDER/d/1?-one\nMatch all\n User late",
                "a => Include FOLDER/d/[12]0-*", "a => Host a\n Include FOLDER/d/*\n User after",
                "a => SendEnv LANG LC_*\nForwardAgent no\nUser kept", "a => TCPKeepAlive yes\nCompression yes\nPort 12",
                "a => User u\nUser v\nPort 1\nPort 2", "a => Host *.dom a\n User pat", "x.dom => Host *.dom a\n User pat",
                "a => Host a\n\n  User indented\n# c\n  Port 77\nHost b\n  Port 78");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agrees(String text) throws Exception {
        String[] parts = text.split(" => ", 2);
        Files.writeString(config, (parts.length > 1 ? parts[1] : "").replace("FOLDER", folder.toString()) + "\n");
        SshDestination destination = SshDestination.parse(parts[0]);

        Map<String, Object> theirs = theirs(destination);
        assertThat(ours(config().resolve(destination))).isEqualTo(theirs);
        assertThat(ours(config().resolveAlone(destination))).as("without ssh").isEqualTo(theirs);
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void errorsNameTheLine() throws Exception {
        for (String wrong : List.of("User", "Match host", "Match nothing x", "HostName \"open")) {
            Files.writeString(config, "Port 22\n" + wrong + "\n");
            assertThatThrownBy(() -> config().resolveAlone(SshDestination.parse("a")))
                    .isInstanceOf(SshConfigException.class).hasMessageContaining("Line 2 of " + config);
            assertThatThrownBy(() -> config().resolve(SshDestination.parse("a")))
                    .isInstanceOf(SshConfigException.class).hasMessageContaining(config + " line 2");
        }
        Files.writeString(config, "Include " + config + "\n");
        assertThatThrownBy(() -> config().resolveAlone(SshDestination.parse("a")))
                .hasMessageContaining("included by itself");
        assertThatThrownBy(() -> config().resolve(SshDestination.parse("a")))
                .hasMessageContaining("Too many recursive configuration includes");
    }

    @Test
    void aConfigurationThatOthersCanWriteIsRefused() throws Exception {
        Files.writeString(config, "ProxyCommand evil\n");
        Files.setPosixFilePermissions(config, java.nio.file.attribute.PosixFilePermissions.fromString("rw-rw-r--"));
        var environment = new SshEnvironment(HOME, "root",
                List.of(new SshEnvironment.ConfigFile(config, folder, true)), Map.of());
        assertThatThrownBy(() -> new SshConfig(environment).resolve(SshDestination.parse("a")))
                .isInstanceOf(SshConfigException.class).hasMessageContaining("chmod 600");
    }

    @Test
    void anAddressFamilyIsNotPassedOver() throws Exception {
        for (var family : Map.of("inet", AddressFamily.INET, "inet6", AddressFamily.INET6, "any", AddressFamily.ANY).entrySet()) {
            Files.writeString(config, "AddressFamily " + family.getKey() + "\n");
            SshDestination destination = SshDestination.parse("a");
            assertThat(config().resolve(destination).security().addressFamily()).isEqualTo(family.getValue());
            assertThatThrownBy(() -> config().resolveAlone(destination)).isInstanceOf(SshConfigException.class)
                    .hasMessageContaining("addressfamily");
        }
    }

    @Test
    void namesHostsForAChooser() throws Exception {
        Files.writeString(config, "Host b a !x *.y\nHost c?\nInclude " + folder + "/d/*\nMatch host z\n User q\n");
        assertThat(config().hosts()).containsExactly("a", "b", "inner");
    }

    /** Without the restrictions of a named file everything would be allowed; ssh -F refuses the first case, too. */
    @Test
    void aNamedConfigurationHasToBeAFile() {
        SshDestination destination = new SshDestination(Optional.empty(), "a", OptionalInt.empty());
        for (Path named : List.of(folder.resolve("cgf"), folder.resolve("d"), Path.of("/dev/null"))) {
            for (ThrowingCallable use : List.<ThrowingCallable>of(() -> config(named).resolve(destination),
                    () -> config(named).resolveAlone(destination), () -> config(named).hosts())) {
                assertThatThrownBy(use).isInstanceOf(SshConfigException.class).hasMessageContaining("KVIEW_SSH_CONFIG")
                        .hasMessageContaining(named.toString());
            }
        }
    }

    private SshConfig config() {
        return config(config);
    }

    private static SshConfig config(Path file) {
        return new SshConfig(new SshEnvironment(HOME, System.getProperty("user.name"),
                List.of(new SshEnvironment.ConfigFile(file, HOME.resolve(".ssh"), false)), System.getenv()));
    }

    private static Map<String, Object> ours(HostSettings s) throws Exception {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hostname", s.hostName());
        map.put("port", Integer.toString(s.port()));
        map.put("user", s.user());
        map.put("identityfile", s.login().identityFiles());
        map.put("identitiesonly", word(s.login().identitiesOnly()));
        map.put("proxyjump", s.proxy() instanceof Proxy.Jump jump
                ? jump.hops().stream().map(SshDestination::toString).collect(Collectors.joining(",")) : "");
        map.put("proxycommand", s.proxy() instanceof Proxy.Command command ? command.text() : "");
        map.put("userknownhostsfile", s.hostKeys().userFiles());
        map.put("globalknownhostsfile", s.hostKeys().globalFiles());
        map.put("stricthostkeychecking", s.hostKeys().strictness().name().toLowerCase(Locale.ROOT));
        map.put("hostkeyalias", s.hostKeys().alias().orElse(""));
        map.put("hashknownhosts", word(s.hostKeys().hashNames()));
        map.put("serveraliveinterval", s.limits().aliveInterval().orElse(Duration.ZERO).toSeconds());
        map.put("serveralivecountmax", Integer.toString(s.limits().aliveCountMax()));
        map.put("connecttimeout", s.limits().connect().orElse(Duration.ZERO).toSeconds());
        map.put("batchmode", word(s.login().batchMode()));
        map.put("authentications", s.login().authentications());
        map.put("numberofpasswordprompts", Integer.toString(s.login().passwordPrompts()));
        map.put("identityagent", s.login().agentSocket().map(Path::toString).orElse("none"));
        return map;
    }

    private Map<String, Object> theirs(SshDestination d) throws Exception {
        List<String> command = new ArrayList<>(List.of("ssh", "-G", "-F", config.toString()));
        d.port().ifPresent(port -> command.addAll(List.of("-p", Integer.toString(port))));
        d.user().ifPresent(user -> command.addAll(List.of("-l", user)));
        command.add(d.host());
        Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(new String(process.getErrorStream().readAllBytes())).isZero();
        Map<String, List<String>> values = new LinkedHashMap<>();
        output.lines().forEach(line -> {
            String[] words = line.split(" ", 2);
            values.computeIfAbsent(words[0], k -> new ArrayList<>()).add(words.length > 1 ? words[1] : "");
        });
        String jump = one(values, "proxyjump", "");
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hostname", one(values, "hostname", ""));
        map.put("port", one(values, "port", ""));
        map.put("user", one(values, "user", ""));
        Tokens tokens = new Tokens(config().environment(), one(values, "hostname", ""), d.host(),
                Integer.parseInt(one(values, "port", "")), one(values, "user", ""), d.host(), "");
        List<Path> identities = new ArrayList<>();
        // Hardware tokens' keys and experimental keys are not supported, so they are not among our defaults.
        for (String file : values.getOrDefault("identityfile", List.of())) {
            if (!file.matches(".*/id_(.*_sk|xmss|dsa)") && !file.equals("none")) {
                identities.add(tokens.path(file));
            }
        }
        map.put("identityfile", identities);
        map.put("identitiesonly", one(values, "identitiesonly", ""));
        map.put("proxyjump", jump);
        map.put("proxycommand", one(values, "proxycommand", ""));
        map.put("userknownhostsfile", paths(one(values, "userknownhostsfile", "")));
        map.put("globalknownhostsfile", paths(one(values, "globalknownhostsfile", "")));
        map.put("stricthostkeychecking", switch (one(values, "stricthostkeychecking", "")) {
            case "true" -> "yes";
            case "false" -> "no";
            case "accept-new" -> "accept_new";
            case String other -> other;
        });
        map.put("hostkeyalias", one(values, "hostkeyalias", ""));
        map.put("hashknownhosts", one(values, "hashknownhosts", ""));
        // In batch mode Debian's ssh has an interval of its own; others have none.
        String interval = one(values, "serveraliveinterval", "0");
        map.put("serveraliveinterval", one(values, "batchmode", "").equals("yes") && interval.equals("300") ? 0L
                : Long.parseLong(interval));
        map.put("serveralivecountmax", one(values, "serveralivecountmax", ""));
        map.put("connecttimeout", Long.parseLong(one(values, "connecttimeout", "0").replace("none", "0")));
        boolean batch = one(values, "batchmode", "").equals("yes");
        map.put("batchmode", word(batch));
        map.put("authentications", authentications(values, batch));
        map.put("numberofpasswordprompts", one(values, "numberofpasswordprompts", ""));
        String agent = one(values, "identityagent", "");
        map.put("identityagent", agent.isEmpty() ? System.getenv().getOrDefault("SSH_AUTH_SOCK", "none")
                : agent.equals("none") ? agent : tokens.path(agent).toString());
        return map;
    }

    private static List<String> authentications(Map<String, List<String>> values, boolean batch) {
        List<String> methods = new ArrayList<>();
        for (String method : one(values, "preferredauthentications", "publickey,keyboard-interactive,password").split(",")) {
            boolean on = switch (method) {
                case "publickey" -> one(values, "pubkeyauthentication", "").matches("true|yes");
                case "keyboard-interactive" -> !batch && one(values, "kbdinteractiveauthentication", "").equals("yes");
                default -> !batch && one(values, "passwordauthentication", "").equals("yes");
            };
            if (on) {
                methods.add(method);
            }
        }
        return methods;
    }

    private List<Path> paths(String text) {
        List<Path> paths = new ArrayList<>();
        // ssh prints a list that is separated by blanks, without quotes.
        for (String file : text.replace("/k 1", "/k\0001").split(" ")) {
            if (!file.equals("none")) {
                String name = file.replace('\0', ' ');
                paths.add(name.startsWith("~/") ? HOME.resolve(name.substring(2)) : Path.of(name));
            }
        }
        return paths;
    }

    private static String one(Map<String, List<String>> values, String key, String otherwise) {
        return values.getOrDefault(key, List.of(otherwise)).getFirst();
    }

    private static String word(boolean value) {
        return value ? "yes" : "no";
    }
}
