// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.net.SocketAddress;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.ssh.config.HostKeyOptions.Strictness;
import org.kview.ssh.config.HostSettings;
import org.kview.ssh.config.SecurityOptions;
import org.kview.ssh.hostkeys.HostKey;
import org.kview.ssh.hostkeys.HostKeyVerdict;
import org.kview.ssh.hostkeys.KnownHosts;

/** Decides whether to trust the key that a host shows, before anything is sent to that host. */
final class HostKeyCheck implements ServerKeyVerifier {
    static final String CERTIFICATE = "-cert-v01@openssh.com";

    private final HostSettings host;
    private final SshPrompter prompter;
    private final KnownHosts known;
    private volatile Optional<HostKey> accepted = Optional.empty();
    private volatile String refusal = "";

    /** @throws IOException if a known_hosts file can't be read */
    HostKeyCheck(HostSettings host, SshPrompter prompter) throws IOException {
        this.host = host;
        this.prompter = prompter;
        List<java.nio.file.Path> files = new ArrayList<>(host.hostKeys().userFiles());
        files.addAll(host.hostKeys().globalFiles());
        this.known = KnownHosts.read(files);
    }

    /** Why the key was refused, one sentence; empty if it was not. */
    String refusal() {
        return refusal;
    }

    /**
     * The order in which the host is asked for its keys: first certificates, if an authority is known that signs
     * them, then the types that are known. Otherwise a host might show an unknown key although it has a known one.
     */
    List<NamedFactory<Signature>> ordered(List<NamedFactory<Signature>> all) {
        boolean certificates = !known.authorities(host).isEmpty();
        List<String> types = known.keyTypes(host);
        return all.stream()
                // Without ssh-rsa: as an algorithm, it signs with SHA-1.
                .filter(f -> !f.getName().equals("ssh-rsa") && (certificates || !f.getName().endsWith(CERTIFICATE)))
                .sorted(Comparator.comparing(f -> f.getName().endsWith(CERTIFICATE) ? 0
                        : types.contains(KeyUtils.getCanonicalKeyType(f.getName())) ? 1 : 2))
                .toList();
    }

    @Override
    public boolean verifyServerKey(ClientSession session, SocketAddress address, PublicKey key) {
        HostKey shown = hostKey(key instanceof OpenSshCertificate c ? c.getCertPubKey() : key);
        // Keys are exchanged again after some time. Then the user is not asked again, and the key must be the same.
        if (accepted.isPresent()) {
            return accepted.get().equals(shown) || refuse("showed another key in the middle of the connection");
        }
        String why = restricted(key);
        if (!why.isEmpty()) {
            return refuse(why);
        }
        boolean good = key instanceof OpenSshCertificate certificate ? isCertified(certificate, shown) : isTrusted(shown);
        if (good) {
            accepted = Optional.of(shown);
        }
        return good;
    }

    /** Why the configuration refuses the key, even a known one; empty if it does not. */
    private String restricted(PublicKey key) {
        SecurityOptions security = host.security();
        PublicKey plain = key instanceof OpenSshCertificate c ? c.getCertPubKey() : key;
        if (plain instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < security.leastRsaBits()) {
            return "showed an RSA key of " + rsa.getModulus().bitLength() + " bits, and the SSH configuration's RequiredRSASize is "
                    + security.leastRsaBits() + "; give the host a longer key";
        }
        if (key instanceof OpenSshCertificate c && !security.caSignatureAlgorithms().contains(c.getSignatureAlgorithm())) {
            return "showed a certificate signed by " + Questions.shown(c.getSignatureAlgorithm())
                    + ", which is not among the SSH configuration's CASignatureAlgorithms; have it signed anew";
        }
        return security.revokedHostKeys().map(file -> new RevokedKeys(file).judge(key)).orElse("");
    }

    private boolean isCertified(OpenSshCertificate certificate, HostKey key) {
        return switch (known.judgeCertificate(host, key, hostKey(certificate.getCaPubKey()))) {
            case HostKeyVerdict.Trusted _ -> true;
            case HostKeyVerdict.Revoked revoked -> refuseRevoked(revoked);
            case HostKeyVerdict.Changed _, HostKeyVerdict.Unknown _ -> isTrusted(key);
        };
    }

    private boolean isTrusted(HostKey key) {
        return switch (known.judge(host, key)) {
            case HostKeyVerdict.Trusted _ -> true;
            case HostKeyVerdict.Revoked revoked -> refuseRevoked(revoked);
            case HostKeyVerdict.Changed changed -> refuse("showed the " + key.type() + " key " + key.fingerprint()
                    + ", but " + changed.known().place() + " has another one: somebody may be listening in, or the host"
                    + " was set up anew; ask who runs it, and only if the new key is right remove that line");
            case HostKeyVerdict.Unknown unknown -> isAccepted(key, unknown);
        };
    }

    private boolean isAccepted(HostKey key, HostKeyVerdict.Unknown unknown) {
        String shown = "showed the " + key.type() + " key " + key.fingerprint() + ", which no known_hosts file has";
        if (host.hostKeys().strictness() == Strictness.NO) {
            return true;
        }
        if (host.hostKeys().strictness() == Strictness.ACCEPT_NEW) {
            return remembered(key);
        }
        if (host.hostKeys().strictness() == Strictness.YES || host.login().batchMode()) {
            return refuse(shown + ", and the SSH configuration says to refuse it; add the key with ssh-keyscan once"
                    + " you have checked it");
        }
        String warning = unknown.others().isEmpty() ? "" : "This host is known with a key of another type, in "
                + unknown.others().getFirst().place() + ".";
        String file = host.hostKeys().userFiles().isEmpty() ? "" : host.hostKeys().userFiles().getFirst().toString();
        HostKeyAnswer answer = prompter.confirm(new SshPrompter.UnknownHostKey(host.hostKeyName(), key.type(),
                key.fingerprint(), warning, file));
        return switch (answer) {
            case ONCE -> true;
            case REMEMBER -> remembered(key);
            case REFUSE -> refuse(shown + ", and nobody confirmed it; check the fingerprint, then connect from a"
                    + " terminal and confirm it, or add the key to known_hosts");
        };
    }

    private boolean remembered(HostKey key) {
        try {
            KnownHosts.add(host, key);
            return true;
        } catch (IOException e) {
            return refuse("showed a key that could not be added to known_hosts (" + e.getMessage()
                    + "); make the file writable, or confirm the key for one connection");
        }
    }

    private boolean refuseRevoked(HostKeyVerdict.Revoked revoked) {
        return refuse("showed the key " + revoked.by().key().fingerprint() + ", which " + revoked.by().place()
                + " revokes; ask who runs the host for its new key");
    }

    private boolean refuse(String what) {
        refusal = "The host " + host.hostKeyName() + " " + what;
        return false;
    }

    private static HostKey hostKey(PublicKey key) {
        ByteArrayBuffer buffer = new ByteArrayBuffer();
        buffer.putRawPublicKey(key);
        return new HostKey(buffer.getCompactData());
    }
}
