// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.ssh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.eclipse.equinox.security.storage.EncodingUtils;
import org.eclipse.equinox.security.storage.ISecurePreferences;
import org.eclipse.equinox.security.storage.SecurePreferencesFactory;
import org.eclipse.equinox.security.storage.StorageException;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;

/**
 * Answers that the user wanted to be remembered, in Eclipse's secure storage: encrypted in a file of the user's own,
 * which is unlocked by a master password. The purpose of each answer is stored unencrypted. Blocks, and may show the
 * storage's own dialog: not for the UI thread.
 */
public final class SecretStore {
    static final String ROOT = "org.kview.ui/ssh";

    private final Supplier<ISecurePreferences> storage;

    SecretStore(Supplier<ISecurePreferences> storage) {
        this.storage = storage;
    }

    /** The one that all Eclipse programs of this user share. */
    public static SecretStore ofUser() {
        return new SecretStore(SecurePreferencesFactory::getDefault);
    }

    /** All answers to a question; empty unless all are there and can be read. */
    public Optional<List<String>> get(Question question) {
        Optional<ISecurePreferences> node = existing(question.purpose());
        if (node.isEmpty()) {
            return Optional.empty();
        }
        List<String> answers = new ArrayList<>();
        for (Prompt prompt : question.prompts()) {
            try {
                String answer = node.get().get(prompt.text(), null);
                if (answer == null) {
                    return Optional.empty();
                }
                answers.add(answer);
            } catch (StorageException e) {
                // Not unlocked, or of another user's storage: the user is asked for the secret instead.
                return Optional.empty();
            }
        }
        return Optional.of(answers);
    }

    /** @throws IOException with one sentence if it can't be kept */
    public void put(Question question, List<String> answers) throws IOException {
        ISecurePreferences node = root().node(name(question.purpose()));
        try {
            for (int i = 0; i < answers.size(); i++) {
                node.put(question.prompts().get(i).text(), answers.get(i), true);
            }
            node.flush();
        } catch (StorageException | RuntimeException e) {
            // A part of the answers is useless, so nothing is kept.
            remove(node);
            throw new IOException("The secret could not be kept in the secure storage (" + e.getMessage()
                    + "); it was used this once", e);
        }
    }

    /** Forgets the answers for a purpose. @return whether there were any */
    public boolean remove(Purpose purpose) {
        Optional<ISecurePreferences> node = existing(purpose);
        node.ifPresent(this::remove);
        return node.isPresent();
    }

    /** What is remembered, as {@link #name} has it. */
    public List<String> names() {
        ISecurePreferences root = root();
        // While an answer is being stored, its node exists before the answer, because encryption takes long.
        return List.of(root.childrenNames()).stream().filter(name -> root.node(name).keys().length > 0)
                .map(EncodingUtils::decodeSlashes).sorted().toList();
    }

    /** Forgets what is remembered under one of the {@link #names}. */
    public void remove(String name) {
        String encoded = encode(name);
        if (root().nodeExists(encoded)) {
            remove(root().node(encoded));
        }
    }

    private void remove(ISecurePreferences node) {
        node.removeNode();
        try {
            root().flush();
        } catch (IOException e) {
            org.eclipse.core.runtime.ILog.of(getClass()).warn("The secure storage could not be written.", e);
        }
    }

    private Optional<ISecurePreferences> existing(Purpose purpose) {
        String name = name(purpose);
        return root().nodeExists(name) ? Optional.of(root().node(name)) : Optional.empty();
    }

    private ISecurePreferences root() {
        return storage.get().node(ROOT);
    }

    private static String name(Purpose purpose) {
        return encode(switch (purpose) {
            case Purpose.Passphrase(var key) -> "passphrase of " + key;
            // Not "of": under those names earlier versions kept the secrets of all hosts of one address.
            case Purpose.Password(var account) -> "password for " + account;
            case Purpose.Interactive(var account) -> "answers for " + account;
        });
    }

    /** The storage takes no other characters than those of ASCII. */
    private static String encode(String name) {
        StringBuilder ascii = new StringBuilder();
        name.chars().forEach(c -> ascii.append(c >= ' ' && c < 127 ? Character.toString(c) : "\\u%04x".formatted(c)));
        return EncodingUtils.encodeSlashes(ascii.toString());
    }
}
