// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.ssh.config.HostSettings;

/** The lines of several known_hosts files, as they were when they were read. Immutable. */
public final class KnownHosts {
    private static final long MAX_BYTES = 64 << 20;
    private static final int SALT_BYTES = 20;

    private final List<KnownHost> lines;

    private KnownHosts(List<KnownHost> lines) {
        this.lines = List.copyOf(lines);
    }

    /**
     * @param files read in this order; those that don't exist are skipped
     * @throws IOException if one can't be read: it could contain a revocation
     */
    public static KnownHosts read(List<Path> files) throws IOException {
        List<KnownHost> lines = new ArrayList<>();
        for (Path file : files) {
            // Special files are skipped: many configurations name /dev/null.
            if (!Files.isRegularFile(file)) {
                continue;
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(file + " is larger than 64 MiB");
            }
            int number = 0;
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                KnownHost.parse(file, ++number, line).ifPresent(lines::add);
            }
        }
        return new KnownHosts(lines);
    }

    /** The verdict on a plain key. */
    public HostKeyVerdict judge(HostSettings host, HostKey key) {
        Optional<KnownHost> revoked = revocation(host, key);
        if (revoked.isPresent()) {
            return new HostKeyVerdict.Revoked(revoked.get());
        }
        HostKeyVerdict verdict = judge(host.hostKeyName(), key);
        // As with ssh, a key that is known for port 22 is valid for the host's other ports, too.
        if (verdict instanceof HostKeyVerdict.Unknown unknown && unknown.others().isEmpty()
                && host.hostKeys().alias().isEmpty() && host.port() != HostSettings.DEFAULT_PORT
                && judge(host.hostName(), key) instanceof HostKeyVerdict.Trusted trusted) {
            return trusted;
        }
        return verdict;
    }

    private HostKeyVerdict judge(String name, HostKey key) {
        List<KnownHost> known = lines.stream()
                .filter(line -> line.marker() == KnownHost.Marker.NONE && line.isAbout(name)).toList();
        Optional<KnownHost> same = known.stream().filter(line -> line.key().equals(key)).findFirst();
        if (same.isPresent()) {
            return new HostKeyVerdict.Trusted(same.get());
        }
        Optional<KnownHost> sameType = known.stream().filter(line -> line.key().type().equals(key.type())).findFirst();
        return sameType.isPresent() ? new HostKeyVerdict.Changed(sameType.get()) : new HostKeyVerdict.Unknown(known);
    }

    /**
     * The verdict on a certificate whose signature, names and times were verified already.
     *
     * @param key       the certified key
     * @param authority the key that signed it
     * @return Unknown, without others, if the authority is not known; then the plain key decides
     */
    public HostKeyVerdict judgeCertificate(HostSettings host, HostKey key, HostKey authority) {
        for (HostKey each : List.of(key, authority)) {
            Optional<KnownHost> revoked = revocation(host, each);
            if (revoked.isPresent()) {
                return new HostKeyVerdict.Revoked(revoked.get());
            }
        }
        return authorities(host).stream().filter(line -> line.key().equals(authority)).findFirst()
                .<HostKeyVerdict>map(HostKeyVerdict.Trusted::new)
                .orElse(new HostKeyVerdict.Unknown(List.of()));
    }

    private Optional<KnownHost> revocation(HostSettings host, HostKey key) {
        return about(host, KnownHost.Marker.REVOKED).stream().filter(line -> line.key().equals(key)).findFirst();
    }

    /** The keys that may sign this host's. */
    public List<KnownHost> authorities(HostSettings host) {
        return about(host, KnownHost.Marker.CERT_AUTHORITY);
    }

    /** The types of the keys that this host is known with. */
    public List<String> keyTypes(HostSettings host) {
        return about(host, KnownHost.Marker.NONE).stream().map(line -> line.key().type()).distinct().toList();
    }

    private List<KnownHost> about(HostSettings host, KnownHost.Marker marker) {
        return lines.stream().filter(line -> line.marker() == marker && (line.isAbout(host.hostKeyName())
                || host.hostKeys().alias().isEmpty() && line.isAbout(host.hostName()))).toList();
    }

    /**
     * Adds a key to the user's first file, which is created if necessary. To be called only when the user asked for it.
     *
     * @throws IOException if it can't be written
     */
    public static void add(HostSettings host, HostKey key) throws IOException {
        if (host.hostKeys().userFiles().isEmpty()) {
            throw new IOException("the SSH configuration names no known_hosts file");
        }
        Path file = host.hostKeys().userFiles().getFirst();
        String name = host.hostKeyName();
        if (host.hostKeys().hashNames()) {
            byte[] salt = new byte[SALT_BYTES];
            new SecureRandom().nextBytes(salt);
            name = KnownHost.hashed(salt, name);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.exists(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rwx------")));
        }
        String text = (endsInsideALine(file) ? "\n" : "") + name + " " + key.type() + " " + key.base64() + "\n";
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (java.nio.file.FileAlreadyExistsException e) {
            // Its permissions are left as the user set them.
        }
        // A single write, so that lines of several programs don't mix.
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static boolean endsInsideALine(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            if (!Files.isRegularFile(file) || channel.size() == 0) {
                return false;
            }
            var last = java.nio.ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) != '\n';
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
