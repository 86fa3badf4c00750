// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Uploads the agent to a host, and verifies that what is there is this very agent. */
final class AgentUpload {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TRANSFER_TIMEOUT = Duration.ofMinutes(10);
    private static final int CHUNK_BYTES = 32 << 10;

    private final ClientSession session;
    private final RemoteShell shell;
    private final String hostName;
    private final byte[] agent;
    private final String sha256;
    private final AgentScripts scripts;

    /** @param agent the executable's bytes */
    AgentUpload(ClientSession session, String hostName, byte[] agent) {
        this.session = session;
        this.shell = new RemoteShell(session);
        this.hostName = hostName;
        this.agent = agent;
        this.sha256 = sha256(agent);
        this.scripts = new AgentScripts(sha256);
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    AgentScripts scripts() {
        return scripts;
    }

    String sha256() {
        return sha256;
    }

    /** The agent's size. */
    int bytes() {
        return agent.length;
    }

    /** Asks the host what it is, and whether the agent is there. */
    RemoteHost probe() throws TargetException, InterruptedException {
        try {
            return RemoteHost.parse(hostName, shell.run(scripts.probe(), TIMEOUT));
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Whether the agent that the host has is this one. */
    boolean isThere(RemoteHost host) throws TargetException, InterruptedException {
        try {
            return host.hash().isPresent() && (host.hash().get().equals(sha256)
                    || host.hash().get().equals(AgentScripts.NO_HASH) && hasSameBytes("kview-agent"));
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /**
     * Uploads the agent: through SFTP, or through a command where the host has no SFTP or shows other folders by it.
     *
     * @return whether the host can compute hashes
     */
    boolean upload(RemoteHost host) throws TargetException, InterruptedException {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        String part = ".part-" + HexFormat.of().formatHex(random);
        try {
            check(shell.run(scripts.prepare(), TIMEOUT), "make the folder " + scripts.folder(host.home()) + " its user's alone");
            // Output of login scripts would be taken for SFTP messages, and the connection would be closed.
            Optional<Boolean> hashed = host.quiet() && sendBySftp(scripts.folder(host.home()) + "/" + part)
                    ? verify(part) : Optional.empty();
            if (hashed.isEmpty()) {
                RemoteShell.Result stored = shell.run(scripts.store(part), TRANSFER_TIMEOUT, this::sendTo);
                check(stored, "store the agent in " + scripts.folder(host.home()));
                hashed = verify(part);
            }
            if (hashed.isEmpty()) {
                throw new TargetException(Kind.NOT_REACHED, "The host " + hostName
                        + " has other bytes than those that were uploaded as its agent; see that its disk is well and not full");
            }
            check(shell.run(scripts.activate(part), TIMEOUT), "make the agent executable");
            return hashed.get();
        } catch (IOException e) {
            throw broken(e);
        } catch (TargetException e) {
            discard(part);
            throw e;
        }
    }

    private void sendTo(OutputStream out) throws IOException {
        for (int at = 0; at < agent.length; at += CHUNK_BYTES) {
            out.write(agent, at, Math.min(CHUNK_BYTES, agent.length - at));
        }
    }

    /** @return whether the host took it; where it put the file has still to be checked */
    private boolean sendBySftp(String path) {
        try (SftpClient sftp = SftpClientFactory.instance().createSftpClient(session);
                OutputStream out = sftp.write(path, CHUNK_BYTES, List.of(SftpClient.OpenMode.Write,
                        SftpClient.OpenMode.Create, SftpClient.OpenMode.Exclusive))) {
            sendTo(out);
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // SFTP is off, or confined to another folder; if the command fails, too, it says why
        }
    }

    /** @return empty if the bytes there differ; otherwise whether the host computed their hash itself */
    private Optional<Boolean> verify(String part) throws IOException, InterruptedException {
        List<String> lines = RemoteHost.afterMarker(shell.run(scripts.hash(part), TIMEOUT).output());
        String hash = lines.isEmpty() ? "" : RemoteHost.firstWord(lines.getFirst());
        if (hash.equals(AgentScripts.NO_HASH)) {
            return hasSameBytes(part) ? Optional.of(false) : Optional.empty();
        }
        return hash.equals(sha256) ? Optional.of(true) : Optional.empty();
    }

    private boolean hasSameBytes(String file) throws IOException {
        try (ChannelExec channel = RemoteShell.channel(session, RemoteShell.command(scripts.read(file)))) {
            channel.open().verify(TIMEOUT);
            channel.getInvertedIn().close();
            byte[] there = new AfterMarker(channel.getInvertedOut(), AgentScripts.MARKER).readNBytes(agent.length + 1);
            return Arrays.equals(there, agent);
        }
    }

    private void discard(String part) throws InterruptedException {
        try {
            shell.run(scripts.discard(part), TIMEOUT);
        } catch (IOException e) {
            // The rest is removed by the next upload.
        }
    }

    private void check(RemoteShell.Result result, String what) throws TargetException {
        if (result.status() != 0) {
            throw new TargetException(Kind.NOT_REACHED, "The host " + hostName + " could not " + what + " ("
                    + (result.complaint().isEmpty() ? "exit status " + result.status() : result.complaint())
                    + "); see that the folder is writable by its user alone and the disk not full");
        }
    }

    private TargetException broken(IOException e) {
        return new TargetException(Kind.NOT_REACHED, "The connection to " + hostName + " broke ("
                + Questions.shown(String.valueOf(e.getMessage())) + "); connect again", e);
    }
}
