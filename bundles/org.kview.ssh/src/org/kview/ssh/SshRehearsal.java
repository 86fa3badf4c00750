// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import java.util.Map;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.shell.UnknownCommandFactory;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshConfigException;
import org.kview.ssh.config.SshDestination;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.values.TargetException;

/**
 * Connects to a server inside this process, up to the question what kind of host it is. The server does
 * not answer that, because it runs nothing. This loads the classes for a start-up archive.
 */
public final class SshRehearsal {

    private SshRehearsal() {
    }

    /**
     * @param folder for a key, a list of known hosts and a configuration, which are used nowhere else
     * @return how it ended
     */
    public static String connect(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        KeyPairGenerator generator = SecurityUtils.getKeyPairGenerator(SecurityUtils.EDDSA);
        generator.initialize(NamedParameterSpec.ED25519);
        KeyPair key = generator.generateKeyPair();
        try (SshServer server = SshServer.setUpDefaultServer()) {
            server.setHost(InetAddress.getLoopbackAddress().getHostAddress());
            server.setKeyPairProvider(KeyPairProvider.wrap(key));
            server.setPublickeyAuthenticator((user, given, session) -> KeyUtils.compareKeys(given, key.getPublic()));
            server.setCommandFactory(UnknownCommandFactory.INSTANCE);
            server.start();
            target(folder, server, key).connect().close();
            throw new IllegalStateException("the server runs nothing");
        } catch (TargetException e) {
            return e.getMessage();
        }
    }

    private static SshTarget target(Path folder, SshServer server, KeyPair key)
            throws IOException, GeneralSecurityException, TargetException {
        Path identity = Files.createFile(folder.resolve("identity"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream out = Files.newOutputStream(identity)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "rehearsal", null, out);
        }
        Path known = Files.writeString(folder.resolve("known_hosts"), "[" + server.getHost() + "]:" + server.getPort()
                + " " + PublicKeyEntry.toString(key.getPublic()) + "\n");
        Path config = Files.writeString(folder.resolve("config"), "IdentityAgent none\nIdentitiesOnly yes\nIdentityFile \""
                + identity + "\"\nUserKnownHostsFile \"" + known + "\"\nGlobalKnownHostsFile none\n");
        var environment = new SshEnvironment(folder, "rehearsal",
                List.of(new SshEnvironment.ConfigFile(config, folder, false)), Map.of());
        try {
            return new SshTarget(SshDestination.parse("rehearsal@" + server.getHost() + ":" + server.getPort()),
                    new SshConfig(environment), identity, SshPrompter.none());
        } catch (SshConfigException e) {
            throw new TargetException(TargetException.Kind.NOT_REACHED, e.getMessage(), e);
        }
    }
}
