// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.client.auth.pubkey.KeyAgentIdentity;
import org.apache.sshd.client.auth.pubkey.PublicKeyIdentity;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKey;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.kex.extension.DefaultClientKexExtensionHandler;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.signature.SignatureFactoriesManager;
import org.apache.sshd.common.util.buffer.Buffer;
import org.kview.ssh.config.HostSettings;

/** Authentication by keys: those of the user's ssh-agent and those in files, in the order in which ssh tries them. */
final class KeyAuthentication extends UserAuthPublicKey {
    private final HostSettings settings;
    private final SshPrompter prompter;
    private final AuthenticationNotes notes;
    private Optional<SshAgent> agent = Optional.empty();

    KeyAuthentication(List<NamedFactory<Signature>> signatures, HostSettings settings, SshPrompter prompter,
            AuthenticationNotes notes) {
        super(signatures);
        this.settings = settings;
        this.prompter = prompter;
        this.notes = notes;
    }

    @Override
    public void init(ClientSession session, String service) throws Exception {
        // If the host's certificate was not valid, the library took its plain key. A login that is bound to the host's
        // key would have to name the certificate, or the host would end the connection. So the login is not bound.
        if (session.getNegotiatedKexParameter(KexProposalOption.SERVERKEYS).endsWith(HostKeyCheck.CERTIFICATE)
                && !(session.getServerKey() instanceof OpenSshCertificate)) {
            session.removeAttribute(DefaultClientKexExtensionHandler.HOSTBOUND_AUTHENTICATION);
        }
        super.init(session, service);
    }

    @Override
    protected Iterator<PublicKeyIdentity> createPublicKeyIterator(ClientSession session,
            SignatureFactoriesManager manager) {
        List<PublicKeyIdentity> fromAgent = agentKeys();
        List<PublicKeyIdentity> wanted = new ArrayList<>();
        List<PublicKeyIdentity> files = new ArrayList<>();
        for (Path path : settings.login().identityFiles()) {
            try {
                Optional<PublicKey> key = KeyFile.publicKey(path, prompter);
                if (key.isEmpty()) {
                    if (settings.login().identitiesGiven()) {
                        notes.add("there is no key " + path);
                    }
                    continue;
                }
                Optional<PublicKeyIdentity> held = fromAgent.stream()
                        .filter(k -> KeyUtils.compareKeys(k.getKeyIdentity().getPublic(), key.get())).findFirst();
                held.ifPresentOrElse(identity -> {
                    wanted.add(identity);
                    fromAgent.remove(identity);
                }, () -> files.add(KeyFile.of(path, key.get(), prompter, manager, session)));
            } catch (KeyFile.Unusable e) {
                notes.add(e.getMessage());
            }
        }
        if (!settings.login().identitiesOnly()) {
            wanted.addAll(fromAgent);
        }
        wanted.addAll(files);
        wanted.removeIf(identity -> !isAllowed(identity.getKeyIdentity().getPublic()));
        return wanted.iterator();
    }

    /** Whether the configuration allows keys of this type and size for this user. */
    private boolean isAllowed(PublicKey key) {
        String type = KeyUtils.getKeyType(key);
        List<String> algorithms = settings.security().publicKeyAlgorithms().orElse(List.of());
        boolean allowed = settings.security().publicKeyAlgorithms().isEmpty() || algorithms.contains(type)
                || KeyUtils.getAllEquivalentKeyTypes(type).stream().anyMatch(algorithms::contains);
        if (!allowed) {
            notes.add("the SSH configuration's PubkeyAcceptedAlgorithms leave the " + type + " key out");
        } else if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < settings.security().leastRsaBits()) {
            notes.add("an RSA key is shorter than the SSH configuration's RequiredRSASize");
            allowed = false;
        }
        return allowed;
    }

    private List<PublicKeyIdentity> agentKeys() {
        List<PublicKeyIdentity> keys = new ArrayList<>();
        if (settings.login().agentSocket().isEmpty()) {
            return keys;
        }
        try {
            SshAgent opened = new SshAgentSocket(settings.login().agentSocket().get());
            agent = Optional.of(opened);
            for (Map.Entry<PublicKey, String> entry : opened.getIdentities()) {
                keys.add(new KeyAgentIdentity(opened, entry.getKey(), entry.getValue()));
            }
        } catch (IOException | RuntimeException e) {
            notes.add("the SSH agent at " + settings.login().agentSocket().get() + " does not answer");
        }
        return keys;
    }

    @Override
    protected boolean sendAuthDataRequest(ClientSession session, String service) throws Exception {
        boolean sent = super.sendAuthDataRequest(session, service);
        if (sent && current != null) {
            notes.tried(KeyUtils.getKeyType(current.getKeyIdentity().getPublic()) + " "
                    + KeyUtils.getFingerPrint(current.getKeyIdentity().getPublic()));
        }
        return sent;
    }

    @Override
    protected boolean processAuthDataRequest(ClientSession session, String service, Buffer buffer) throws Exception {
        try {
            return super.processAuthDataRequest(session, service, buffer);
        } catch (IOException e) {
            // Nobody gave the passphrase, or the ssh-agent does not sign: another key may work.
            notes.add(e.getMessage());
            currentAlgorithms.clear();
            return sendAuthDataRequest(session, service);
        }
    }

    @Override
    protected void releaseKeys() throws IOException {
        super.releaseKeys();
        if (agent.isPresent()) {
            agent.get().close();
            agent = Optional.empty();
        }
    }
}
