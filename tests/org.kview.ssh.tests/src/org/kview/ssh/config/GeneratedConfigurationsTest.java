// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generated configurations and names: this program must understand them as {@code ssh} does.
 *
 * <p>{@code KVIEW_FUZZ_CONFIGURATIONS} how many, {@code KVIEW_FUZZ_SEED} from which seed; scripts/fuzz sets them.
 */
class GeneratedConfigurationsTest {
    /** Each asks ssh once or more, which takes most of the time. */
    private static final int CONFIGURATIONS = setting("KVIEW_FUZZ_CONFIGURATIONS", 60);
    private static final long SEED = setting("KVIEW_FUZZ_SEED", 1);
    /** Options that restrict whom to trust with what, with values that ssh accepts. */
    private static final Map<String, List<String>> RESTRICTING = Map.of(
            "RevokedHostKeys", List.of("/r/one", "/r/two", "none"),
            "HostKeyAlgorithms", List.of("ssh-ed25519", "ecdsa-sha2-nistp256,ssh-ed25519", "-ssh-ed25519*", "^rsa-sha2-512", "+ssh-rsa"),
            "CASignatureAlgorithms", List.of("ssh-ed25519", "-rsa-sha2-*", "rsa-sha2-512,ssh-ed25519"),
            "PubkeyAcceptedAlgorithms", List.of("ssh-ed25519", "-ecdsa*", "rsa-sha2-256"),
            "Ciphers", List.of("aes256-gcm@openssh.com", "-chacha20*", "aes128-ctr,aes256-ctr", "^aes256-ctr"),
            "MACs", List.of("hmac-sha2-512", "-*sha1*", "hmac-sha2-256-etm@openssh.com"),
            "KexAlgorithms", List.of("curve25519-sha256", "-sntrup*", "ecdh-sha2-nistp256,curve25519-sha256"),
            "RequiredRSASize", List.of("2048", "4096"),
            "RekeyLimit", List.of("1G", "500M 1h"));
    private static final List<String> OTHERS = List.of("User u1", "User u2", "Port 2022", "Port 23", "HostName real.example",
            "HostName %h.example", "ProxyJump jump", "ProxyCommand nc %h %p", "StrictHostKeyChecking yes",
            "StrictHostKeyChecking accept-new", "IdentityFile /keys/one", "IdentitiesOnly yes", "BatchMode yes",
            "ServerAliveInterval 7", "HostKeyAlias other", "PasswordAuthentication no", "UserKnownHostsFile /k1 /k2",
            "ForwardAgent yes", "Compression yes", "ConnectTimeout 9");
    private static final List<String> CONDITIONS = List.of("Host a", "Host b", "Host *", "Host !b *", "Host ? c",
            "Match all", "Match host a", "Match originalhost b", "Match user u1", "Match host *.example",
            "Match exec \"test %n = a\"", "Match exec false", "Match final host a", "Match !host a user root");

    @TempDir
    Path folder;

    private static int setting(String name, int otherwise) {
        return Optional.ofNullable(System.getenv(name)).map(Integer::parseInt).orElse(otherwise);
    }

