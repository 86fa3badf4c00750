// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.sshd.client.auth.pubkey.KeyPairIdentity;
import org.apache.sshd.client.auth.pubkey.PublicKeyIdentity;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.session.SessionContext;
import org.apache.sshd.common.signature.SignatureFactoriesManager;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;

/**
 * A private key in a file. As with ssh, its passphrase is asked for only after the host has said that
 * it would accept the key.
 */
final class KeyFile implements PublicKeyIdentity {
    private static final String OPENSSH_BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----";
    private static final byte[] OPENSSH_MAGIC = "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII);
    private static final int PASSPHRASE_TRIALS = 3;
    private static final long MAX_BYTES = 1 << 20;

    /** The private key can't be read: the next key is tried. */
    static final class Unusable extends IOException {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }
    }

    private final Path path;
    private final PublicKey publicKey;
    private final SshPrompter prompter;
    private final SignatureFactoriesManager primary;
    private final SignatureFactoriesManager secondary;

    private KeyFile(Path path, PublicKey publicKey, SshPrompter prompter, SignatureFactoriesManager primary,
            SignatureFactoriesManager secondary) {
        this.path = path;
        this.publicKey = publicKey;
        this.prompter = prompter;
        this.primary = primary;
        this.secondary = secondary;
    }

    /**
     * @return empty if there is neither a private nor a public key
     * @throws Unusable with one sentence if there is one that can't be used
     */
    static Optional<PublicKey> publicKey(Path path, SshPrompter prompter) throws Unusable {
        Path publicFile = path.resolveSibling(path.getFileName() + ".pub");
        try {
            if (Files.isRegularFile(publicFile)) {
                String[] words = Files.readString(publicFile, StandardCharsets.ISO_8859_1).strip().split("\\s+", 3);
                if (words.length > 1) {
                    return Optional.of(new ByteArrayBuffer(Base64.getDecoder().decode(words[1])).getRawPublicKey());
                }
            }
            if (!Files.isRegularFile(path)) {
                return Optional.empty();
            }
            refuseIfOthersCanRead(path);
            Optional<PublicKey> shown = shownInFile(path);
            // In older formats even the public key is encrypted with the passphrase.
            return shown.isPresent() ? shown : Optional.of(load(path, prompter).getPublic());
        } catch (Unusable e) {
            throw e;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new Unusable("the key " + path + " can't be read (" + e.getMessage() + ")");
        }
    }

    private static Optional<PublicKey> shownInFile(Path path) throws IOException, GeneralSecurityException {
        if (Files.size(path) > MAX_BYTES) {
            throw new Unusable("the key " + path + " is too large to be one");
        }
        String text = Files.readString(path, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(OPENSSH_BEGIN);
        if (begin < 0) {
            return Optional.empty();
        }
        int from = begin + OPENSSH_BEGIN.length();
        byte[] bytes = Base64.getMimeDecoder().decode(text.substring(from, text.indexOf("-----", from)));
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.skipBytes(OPENSSH_MAGIC.length);
            for (int i = 0; i < 3; i++) {
                in.skipBytes(in.readInt()); // cipher, key derivation, its options
            }
            in.readInt(); // number of keys, always 1
            return Optional.of(new ByteArrayBuffer(in.readNBytes(Math.min(in.readInt(), bytes.length))).getRawPublicKey());
        }
    }

    private static void refuseIfOthersCanRead(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        int owner = (Integer) Files.getAttribute(path, "unix:uid");
        int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (owner == self && (mode & 077) != 0) {
            throw new Unusable("the key " + path + " can be read by others, so it is not used (chmod 600 it)");
        }
    }

    static KeyFile of(Path path, PublicKey publicKey, SshPrompter prompter, SignatureFactoriesManager primary,
            SignatureFactoriesManager secondary) {
        return new KeyFile(path, publicKey, prompter, primary, secondary);
    }

    @Override
    public KeyPair getKeyIdentity() {
        return new KeyPair(publicKey, null);
    }

    @Override
    public Map.Entry<String, byte[]> sign(SessionContext session, String algorithm, byte[] data) throws Exception {
        if (!Files.isRegularFile(path)) {
            throw new Unusable("the key " + path + " has a public part only");
        }
        refuseIfOthersCanRead(path);
        return new KeyPairIdentity(primary, secondary, load(path, prompter)).sign(session, algorithm, data);
    }

    private static KeyPair load(Path path, SshPrompter prompter) throws IOException, GeneralSecurityException {
        Passphrase passphrase = new Passphrase(path, prompter);
        try (InputStream in = Files.newInputStream(path)) {
            for (KeyPair pair : SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName(path.toString()), in,
                    passphrase)) {
                return pair;
            }
        } catch (GeneralSecurityException e) {
            if (passphrase.asked) {
                throw new Unusable("the key " + path + " was not unlocked");
            }
            throw e;
        }
        throw new Unusable(passphrase.asked ? "the key " + path + " was not unlocked"
                : "the file " + path + " holds no private key");
    }

    private static final class Passphrase implements FilePasswordProvider {
        private final Path path;
        private final SshPrompter prompter;
        private boolean asked;
        private Optional<Question> answered = Optional.empty();

        Passphrase(Path path, SshPrompter prompter) {
            this.path = path;
            this.prompter = prompter;
        }

        @Override
        public String getPassword(SessionContext session, NamedResource resource, int trial) {
            Question question = new Question(new Purpose.Passphrase(path), "",
                    List.of(new Prompt("Passphrase of the key " + path, true)), asked);
            asked = true;
            Optional<List<String>> answers = prompter.ask(question);
            answered = answers.map(_ -> question);
            return answers.map(List::getFirst).orElse(null);
        }

        @Override
        public ResourceDecodeResult handleDecodeAttemptResult(SessionContext session, NamedResource resource, int trial,
                String password, Exception failure) {
            answered.ifPresent(question -> prompter.judged(question, failure == null));
            if (failure == null) {
                return ResourceDecodeResult.IGNORE;
            }
            return answered.isPresent() && trial + 1 < PASSPHRASE_TRIALS ? ResourceDecodeResult.RETRY
                    : ResourceDecodeResult.TERMINATE;
        }
    }
}
