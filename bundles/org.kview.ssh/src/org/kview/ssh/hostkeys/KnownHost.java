// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.kview.ssh.config.SshPattern;

/**
 * One line of a known_hosts file.
 *
 * @param file   where it is
 * @param line   its number, from 1
 * @param marker what it says about the key
 * @param hosts  patterns separated by commas, or one hashed name
 * @param key    of the host or, for {@link Marker#CERT_AUTHORITY}, of the authority that signs host keys
 */
public record KnownHost(Path file, int line, Marker marker, String hosts, HostKey key) {
    private static final String HASHED = "|1|";

    /** What a line says about its key. */
    public enum Marker {
        /** It is the host's key. */
        NONE,
        /** It signs the keys of the named hosts. */
        CERT_AUTHORITY,
        /** It is never to be trusted. */
        REVOKED
    }

    /** @return empty for blank lines, comments and lines that are not understood, which ssh ignores, too */
    static Optional<KnownHost> parse(Path file, int number, String text) {
        String[] words = text.strip().split("\\s+");
        if (words[0].isEmpty() || words[0].startsWith("#")) {
            return Optional.empty();
        }
        Marker marker = switch (words[0].toLowerCase(Locale.ROOT)) {
            case "@cert-authority" -> Marker.CERT_AUTHORITY;
            case "@revoked" -> Marker.REVOKED;
            default -> Marker.NONE;
        };
        int first = words[0].startsWith("@") ? 1 : 0;
        if (first == 1 && marker == Marker.NONE || words.length < first + 3) {
            return Optional.empty();
        }
        try {
            HostKey key = HostKey.ofBase64(words[first + 2]);
            return key.type().equals(words[first + 1])
                    ? Optional.of(new KnownHost(file, number, marker, words[first], key)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether this line is about a host of that name, which is {@code [host]:port} for other ports than 22. */
    boolean isAbout(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!hosts.startsWith(HASHED)) {
            return SshPattern.matchesList(Arrays.asList(hosts.toLowerCase(Locale.ROOT).split(",")), lower);
        }
        String[] parts = hosts.substring(HASHED.length()).split("\\|");
        try {
            return parts.length == 2 && MessageDigest.isEqual(Base64.getDecoder().decode(parts[1]),
                    hash(Base64.getDecoder().decode(parts[0]), lower));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static String hashed(byte[] salt, String name) {
        Base64.Encoder base64 = Base64.getEncoder();
        return HASHED + base64.encodeToString(salt) + "|"
                + base64.encodeToString(hash(salt, name.toLowerCase(Locale.ROOT)));
    }

    private static byte[] hash(byte[] salt, String name) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(salt, "HmacSHA1"));
            return mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA1", e);
        }
    }

    /** For messages: file and line. */
    public String place() {
        return "line " + line + " of " + file;
    }
}