    private static <T> T one(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static String generate(Random random, boolean restricting) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append(one(random, CONDITIONS));
                case 1 -> {
                    String option = one(random, RESTRICTING.keySet().stream().sorted().toList());
                    text.append(restricting ? option + " " + one(random, RESTRICTING.get(option)) : one(random, OTHERS));
                }
                default -> text.append(one(random, OTHERS));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private SshConfig config(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), text);
        return new SshConfig(new SshEnvironment(Path.of(System.getProperty("user.home")), System.getProperty("user.name"),
                List.of(new SshEnvironment.ConfigFile(file, folder, false)), System.getenv()));
    }

    private Map<String, List<String>> ssh(String host) throws Exception {
        Process process = new ProcessBuilder("ssh", "-T", "-G", "-F", folder.resolve("config").toString(), "--", host)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Map<String, List<String>> values = new HashMap<>();
        new String(process.getInputStream().readAllBytes()).lines().forEach(line -> {
            String[] words = line.split(" ", 2);
            values.computeIfAbsent(words[0], _ -> new ArrayList<>()).add(words.length > 1 ? words[1] : "");
        });
        assertThat(process.waitFor()).isZero();
        return values;
    }

    /** Without such restrictions, the files mean the same whether there is an ssh or not. */
    @Test
    void withoutSshTheFilesMeanTheSame() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < CONFIGURATIONS; i++) {
            String text = generate(random, false);
            SshDestination host = SshDestination.parse(one(random, List.of("a", "b", "c", "me@a", "a:99")));
            SshConfig config = config(text);
            assertThat(config.resolveAlone(host)).as(text).isEqualTo(config.resolve(host));
        }
    }

    /** Each restriction is taken over from ssh; without ssh it is refused, not ignored. */
    @Test
    void noRestrictionIsPassedOver() throws Exception {
        Random random = new Random(SEED + 1);
        config("");
        Map<String, List<String>> usual = ssh("a");
        int refused = 0;
        for (int i = 0; i < CONFIGURATIONS; i++) {
            String text = generate(random, true);
            String host = one(random, List.of("a", "b", "c"));
            SshConfig config = config(text);
            Map<String, List<String>> theirs = ssh(host);
            SecurityOptions ours = config.resolve(SshDestination.parse(host)).security();
            for (var list : Map.of("ciphers", ours.ciphers(), "macs", ours.macs(), "kexalgorithms", ours.keyExchanges(),
                    "hostkeyalgorithms", ours.hostKeyAlgorithms(), "pubkeyacceptedalgorithms", ours.publicKeyAlgorithms()).entrySet()) {
                String name = list.getKey();
                assertThat(list.getValue()).as(name + " of\n" + text).isEqualTo(theirs.get(name).equals(usual.get(name))
                        ? Optional.empty() : Optional.of(List.of(theirs.get(name).getFirst().split(","))));
            }
            assertThat(String.join(",", ours.caSignatureAlgorithms())).isEqualTo(theirs.get("casignaturealgorithms").getFirst());
            assertThat(ours.leastRsaBits()).isEqualTo(Integer.parseInt(theirs.get("requiredrsasize").getFirst()));
            assertThat(ours.revokedHostKeys().map(Path::toString).orElse("none"))
                    .isEqualTo(theirs.getOrDefault("revokedhostkeys", List.of("none")).getFirst());
            assertThat(ours.rekeyBytes().orElse(0)).isEqualTo(Long.parseLong(theirs.get("rekeylimit").getFirst().split(" ")[0]));
            boolean restricted = !ours.equals(SecurityOptions.USUAL);
            try {
                config.resolveAlone(SshDestination.parse(host));
                assertThat(restricted).as(text).isFalse();
            } catch (SshConfigException e) {
                refused++;
                assertThat(e).hasMessageContaining("only OpenSSH's own client can resolve");
            }
        }
        assertThat(refused).as("generated restrictions").isGreaterThan(CONFIGURATIONS / 4);
    }

    /** Names that ssh refuses are refused. Other refused names contain blanks, or mean something else here. */
    @Test
    void namesThatOpenSshRefusesAreRefused() throws Exception {
        Random random = new Random(SEED + 2);
        String special = "'`\"$\\;&<>|(){},!#%*?[]~^=+-_.:/ \t\u0001\u007f\u001b\u00a0\u202eä";
        int refused = 0;
        Set<String> tried = new HashSet<>();
        for (int i = 0; i < 2 * CONFIGURATIONS; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "" : "h");
            for (int c = random.nextInt(3); c >= 0; c--) {
                text.append(random.nextBoolean() ? "x" : special.charAt(random.nextInt(special.length())));
            }
            String name = text.toString();
            if (!tried.add(name)) {
                continue;
            }
            boolean both = accepts("-l", name, "--", name);
            boolean theirsHost = both || accepts("--", name);
            boolean theirsUser = both || accepts("-l", name, "--", "host");
            String shown = name.codePoints().mapToObj(c -> c < ' ' || c > 126 ? "U+" + Integer.toHexString(c) : Character.toString(c)).toList().toString();
            if (SshNames.isHost(name)) {
                assertThat(theirsHost).as("host " + shown).isTrue();
            } else {
                refused++;
                assertThat(theirsHost && name.chars().noneMatch(c -> c == 0xa0 || c >= 127 && c < 160)).as("host " + shown).isFalse();
            }
            if (SshNames.isUser(name)) {
                assertThat(theirsUser).as("user " + shown).isTrue();
            }
        }
        assertThat(refused).isGreaterThan(CONFIGURATIONS / 4);
    }

    private static boolean accepts(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ssh", "-T", "-G", "-F", "none"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        return process.waitFor() == 0 || !said.contains("invalid characters");
    }

    /** In a target, a jump host and the configuration, names that a shell would interpret are refused. */
    @Test
    void namesReachNoShell() throws Exception {
        Path ran = folder.resolve("ran");
        SshConfig config = config("Match exec \"test %h = %n\"\n User x\nHost *\n ProxyCommand nc %h %p # %r\n");
        for (String name : List.of("x`touch " + ran + "`", "x`id`", "$(touch${IFS}" + ran + ")", "a;id", "u;id@h", "`id`@h",
                "a|b", "a&b", "a\u001b[2Jb", "-oProxyCommand=id", "u\\@h", "h'", "h\"", "a\nb", "(a)", "{a,b}")) {
            assertThat(org.junit.jupiter.api.Assertions.assertThrows(SshConfigException.class,
                    () -> config.resolve(SshDestination.parse(name)), name).getMessage()).doesNotContain("\u001b");
        }
        SshConfig named = config("HostName a`id`\n");
        org.junit.jupiter.api.Assertions.assertThrows(SshConfigException.class, () -> named.resolve(SshDestination.parse("h")));
        org.junit.jupiter.api.Assertions.assertThrows(SshConfigException.class,
                () -> new HostSettings.Proxy.Jump("good,u`id`@h").hops());
        assertThat(ran).doesNotExist();
    }
}
