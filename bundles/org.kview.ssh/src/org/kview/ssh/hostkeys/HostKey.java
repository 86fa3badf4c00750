// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** A public key in the form in which SSH's protocol sends it. Immutable. */
public final class HostKey {
    private final byte[] blob;

    /** @param blob as in RFC 4253, section 6.6 */
    public HostKey(byte[] blob) {
        this.blob = blob.clone();
    }

    /** @throws IllegalArgumentException if this is not base64 */
    static HostKey ofBase64(String text) {
        return new HostKey(Base64.getDecoder().decode(text));
    }

    /** Such as "ssh-ed25519"; empty if the key is damaged. */
    public String type() {
        if (blob.length < 4) {
            return "";
        }
        int length = ByteBuffer.wrap(blob).getInt();
        return length < 0 || length > blob.length - 4 ? ""
                : new String(blob, 4, length, StandardCharsets.US_ASCII);
    }

    /** As ssh prints it: "SHA256:…". */
    public String fingerprint() {
        try {
            return "SHA256:" + Base64.getEncoder().withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(blob));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    String base64() {
        return Base64.getEncoder().encodeToString(blob);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostKey key && Arrays.equals(blob, key.blob);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(blob);
    }

    @Override
    public String toString() {
        return type() + " " + fingerprint();
    }
}
