// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * The keys that {@code RevokedHostKeys} names: a text file, or OpenSSH's binary list, which ssh-keygen reads. If the
 * file can't be read, every key counts as revoked, as with ssh.
 *
 * @param file with the keys
 */
record RevokedKeys(Path file) {
    private static final byte[] MAGIC = "SSHKRL\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final long MAX_TEXT_BYTES = 64L << 20;

    /** Why the key is refused, as words to follow the host's name; empty if it is not. */
    String judge(PublicKey key) {
        List<PublicKey> all = new ArrayList<>(List.of(key));
        if (key instanceof OpenSshCertificate certificate) {
            all.add(certificate.getCertPubKey());
            all.add(certificate.getCaPubKey());
        }
        try {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                return cannot("there is no such file, or it can't be read");
            }
            boolean list = isList();
            for (PublicKey one : all) {
                String why = list ? judgeByList(one) : judgeByText(one);
                if (!why.isEmpty()) {
                    return why;
                }
            }
            return "";
        } catch (IOException e) {
            return cannot(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return cannot("interrupted");
        }
    }

    private boolean isList() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        }
    }

    private static String encoded(PublicKey key) {
        ByteArrayBuffer buffer = new ByteArrayBuffer();
        buffer.putRawPublicKey(key);
        return Base64.getEncoder().encodeToString(buffer.getCompactData());
    }

    /** One key in each line, as in a .pub file. Another line is an error: nobody knows which key it should revoke. */
    private String judgeByText(PublicKey key) throws IOException {
        if (Files.size(file) > MAX_TEXT_BYTES) {
            return cannot("it is far too large");
        }
        String own = encoded(key);
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            number++;
            String text = line.strip();
            String[] words = text.split("\\s+");
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            if (words.length < 2 || words[0].endsWith(HostKeyCheck.CERTIFICATE) || !isBase64(words[1])) {
                return cannot("line " + number + " of it is no key");
            }
            if (words[1].equals(own)) {
                return revoked(key);
            }
        }
        return "";
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String revoked(PublicKey key) {
        return "showed the key " + KeyUtils.getFingerPrint(key) + ", which " + file
                + " (RevokedHostKeys) revokes; ask who runs the host for its new key";
    }

    private String judgeByList(PublicKey key) throws IOException, InterruptedException {
        Path asked = Files.createTempFile("kview-host-key", ".pub");
        try {
            Files.writeString(asked, KeyUtils.getKeyType(key) + " " + encoded(key) + "\n");
            Process process = new ProcessBuilder("ssh-keygen", "-Q", "-f", file.toString(), asked.toString())
                    .redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readNBytes(8192));
            if (process.waitFor() == 0) {
                return "";
            }
            return said.contains("REVOKED") ? revoked(key) : cannot(said.strip());
        } finally {
            Files.deleteIfExists(asked);
        }
    }

    private String cannot(String why) {
        return "is not trusted, for the SSH configuration's RevokedHostKeys " + file + " can't be checked ("
                + Questions.shown(why) + "); correct that file, or the option";
    }
}
